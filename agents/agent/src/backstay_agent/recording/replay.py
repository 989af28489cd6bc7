"""Replays a recording through the collectors: the same reading as of the device, without a network."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from ipaddress import ip_interface
from typing import Any

from backstay_agent.collectors.snmp.device_reading import DeviceReading, read_device
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.values import Oid, Rows, SnmpError, Value
from backstay_agent.parsers import text
from backstay_agent.parsers.saved_output import Found, OutputKind, kind
from backstay_agent.recording.session import readings_of, rows_of
from backstay_agent.recording.snmprec import Record, dotted, parse
from backstay_wire import TableReading

DEVICE = "recording"
"""The name that the device has in a replay."""
INTERVAL = "interval_s"
"""The header's key of the seconds between polls, on which it depends whether 32-bit counters are used."""
_INTERVAL_S = 10.0
"""If the header has none."""


class ReplaySession:
    """Answers from a recording (see host.snmp.interface.SnmpSession)."""

    def __init__(self, records: Sequence[Record]) -> None:
        """`records` are in the order of their OIDs."""
        self._records = records
        self._values: Mapping[Oid, Value] = {record.oid: record.value for record in records}

    async def get(self, oids: Sequence[Oid]) -> dict[Oid, Value]:
        """See SnmpSession."""
        return {oid: self._values[oid] for oid in oids if oid in self._values}

    async def walk(self, columns: Sequence[Oid]) -> Rows:
        """See SnmpSession."""
        return rows_of(self._records, columns)

    async def poll(self, *questions: Sequence[Oid]) -> list[Readings]:
        """See SnmpSession."""
        return [readings_of(oids, self._values) for oids in questions]

    def close(self) -> None:
        """Nothing is open."""


def replay(records: Sequence[Record], interval_s: float = _INTERVAL_S) -> DeviceReading:
    """Read a recording as its device was read; UTC replaces the time zone of the host. Raises SnmpError."""
    reading = read_device(
        ReplaySession(records),
        HostClock(),
        device=DEVICE,
        interval_s=interval_s,
        local_offset=timedelta(0),
    )
    return asyncio.run(reading)


def structure(reading: DeviceReading) -> dict[str, Any]:
    """What anonymising leaves as it is, in JSON values: equal structures are read alike."""
    ports = [port.state for port in reading.inventory.ports]
    index = {port.name: port.index for port in ports}
    """0: a port that the device does not list."""
    subnets = Counter(ip_interface(address).network for port in ports for address in port.addresses)
    return {
        "ports": [
            [port.index, port.if_type, port.admin_up, port.oper_up, port.speed, port.mtu, bool(port.mac)]
            for port in ports
        ],
        "64-bit counters": [port.has_64_bit for port in reading.inventory.ports],
        "addresses": [
            sorted((len(a.ip.packed), a.network.prefixlen) for a in map(ip_interface, port.addresses))
            for port in ports
        ],
        "subnets": sorted(subnets.values()),
        "neighbours": _count(
            (index.get(n.port, 0), n.address.version, n.state, bool(n.mac))
            for n in reading.inventory.neighbours
        ),
        "adjacencies": _count((index.get(one.port, 0),) for one in reading.adjacencies),
        "forwarding": _count((index.get(one.port, 0), one.vlan) for one in reading.forwarding),
        "metrics": _count((one.metric,) for one in reading.metrics),
        "tables": [
            [collector, table.table, table.columns, table.rows, table.results]
            + [[unclear.reason, unclear.rows] for unclear in table.not_understood]
            for collector, table in reading.tables
        ],
        "refused ports": len(reading.refused),
        "ports without counters": len(reading.uncounted),
        "failures": len(reading.failures),
    }


def _count(rows: Any) -> list[list[Any]]:
    """Each row and how often it occurs, in a stable order."""
    return sorted([*row, times] for row, times in Counter(rows).items())


def not_understood(reading: DeviceReading) -> list[str]:
    """What of the device was not understood, a line each."""
    rows = [
        f"{table.table}: {unclear.rows} {unclear.reason}"
        for _, table in reading.tables
        for unclear in table.not_understood
    ]
    return [*rows, *reading.refused, *(f"{name}: no octet counters" for name in reading.uncounted)]


def _read(output: str) -> Found:
    """Raises ValueError."""
    header, records, odd = parse(output)
    if not records:
        raise ValueError("no object")
    try:
        reading = replay(records, _interval(header))
    except SnmpError as error:
        raise ValueError(str(error)) from error
    found = reading.inventory
    values: dict[str, object] = {
        "recording": {key: value if len(value) > 1 else value[0] for key, value in header.items()},
        "device": {
            "sys_name": found.sys_name,
            "sys_descr": found.sys_descr,
            "object_id": dotted(found.object_id),
            "uptime_s": found.uptime_s,
        },
        "tables": [_table(collector, table) for collector, table in reading.tables],
        "ports": [port.state for port in found.ports],
        "neighbours": found.neighbours,
        "adjacencies": reading.adjacencies,
        "forwarding": reading.forwarding,
        "metrics": reading.metrics,
    }
    return values, [*not_understood(reading), *reading.failures, *odd]


def _table(collector: str, table: TableReading) -> dict[str, object]:
    """A table as in the report of its collector."""
    unclear = ", ".join(f"{item.rows} {item.reason}" for item in table.not_understood)
    values = {"collector": collector, "table": table.table, "columns": table.columns, "rows": table.rows}
    return {**values, "results": table.results, "not_understood": unclear}


def _interval(header: Mapping[str, Sequence[str]]) -> float:
    """Raises ValueError."""
    given = header.get(INTERVAL)
    interval_s = float(given[0]) if given else _INTERVAL_S
    if not 0 < interval_s < 86_400:
        raise ValueError(f"{INTERVAL} is {text.text(given[0]) if given else ''}: expected seconds")
    return interval_s


KINDS: Mapping[str, OutputKind] = {
    "snmp": kind(
        "backstay-agent record, or another recording in snmpsim's format (.snmprec)",
        r"^\.?1(?:\.\d+){5,}\|\d{1,3}[xe]?\|",
        _read,
    )
}
