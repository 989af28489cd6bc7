"""The commands, one resource per module."""
