"""Outage of traffic during a failover: `python -m backstay_bench.failover` (as root)."""
