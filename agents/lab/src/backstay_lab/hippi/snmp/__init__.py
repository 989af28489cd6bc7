"""SNMP of the fabric's switches and gateways: their vendor's objects and their ports in IF-MIB.

Each device's snmpd runs in its namespace and queries `agent` for these subtrees (pass_persist,
snmpd.conf(5)). Only objects whose number, type and range are known are served. Where a MIB leaves the unit
or meaning open, the lab's choice is documented at the object.
"""
