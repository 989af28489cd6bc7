"""Emulated faults of known cause, measured by real agents: what the throughput diagnosis is held to."""
