"""Throughput tests on this host: the assignments of `Desired.tests`, a process each, and their reports."""
