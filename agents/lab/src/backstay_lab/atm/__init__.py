"""ATM circuits: the router's SNMP tables, and misconfigured labels.

A circuit is a point-to-point link with a VPI/VCI on its own logical interface, as on a GigaRouter. The
kernel has no cells, so a router polled over SNMP keeps its circuits in a file, as in gratm.conf. The link
state is the kernel's.
"""
