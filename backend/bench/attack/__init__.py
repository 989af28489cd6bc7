"""Attacks of single clients, sites and devices on the running service: one module each, see `registry`."""
