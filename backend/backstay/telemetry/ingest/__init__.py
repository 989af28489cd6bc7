"""Storing of agents' reports: the only part of the app that is called inside the ingest transaction."""
