"""Maintenance windows: planned times in which parts of a site neither notify, open incidents nor run tests."""
