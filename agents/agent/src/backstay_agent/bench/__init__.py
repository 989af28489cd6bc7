"""Measuring a real agent: `python -m backstay_agent.bench` (as root, or in a user namespace)."""
