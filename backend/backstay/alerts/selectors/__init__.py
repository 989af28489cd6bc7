"""Reads for rules and pages: the snapshot of a site, its incidents, the overview."""
