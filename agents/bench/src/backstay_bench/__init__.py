"""Benchmarks of the agent, run by `make bench-*`; not part of an installation."""
