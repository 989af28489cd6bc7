"""Hostile and broken devices: each poll ends within its limits with a typed outcome, and a good device is
polled on time meanwhile. Limits are small, so that all run in seconds."""

import asyncio
import contextlib
import itertools
import re
import time
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest

from backstay_agent.collectors.snmp.collector import SnmpCollector
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import Oid, PollLimits, SnmpError, SnmpTimeoutError
from backstay_agent.parsers import ifmib
from backstay_agent.runner import Runner
from backstay_testing.hostile_devices import HOSTILE, NEXT_COLUMN, UGLY, V3, good_table
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_responder import Table, honest, number, serving, text
from backstay_wire import (
    CollectorOutcome,
    CollectorReport,
    DeviceReport,
    PortSamples,
    SnmpSource,
    SnmpV2c,
)

pytestmark = pytest.mark.anyio
LIMITS = PollLimits(walk_s=0.4, walk_variables=600, strangers=60)
BOUND_S = 10.0
"""Far more than any device needs, far less than forgetting a bound would take."""


def source(port: int, **more: object) -> SnmpSource:
    arguments = {"device": "d", "interval_s": 0.2, "timeout_s": 0.15, "retries": 0, **more}
    arguments.setdefault("access", SnmpV2c(community="public"))
    return SnmpSource(address="127.0.0.1", port=port, **arguments)


async def poll_until(done: asyncio.Event, session: SnmpSession) -> list[float]:
    """Poll every 20 ms until `done`; returns the duration of each poll."""
    oids = tuple((*NEXT_COLUMN, index) for index in range(1, 50))
    took: list[float] = []
    while not done.is_set() or not took:
        began = time.monotonic()
        (readings,) = await session.poll(oids)
        took.append(time.monotonic() - began)
        assert len(readings) == 49
        await asyncio.sleep(0.02)
    return took


@pytest.mark.parametrize("name", HOSTILE)
async def test_misbehaving_device_ends_within_its_bounds(name: str) -> None:
    device = HOSTILE[name]
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(serving(device.behave, delay_s=device.delay_s))
        good = await stack.enter_async_context(serving(honest(good_table())))
        session = open_session(source(port, access=device.access), LIMITS)
        expected_rows = open_session(source(good, timeout_s=2))
        stack.callback(session.close)
        stack.callback(expected_rows.close)
        if device.access == V3:
            # pysnmp loads its MIBs at a process's first request: a second that is not part of a poll.
            with contextlib.suppress(SnmpError, SnmpTimeoutError):
                await device.operation(session)
        done = asyncio.Event()
        polls = asyncio.create_task(poll_until(done, expected_rows))
        began = time.monotonic()
        try:
            found = await device.operation(session)
            error = None
        except (SnmpError, SnmpTimeoutError) as caught:
            found, error = None, caught
        took = time.monotonic() - began
        done.set()
        durations = await polls
    assert took < BOUND_S
    assert max(durations) < BOUND_S / 2
    if device.error is None:
        assert error is None
        assert found == device.gives
    else:
        assert isinstance(error, device.error)
        assert re.search(device.text, str(error)), error


def small_router(count: int) -> Table:
    """A device of two ports whose counters are all `count`."""
    objects: dict[Oid, tuple[int, bytes]] = {
        ifmib.SYS_NAME: text(UGLY),
        ifmib.SYS_DESCR: text("<b>x</b>"),
        ifmib.SYS_UPTIME: number(90_000_000, ber.TICKS),
    }
    for index in (1, 2):
        objects[(*ifmib.IF_DESCR, index)] = text(f"p{index}")
        objects[(*ifmib.IF_TYPE, index)] = number(6)
        objects[(*ifmib.IF_ADMIN, index)] = objects[(*ifmib.IF_OPER, index)] = number(1)
        objects |= {
            (*column, index): number(count, ber.COUNTER64)
            for columns in ifmib.COUNTERS_64
            for column in columns
        }
        objects[(*ifmib.IF_ALIAS, index)] = text(UGLY)
    return Table(objects)


async def test_good_device_is_polled_on_time_among_misbehaving_ones() -> None:
    hostile = ["goes in a circle", "never ends", "is silent", "cuts its answers off", "floods", "sends noise"]
    reports, runner_reports = ReportList(), ReportList()
    runner = Runner(HostClock(), runner_reports)
    async with AsyncExitStack() as stack:
        behaviours = {name: HOSTILE[name].behave for name in hostile}
        counter = itertools.count(1_000)
        behaviours["good"] = lambda asked: [small_router(next(counter)).answer(asked)]
        for name, behave in behaviours.items():
            given = source(await stack.enter_async_context(serving(behave)), device=name)
            runner.add(
                SnmpCollector(
                    device=name,
                    interval_s=given.interval_s,
                    session=open_session(given, LIMITS),
                    view=DeviceView(),
                    clock=HostClock(),
                    emit=reports,
                    local_offset=timedelta,
                )
            )
        await asyncio.sleep(2.5)
        await runner.close()
    outcomes = {
        report.device: report.outcome for report in runner_reports if isinstance(report, CollectorReport)
    }
    assert outcomes.pop("good") is CollectorOutcome.OK
    assert outcomes.pop("is silent") is CollectorOutcome.TIMEOUT
    assert outcomes == {name: CollectorOutcome.FAILED for name in hostile if name != "is silent"}
    devices = [report for report in reports if isinstance(report, DeviceReport)]
    assert {report.device for report in devices} == {"good"}
    harmless = UGLY.replace("\x1b", "\N{REPLACEMENT CHARACTER}")
    assert devices[0].sys_name == harmless
    assert [port.alias for port in devices[0].ports] == [harmless, harmless]
    samples = [report for report in reports if isinstance(report, PortSamples)]
    assert len(samples) >= 6
    assert max(report.duration_ns for report in samples) < 1_000_000_000
