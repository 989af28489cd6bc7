"""Hosts and routers without an agent, read from the output of their own commands over ssh; nothing is
changed."""
