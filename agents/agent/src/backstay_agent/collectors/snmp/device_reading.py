"""Reads every table of one device once, as its collectors do, and keeps what they report.

For recordings and their replay: the same objects are requested and the same code interprets them. Only the
poll of the counters is a single one, because growth needs a second.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from backstay_agent.collectors.base import NoAnswerError, UnusableError
from backstay_agent.collectors.snmp.collector import status_oids
from backstay_agent.collectors.snmp.counters import counts, make_plan
from backstay_agent.collectors.snmp.inventory import Discovery, Inventory
from backstay_agent.collectors.snmp.metrics import SnmpMetrics
from backstay_agent.collectors.snmp.neighbours import SnmpNeighbours
from backstay_agent.collectors.snmp.snapshot import Snapshot
from backstay_agent.collectors.snmp.table_readings import TableReadings
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.report_sink import BuildReport
from backstay_wire import (
    Adjacency,
    AdjacencyReport,
    ForwardingEntry,
    ForwardingReport,
    MetricReport,
    MetricValue,
    Report,
    TableReading,
)

_NO_BOOT = UUID(int=0)
DISCOVERY = "snmp"
"""The collector of the tables that discovery reads."""
_Kind = TypeVar("_Kind", AdjacencyReport, ForwardingReport, MetricReport)


@dataclass(slots=True)
class _Reports:
    """A report sink that keeps the reports."""

    built: list[Report] = field(default_factory=list)

    def __call__(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        self.built.append(build(_NO_BOOT, len(self.built) + 1))

    def of(self, kind: type[_Kind]) -> Iterator[_Kind]:
        return (report for report in self.built if isinstance(report, kind))


@dataclass(frozen=True, slots=True)
class DeviceReading:
    """What the collectors of a device found in one read."""

    inventory: Inventory
    refused: Sequence[str]
    """Ports whose counters cannot be used, each with the reason."""
    uncounted: Sequence[str]
    """Names of further ports without octet counters."""
    metrics: Sequence[MetricValue]
    adjacencies: Sequence[Adjacency]
    forwarding: Sequence[ForwardingEntry]
    tables: Sequence[tuple[str, TableReading]]
    """Each table with the collector that read it."""
    failures: Sequence[str]
    """`COLLECTOR: REASON` of each collector that failed after discovery."""


async def read_device(
    session: SnmpSession, clock: Clock, *, device: str, interval_s: float, local_offset: timedelta
) -> DeviceReading:
    """Read the device. Raises SnmpTimeoutError and SnmpError if its discovery fails."""
    view, reports, readings = DeviceView(), _Reports(), TableReadings(clock)
    found = await Discovery(session, clock, readings).discover(local_offset)
    view.discovered(found.object_id, [port.state for port in found.ports])
    refused, uncounted = await _poll(session, found, interval_s)
    collectors: list[SnmpMetrics | SnmpNeighbours] = [
        kind(device=device, interval_s=interval_s, session=session, view=view, clock=clock, emit=reports)
        for kind in (SnmpMetrics, SnmpNeighbours)
    ]
    failures = [failure for collector in collectors if (failure := await _failure(collector))]
    tables = [(DISCOVERY, reading) for reading in readings.newest()]
    for collector in collectors:
        tables += [(collector.name, reading) for reading in collector.table_readings()]
    return DeviceReading(
        inventory=found,
        refused=refused,
        uncounted=uncounted,
        metrics=[item for report in reports.of(MetricReport) for item in report.metrics],
        adjacencies=[item for report in reports.of(AdjacencyReport) for item in report.adjacencies],
        forwarding=[item for report in reports.of(ForwardingReport) for item in report.entries],
        tables=tables,
        failures=failures,
    )


async def _poll(
    session: SnmpSession, found: Inventory, interval_s: float
) -> tuple[Sequence[str], Sequence[str]]:
    """One poll of the states and counters: the refused ports, and names of those without counters."""
    plan = make_plan(found.ports, interval_s)
    _, counters = await session.poll(status_oids(found.ports), plan.oids)
    table = counts(plan, Snapshot(counters, 0, 0))
    absent = [name for row, name in enumerate(plan.names) if table.of_port(row) is None]
    return plan.refused, absent


async def _failure(collector: SnmpMetrics | SnmpNeighbours) -> str:
    """Run a collector once; `NAME: REASON` if it fails, else empty."""
    try:
        await collector.collect()
    except (NoAnswerError, UnusableError) as error:
        return f"{collector.name}: {error}"
    return ""
