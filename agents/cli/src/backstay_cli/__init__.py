"""`backstay`: the operator's command line, a client of the public API."""

__version__ = "0.1.0"
