"""Which ports are connected, derived from device reports: identification of neighbours and ranking of
evidence.
"""
