"""snmpsim, for tests."""
