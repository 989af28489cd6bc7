"""Throughput tests in the terminal: plans from options, runs as tables and grids, and following a run."""
