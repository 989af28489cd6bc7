"""Collectors: one file or folder per source, one interface (base.py); collector_registry.py lists the
kinds."""
