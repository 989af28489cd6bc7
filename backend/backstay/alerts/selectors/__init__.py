"""Reads for rules and pages: the situation of a site, its incidents, the overview."""
