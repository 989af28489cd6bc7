"""Recordings of SNMP devices: made on the agent's host, anonymised, and replayed through the collectors."""
