"""Throughput tests in a terminal: plans out of options, runs as tables, grids, and following a run."""
