"""Paths of a site as pages list them."""
