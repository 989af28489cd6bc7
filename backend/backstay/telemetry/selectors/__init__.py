"""Reads of observed state. Nothing here writes, and only this package reads the sample tables."""
