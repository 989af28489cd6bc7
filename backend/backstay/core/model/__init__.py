"""Immutable values of the field: topology, load, state, ways. No rows, no clock."""
