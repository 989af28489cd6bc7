"""The verbs, one noun a module."""
