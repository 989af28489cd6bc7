"""The cost of polling over SNMP: an agent and other clients, against a farm of simulated devices."""
