"""Parses a tool's saved output offline: shows an operator how Backstay reads it."""
