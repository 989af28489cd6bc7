"""Throughput tests: plans, runs, cells and verdicts, and the papers' own tables as reference runs."""
