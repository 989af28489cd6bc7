"""Extension nodes of SP switches: their row of the SP dependent-node MIB, and misconfiguration.

The adapter's ARP, address, MTU and state come from the kernel; the values of the control workstation (node
number, switch node number, host offset) are in a file next to the snmpd.conf.
"""
