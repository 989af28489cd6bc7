"""What a failover costs the traffic: `python -m backstay_bench.failover` (as root)."""
