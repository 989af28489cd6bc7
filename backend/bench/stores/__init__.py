"""Benchmarks of PostgreSQL on several servers: reads from a standby, samples behind postgres_fdw."""
