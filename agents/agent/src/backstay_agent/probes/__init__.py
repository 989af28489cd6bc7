"""What the agent finds out by sending packets of its own, few and small."""
