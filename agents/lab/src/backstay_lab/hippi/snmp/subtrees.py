"""Subtrees that snmpd delegates to the lab's program, by name; one process each (snmpd.conf(5))."""

from __future__ import annotations

from backstay_lab.hippi.snmp.interfaces import IF_TABLE, IF_X_TABLE
from backstay_lab.hippi.snmp.ps32 import ENTERPRISE

SUBTREES = {"enterprise": ENTERPRISE, "interfaces": IF_TABLE, "names": IF_X_TABLE}
