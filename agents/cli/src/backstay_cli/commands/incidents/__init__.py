"""Incidents: what is open, and what people do with it."""
