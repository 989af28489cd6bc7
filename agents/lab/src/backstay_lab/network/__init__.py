"""Namespaces, links, addresses and the relay of a lab."""
