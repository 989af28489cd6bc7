"""Hosts without an agent, read by the text of their own commands over ssh: AIX, IRIX. Nothing is changed."""
