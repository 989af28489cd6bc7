"""Benchmarks of the backend, and the private databases that they and the tests run on."""
