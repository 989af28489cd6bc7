"""Intake of agents' batches and site files, each stored in one transaction across all apps."""
