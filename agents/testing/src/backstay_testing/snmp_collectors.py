"""The profiles and collectors of one SNMP device, as tests run them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta

from backstay_agent.collectors.base import Collector, UnusableError
from backstay_agent.collectors.snmp.collector import SnmpCollector
from backstay_agent.collectors.snmp.metrics import SnmpMetrics
from backstay_agent.collectors.snmp.profiles import PROFILES, DeviceFacts, Findings
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import Oid, Value
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, PortState, SnmpSource

REFUSED = frozenset({"linux_lsi", "cumulus_mellanox"})
"""Recordings without port speeds and with 32-bit counters only: they are refused."""


def snmp_port(index: int, name: str, if_type: int = 6, mac: str = "") -> PortState:
    """A port that is up."""
    return PortState(name=name, index=index, if_type=if_type, admin_up=True, oper_up=True, mac=mac)


def read_profile(profile: str, table: Mapping[Oid, Value], *ports: PortState) -> Findings:
    """A profile's findings in a table of whole object identifiers."""
    chosen = PROFILES[profile]
    rows: dict[Oid, dict[Oid, Value]] = {column: {} for column in chosen.columns}
    for oid, value in table.items():
        column = next(c for c in chosen.columns if oid[: len(c)] == c)
        rows[column][oid[len(column) :]] = value
    return chosen.read(rows, DeviceFacts((), ports))


def values(found: Findings) -> dict[tuple[str, str], object]:
    """(metric, subject) -> value."""
    return {(item.metric, item.subject): item.value for item in found.metrics}


async def outcome(collector: Collector) -> CollectorOutcome:
    """One run of a collector of a recording; no data if it is one of `REFUSED`."""
    try:
        return (await collector.collect()).outcome
    except UnusableError as error:
        if collector.device not in REFUSED or "32-bit counters and no known speed" not in str(error):
            raise
        return CollectorOutcome.NO_DATA


@asynccontextmanager
async def snmp_collectors(source: SnmpSource, reports: ReportSink) -> AsyncIterator[tuple[Collector, ...]]:
    """The collectors of the counters and of the metrics, with their own sessions."""
    view, clock = DeviceView(), HostClock()
    counters = SnmpCollector(
        device=source.device,
        interval_s=source.interval_s,
        session=open_session(source),
        view=view,
        clock=clock,
        emit=reports,
        local_offset=timedelta,
    )
    metrics = SnmpMetrics(
        device=source.device,
        interval_s=source.interval_s,
        session=open_session(source),
        view=view,
        clock=clock,
        emit=reports,
    )
    try:
        yield counters, metrics
    finally:
        await counters.stop()
        await metrics.stop()
