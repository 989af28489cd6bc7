"""This host's own kernel: what it has (state, by events) and what it counts (counters, each second)."""
