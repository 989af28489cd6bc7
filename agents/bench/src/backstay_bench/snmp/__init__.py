"""What polling over SNMP costs: an agent beside other clients, against a farm of simulated devices."""
