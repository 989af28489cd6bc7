"""Which ports are joined, judged from what devices say: who is meant, what is believed. No rows, no clock."""
