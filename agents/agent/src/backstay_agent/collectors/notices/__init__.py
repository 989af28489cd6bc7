"""Unsolicited messages of devices: SNMP notifications and syslog, received by this host."""
