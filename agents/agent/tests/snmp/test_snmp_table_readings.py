"""What each SNMP table returned and yielded, as the collectors report it; over UDP, with the real engine."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from pydantic import TypeAdapter

from backstay_agent.collectors.snmp.collector import SnmpCollector
from backstay_agent.collectors.snmp.metrics import SnmpMetrics
from backstay_agent.collectors.snmp.table_readings import TableReadings
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import Oid, SnmpError, SnmpTimeoutError, WalkTimeLimitError
from backstay_agent.parsers import ifmib
from backstay_agent.runner import Runner
from backstay_testing.clock import ManualClock
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_responder import Asked, Content, Table, number, serving, text
from backstay_wire import (
    MAX_TABLES,
    CollectorOutcome,
    CollectorReport,
    Report,
    SnmpSource,
    SnmpV2c,
    TableReading,
)

pytestmark = pytest.mark.anyio
_LLDP_NAME = (1, 0, 8802, 1, 1, 2, 1, 4, 1, 1, 9)
_HIGH_SPEED = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 15)
_REASON = "neighbours on ports that the device does not list"


@dataclass
class Device:
    """Answers from its table, but not about what is below `silent_below`."""

    table: Table
    silent_below: Oid | None = None

    def __call__(self, asked: Asked) -> Iterable[bytes]:
        below = self.silent_below
        if below is not None and any(name[: len(below)] == below for name in asked.names):
            return []
        return [self.table.answer(asked)]


def switch(neighbours: Iterable[int]) -> dict[Oid, Content]:
    """Two ports, 1 and 2, and an LLDP neighbour on each of these port numbers."""
    objects: dict[Oid, Content] = {
        ifmib.SYS_NAME: text("sw"),
        ifmib.SYS_DESCR: text("a switch"),
        ifmib.SYS_UPTIME: number(900_000, ber.TICKS),
    }
    for port in (1, 2):
        objects |= {
            (*ifmib.IF_DESCR, port): text(f"swp{port}"),
            (*ifmib.IF_TYPE, port): number(6),
            (*ifmib.IF_ADMIN, port): number(1),
            (*ifmib.IF_OPER, port): number(1),
            (*ifmib.IF_HC_IN_OCTETS, port): number(5, ber.COUNTER64),
            (*_HIGH_SPEED, port): number(1000),
        }
    return objects | {(*_LLDP_NAME, 0, port, 1): text(f"peer{port}") for port in neighbours}


@asynccontextmanager
async def collectors(device: Device) -> AsyncIterator[tuple[SnmpCollector, SnmpMetrics]]:
    async with serving(device) as port:
        source = SnmpSource(
            device="sw",
            interval_s=1,
            address="127.0.0.1",
            port=port,
            timeout_s=0.2,
            retries=0,
            access=SnmpV2c(community="public"),
        )
        view, clock, sink = DeviceView(), HostClock(), ReportList()
        common: dict[str, Any] = {"device": "sw", "interval_s": 1, "view": view, "clock": clock, "emit": sink}
        counters = SnmpCollector(session=open_session(source), local_offset=timedelta, **common)
        metrics = SnmpMetrics(session=open_session(source), **common)
        try:
            yield counters, metrics
        finally:
            await counters.stop()
            await metrics.stop()


def by_name(readings: Iterable[TableReading]) -> dict[str, TableReading]:
    return {reading.table: reading for reading in readings}


async def test_tables_of_discovery_and_profiles_have_rows_results_and_reasons() -> None:
    async with collectors(Device(Table(switch([1, 2, 77])))) as (counters, metrics):
        await counters.collect()
        await metrics.collect()
        found = by_name(counters.table_readings())
        lldp = by_name(metrics.table_readings())["lldp"]
    assert list(found) == [
        "interfaces",
        "addresses",
        "addresses (RFC 1213)",
        "neighbours",
        "neighbours (RFC 1213)",
    ]
    ports = found["interfaces"]
    assert (ports.rows, ports.results, ports.error, ports.interruptions) == (2, 2, "", 0)
    assert (found["addresses"].columns, found["addresses"].rows, found["addresses"].results) == (3, 0, None)
    assert (lldp.rows, lldp.results) == (3, 3)
    assert [(unclear.reason, unclear.rows) for unclear in lldp.not_understood] == [(_REASON, 1)]
    assert lldp.duration_ms > 0


async def test_unanswered_table_keeps_its_last_rows_and_names_the_error_until_it_is_whole_again() -> None:
    device = Device(Table(switch([1, 2])))
    async with collectors(device) as (counters, metrics):
        await counters.collect()
        await metrics.collect()
        whole = by_name(metrics.table_readings())["lldp"]
        device.silent_below = _LLDP_NAME[:-2]
        for times in (1, 2):
            metrics._view.restarts += 1  # Every profile is due at once.
            with pytest.raises(Exception, match="lldp"):
                await metrics.collect()
            cut = by_name(metrics.table_readings())["lldp"]
            assert (cut.rows, cut.results, cut.interruptions) == (whole.rows, whole.results, times)
            assert cut.error != ""
        device.silent_below = None
        for expected in (2, 0):
            metrics._view.restarts += 1
            await metrics.collect()
            again = by_name(metrics.table_readings())["lldp"]
            assert (again.error, again.interruptions, again.rows) == ("", expected, 2)


@pytest.mark.parametrize(
    ("error", "interruptions"),
    [(SnmpTimeoutError("lost"), 1), (WalkTimeLimitError("late"), 1), (SnmpError("OIDs do not increase"), 0)],
)
def test_only_a_read_that_the_next_one_continues_is_interrupted(error: Exception, interruptions: int) -> None:
    readings = TableReadings(ManualClock())
    with pytest.raises(type(error)), readings.of("lldp", 9):
        raise error
    (found,) = readings.newest()
    assert (found.columns, found.rows, found.results) == (9, 0, None)
    assert (found.error, found.interruptions) == (str(error), interruptions)


def test_number_and_texts_are_bounded_and_tables_no_longer_read_are_forgotten() -> None:
    readings = TableReadings(ManualClock())
    for index in range(MAX_TABLES + 5):
        with pytest.raises(SnmpError), readings.of(f"{index} {'t' * 200}", 1):
            raise SnmpError("e" * 2000)
        readings.understood(f"{index} {'t' * 200}", 1, {f"{n} {'r' * 200}": 1 for n in range(40)})
    found = readings.newest()
    assert len(found) == MAX_TABLES
    for reading in found:  # The wire's own limits.
        assert TableReading.model_validate_json(reading.model_dump_json()) == reading
    readings.keep({f"3 {'t' * 200}"})
    assert [reading.table[:2] for reading in readings.newest()] == ["3 "]


async def test_runner_sends_tables_when_more_than_a_duration_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backstay_agent.runner.REPEAT_NS", 0)  # Each run is repeated.
    device, sink = Device(Table(switch([1]))), ReportList()
    async with collectors(device) as (counters, _):
        counters.interval_s = 0.1
        monkeypatch.setattr("backstay_agent.collectors.snmp.collector._DISCOVER_NS", 0)
        runner = Runner(HostClock(), sink)
        runner.add(counters)
        await _reports(sink, 4)
        third: dict[Oid, Content] = {(*ifmib.IF_DESCR, 3): text("swp3"), (*ifmib.IF_TYPE, 3): number(6)}
        device.table = Table(switch([1]) | third)
        before = len(sink)
        await _reports(sink, before + 4)
        await runner.close()
    found = [report for report in sink if isinstance(report, CollectorReport)]
    sent = [by_name(report.tables)["interfaces"].rows for report in found if report.tables is not None]
    assert len(found) >= 8
    assert sent == [2, 3]


async def _reports(sink: ReportList, count: int) -> None:
    async with asyncio.timeout(20):
        while len(sink) < count:  # noqa: ASYNC110 - the sink is plain data
            await asyncio.sleep(0.02)


def test_report_without_tables_is_as_before_and_an_old_one_is_read() -> None:
    report = CollectorReport(
        boot=UUID("6fa459ea-ee8a-3ca4-894e-db77e160355e"),
        seq=1,
        device="sw",
        at=1,
        collector="snmp",
        outcome=CollectorOutcome.OK,
        duration_ms=1.0,
    )
    text_sent = report.model_dump_json()
    assert "tables" not in text_sent
    read = TypeAdapter[Report](Report).validate_json(text_sent)
    assert isinstance(read, CollectorReport)
    assert read.tables is None
