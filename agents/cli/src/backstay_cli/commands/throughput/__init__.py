"""Throughput tests: plans and runs."""
