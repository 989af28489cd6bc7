"""Policies as files: shown, compared, stored and planned."""
