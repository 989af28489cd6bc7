"""SNMP of the fabric's switches and gateways: their vendor's objects and their ports in IF-MIB.

net-snmp's snmpd answers for each in its own namespace and asks `agent` for these subtrees (pass_persist,
snmpd.conf(5)). Only objects whose number, type and range are known are served. Where a MIB's text leaves the
unit or meaning open, the lab's choice is documented at the object.
"""
