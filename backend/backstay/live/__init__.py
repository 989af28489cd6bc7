"""Push: changes are published to Redis on commit and forwarded to every connected browser.

Redis holds nothing that must survive: a client that missed messages gets a gap message and refetches.
"""
