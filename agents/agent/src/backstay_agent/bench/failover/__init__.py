"""What a failover costs the traffic: `python -m backstay_agent.bench.failover` (as root)."""
