"""Devices polled over SNMP from this host."""
