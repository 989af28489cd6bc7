"""One file (or folder) a source, one interface (base.py), one explicit list of kinds (registry.py)."""
