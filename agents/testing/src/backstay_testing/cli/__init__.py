"""A fake backend for tests of the command line."""
