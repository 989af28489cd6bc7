"""net-snmp's pass_persist protocol (snmpd.conf(5), "MIB-Specific Extension Commands") over two streams.

snmpd's requests are lines: PING; `get` or `getnext` and an OID; `set`, an OID and a type with a value.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping
from typing import TextIO

from backstay_lab.hippi.snmp.value import Oid, Value, dotted, oid

Table = Callable[[], Mapping[Oid, Value]]
"""The current objects."""
Setter = Callable[[Oid, str], str]
"""Writes one object; returns DONE or one of snmpd's error codes."""

DONE, NOT_WRITABLE, WRONG_VALUE, INCONSISTENT = "DONE", "not-writable", "wrong-value", "inconsistent-value"


def serve(requests: TextIO, reply: TextIO, table: Table, setter: Setter) -> None:
    """Answer until snmpd closes the stream."""
    while command := requests.readline().strip():
        if command == "PING":
            lines = ["PONG"]
        elif command == "set":
            target, value = oid(requests.readline().strip()), requests.readline().strip()
            lines = [setter(target, value.partition(" ")[2].strip('"'))]
        else:
            lines = _read(table(), command, oid(requests.readline().strip()))
        reply.write("\n".join(lines) + "\n")
        reply.flush()


def _read(objects: Mapping[Oid, Value], command: str, asked: Oid) -> list[str]:
    target: Oid | None = asked
    if command == "getnext":
        names = sorted(objects)
        place = bisect.bisect_right(names, asked)
        target = names[place] if place < len(names) else None
    value = None if target is None else objects.get(target)
    return ["NONE"] if target is None or value is None else [dotted(target), value.kind, value.text]
