"""Hosts and routers without an agent, read by the text of their own commands over ssh; nothing is changed."""
