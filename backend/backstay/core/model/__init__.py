"""Immutable domain values: topology, load, state, paths. No database rows, no clock."""
