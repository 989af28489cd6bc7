"""Storage of agents' reports: the only part of the app that runs inside the ingest transaction."""
