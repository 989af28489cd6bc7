"""Kinds of tests: their commands and the conversion of their output into a result, one file per kind."""
