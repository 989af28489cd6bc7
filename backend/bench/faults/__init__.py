"""Faults of processes, each repeated and counted: one module per row of the table, listed in `registry`."""
