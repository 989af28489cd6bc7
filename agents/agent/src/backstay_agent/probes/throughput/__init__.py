"""Throughput tests on this host: the assignments of `Desired.tests`, one process each, and their reports."""
