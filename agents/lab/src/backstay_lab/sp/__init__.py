"""Extension nodes of the lab's SP switches: their row of the SP dependent-node MIB, and one made wrong.

What the kernel knows of the adapter (ARP, address, MTU, state) is read from it; what the control workstation
would have sent (node number, switch node number, host offset) is kept in a file next to the snmpd.conf.
"""
