"""Throughput tests on this host: the duties of `Desired.tests`, a process each, and their reports."""
