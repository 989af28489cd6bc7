"""Collector `snmp-neighbours`: fill level of a device's ARP and ND tables, and the broadcasts that fill them.

Discovery reads the tables too, each minute, but a flood can be over by then. So they are counted each
interval, unless that takes long: reading them may take at most a tenth of the time.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.metric_reporter import MetricReporter
from backstay_agent.collectors.neighbour_metrics import NeighbourReporter, PortTable, mac_text, most_at
from backstay_agent.collectors.snmp.neighbour_walk import walk_neighbours
from backstay_agent.collectors.snmp.view import DeviceView, SnmpDeviceCollector
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.values import Rows, SnmpError, SnmpTimeoutError
from backstay_agent.parsers import ipmib
from backstay_agent.parsers.ifmib import Oid
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, PortState

_HC_BROADCASTS: Oid = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 9)
"""ifHCInBroadcastPkts (IF-MIB, RFC 2863)."""
_BROADCASTS: Oid = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 3)
"""ifInBroadcastPkts: 32 bits wide, for a device without the wide one."""
_BROADCAST_TABLE = "broadcasts"
_SHARE = 10
"""Reading the tables may take at most 1/_SHARE of the time."""
_TABLES = tuple(ipmib.NEIGHBOUR_TABLES.values())
_NAMES = {columns: name for name, columns in ipmib.NEIGHBOUR_TABLES.items()}
_CHOICE_NS = 600_000_000_000
"""How long the tables to read are known; a device rarely begins to use another one."""


class SnmpNeighbours(SnmpDeviceCollector):
    """One device's tables."""

    name = "snmp-neighbours"
    limit_s = 60.0

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        session: SnmpSession,
        view: DeviceView,
        clock: Clock,
        emit: ReportSink,
    ) -> None:
        super().__init__(device=device, interval_s=interval_s, session=session, view=view, clock=clock)
        self._due_ns = 0
        self._tables: tuple[tuple[Oid, Oid], ...] = _TABLES
        """Columns to read: of the two tables, those that add entries."""
        self._chosen_ns: int | None = None
        self._wide: Oid | None = _HC_BROADCASTS
        reporter = MetricReporter(device=device, collector=self.name, clock=clock, emit=emit)
        self._reporter = NeighbourReporter(reporter, clock)

    async def collect(self) -> Ran:
        """Count once, unless the last time took too long. Raises NoAnswerError and UnusableError."""
        device = self._view.device
        if device is None:
            return Ran(CollectorOutcome.NO_DATA, "the device has not been discovered yet")
        began = self._clock.monotonic_ns()
        if began < self._due_ns:
            return Ran()
        try:
            tables = counted(await self._entries(), device.ports)
            counters = await self._broadcasts(device.ports)
        except SnmpTimeoutError as error:
            raise NoAnswerError(str(error)) from error
        except SnmpError as error:
            raise UnusableError(str(error)) from error
        took = self._clock.monotonic_ns() - began
        self._due_ns = began + _SHARE * took
        self._reporter.report([item for table in tables for item in table.metrics()], counters)
        return Ran()

    async def _entries(self) -> Rows:
        """The tables' rows. Most devices have the same entries in both, and then only one is read."""
        now = self._clock.monotonic_ns()
        if self._chosen_ns is None or now - self._chosen_ns >= _CHOICE_NS:
            self._tables = _TABLES
        found = [await self._table(columns) for columns in self._tables]
        self._readings.keep({_NAMES[columns] for columns in self._tables} | {_BROADCAST_TABLE})
        rows = {column: values for table in found for column, values in table.items()}
        if len(found) == len(_TABLES):
            self._tables, self._chosen_ns = _needed(found, rows), now
        return rows

    async def _table(self, columns: tuple[Oid, Oid]) -> Rows:
        with self._readings.of(_NAMES[columns], len(columns)) as read:
            return read.take(await walk_neighbours(self._session, columns, self._clock))

    async def _broadcasts(self, ports: Sequence[PortState]) -> dict[tuple[str, str], int]:
        for column in (self._wide, _BROADCASTS) if self._wide else (_BROADCASTS,):
            with self._readings.of(_BROADCAST_TABLE, 1) as read:
                values = read.take(await self._session.walk((column,))).get(column, {})
            found = {
                (port.name, "neigh.broadcasts"): value
                for port in ports
                if isinstance(value := values.get((port.index,)), int)
            }
            if found:
                return found
        self._wide = None
        return {}


def _needed(tables: Sequence[Rows], rows: Rows) -> tuple[tuple[Oid, Oid], ...]:
    """The columns of one table if it has every entry; else of both."""
    every = len(ipmib.entries(rows))
    alone = [c for c, table in zip(_TABLES, tables, strict=True) if len(ipmib.entries(table)) == every]
    return (alone[0],) if alone and every else _TABLES


def counted(rows: Rows, ports: Sequence[PortState]) -> list[PortTable]:
    """The walked columns of both tables as counts by port; ports without an entry have zeros."""
    found: dict[int, Counter[tuple[str, bytes]]] = {}
    for entry in ipmib.entries(rows):
        state = "permanent" if entry.kind == ipmib.STATIC else f"ipv{entry.address.version}"
        found.setdefault(entry.if_index, Counter())[state, entry.mac] += 1
    return [_table(port.name, found.get(port.index, {})) for port in ports]


def _table(port: str, entries: Mapping[tuple[str, bytes], int]) -> PortTable:
    by_state, by_mac = Counter[str](), Counter[bytes]()
    for (state, mac), number in entries.items():
        by_state[state] += number
        if state != "permanent" and mac:
            by_mac[mac] += number
    unanswered = sum(number for (_, mac), number in entries.items() if not mac)
    top, most = most_at(by_mac)
    return PortTable(
        port, by_state["ipv4"], by_state["ipv6"], by_state["permanent"], unanswered, mac_text(top), most
    )
