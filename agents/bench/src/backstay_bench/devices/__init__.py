"""A thousand SNMP devices of the forty kinds of site `zoo`, polled by one agent."""
