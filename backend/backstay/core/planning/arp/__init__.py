"""ARP of whole fabrics: the address rule, static entries, plans with their checks, drift. Pure."""
