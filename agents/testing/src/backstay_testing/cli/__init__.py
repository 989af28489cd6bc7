"""A fake Backstay for the tests of the command line."""
