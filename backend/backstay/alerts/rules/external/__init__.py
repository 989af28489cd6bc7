"""Rules about what other systems report."""
