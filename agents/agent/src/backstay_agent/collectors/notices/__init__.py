"""What devices say unasked: SNMP notifications and syslog, received by this host."""
