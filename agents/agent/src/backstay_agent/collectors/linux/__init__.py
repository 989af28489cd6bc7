"""This host's own kernel: its state (by events) and its counters (each second)."""
