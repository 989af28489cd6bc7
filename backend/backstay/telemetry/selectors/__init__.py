"""Reads of what was seen. Nothing here writes, and only this package reads the sample tables."""
