"""Faults over a running demo: every surface is read at one moment and compared with the lab itself."""
