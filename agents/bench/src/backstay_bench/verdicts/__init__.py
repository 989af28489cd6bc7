"""Emulated faults of known cause, measured by real agents, to score the throughput diagnosis."""
