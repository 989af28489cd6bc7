"""Maintenance windows: times in which parts of a site do not notify, open incidents or run tests."""
