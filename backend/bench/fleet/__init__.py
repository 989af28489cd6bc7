"""Many agents of one host each, on connections of their own, against a real ingest process."""
