"""Hostile and broken devices: each poll ends within its limits with a typed outcome, and a good device is
polled on time meanwhile. Limits are small, so that all run in seconds."""

import asyncio
import contextlib
import itertools
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from backstay_agent.collectors.snmp.collector import SnmpCollector
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.interface import Session
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import Limits, Oid, SnmpError, SnmpTimeoutError
from backstay_agent.parsers import ifmib
from backstay_agent.runner import Runner
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_responder import (
    END,
    Asked,
    Behave,
    Binding,
    Table,
    honest,
    number,
    reply,
    serving,
    text,
)
from backstay_wire import (
    CollectorOutcome,
    CollectorReport,
    DeviceReport,
    PortSamples,
    SnmpSource,
    SnmpV2c,
    SnmpV3,
)

pytestmark = pytest.mark.anyio
COLUMN: Oid = ifmib.IF_DESCR
NEXT_COLUMN: Oid = (*COLUMN[:-1], COLUMN[-1] + 1)
LIMITS = Limits(walk_s=0.4, walk_variables=600, strangers=60)
BOUND_S = 3.0
"""Far more than any animal needs, far less than forgetting a bound would take."""


def source(port: int, **more: object) -> SnmpSource:
    arguments = {"device": "d", "interval_s": 0.2, "timeout_s": 0.15, "retries": 0, **more}
    arguments.setdefault("access", SnmpV2c(community="public"))
    return SnmpSource(address="127.0.0.1", port=port, **arguments)


def row(index: int, column: Oid = COLUMN) -> Binding:
    return (*column, index), number(index)


def last(asked: Asked) -> int:
    """Index of the row after which the request continues."""
    name = asked.names[0]
    return name[len(COLUMN)] if len(name) > len(COLUMN) else 0


def rows_after(asked: Asked, step: int = 1) -> list[Binding]:
    return [row(last(asked) + step * place) for place in range(1, 11)]


async def walk(session: Session) -> object:
    return (await session.walk([COLUMN]))[COLUMN]


async def get(session: Session) -> object:
    return await session.get([(*COLUMN, 1), (*COLUMN, 2)])


async def poll(session: Session) -> object:
    (readings,) = await session.poll(((*COLUMN, 1), (*COLUMN, 2)))
    return dict(readings)


Operation = Callable[[Session], Awaitable[object]]


@dataclass(frozen=True)
class Animal:
    behave: Behave
    operation: Operation = walk
    error: type[Exception] | None = SnmpError
    text: str = ""
    gives: object = None
    delay_s: float = 0.0
    access: SnmpV2c | SnmpV3 = field(default_factory=lambda: SnmpV2c(community="public"))


def with_values(*contents: tuple[int, bytes]) -> Behave:
    """Answers a GET with these values."""
    return lambda asked: [reply(asked, list(zip(asked.names, contents, strict=True)))]


def cut(asked: Asked) -> Iterable[bytes]:
    yield reply(asked, rows_after(asked))[:-30]


def claims_a_megabyte(asked: Asked) -> Iterable[bytes]:
    whole = reply(asked, [((*COLUMN, 1), text("x"))])
    place = whole.rindex(b"\x04\x01x")
    yield whole[:place] + b"\x04\x83\x10\x00\x00" + b"x"


def indefinite(asked: Asked) -> Iterable[bytes]:
    whole = bytearray(reply(asked, rows_after(asked)))
    whole[whole.rindex(b"\x02\x01") + 1] = 0x80
    yield bytes(whole)


def raw_name(content: bytes) -> Behave:
    """A variable with an invalid name."""

    def behave(asked: Asked) -> Iterable[bytes]:
        variable = ber.encode(ber.SEQUENCE, ber.encode(ber.OBJECT, content) + b"\x02\x01\x05")
        body = b"".join(ber.encode_integer(part) for part in (asked.number, 0, 0))
        body += ber.encode(ber.SEQUENCE, variable)
        parts = [ber.encode_integer(1), ber.encode(ber.OCTETS, b"public"), ber.encode(0xA2, body)]
        yield ber.encode(ber.SEQUENCE, b"".join(parts))

    return behave


def report_storm(asked: Asked) -> Iterable[bytes]:
    """SNMPv3 reports without end: usmStatsUnknownEngineIDs to every request, twenty at a time."""
    engine = ber.encode(ber.OCTETS, b"\x80\x00\x1f\x88\x04storm")
    zero, nothing = ber.encode_integer(0), ber.encode(ber.OCTETS, b"")
    header = [ber.encode_integer(1), ber.encode_integer(65_507), ber.encode(4, b"\0"), ber.encode_integer(3)]
    security = ber.encode(ber.SEQUENCE, engine + zero + zero + nothing + nothing + nothing)
    unknown = (1, 3, 6, 1, 6, 3, 15, 1, 1, 4, 0)
    variable = ber.encode(ber.OBJECT, ber.encode_oid(unknown)) + ber.encode(ber.COUNTER, b"\1")
    listed = ber.encode(ber.SEQUENCE, ber.encode(ber.SEQUENCE, variable))
    scoped = ber.encode(ber.SEQUENCE, engine + nothing + ber.encode(0xA8, zero + zero + zero + listed))
    parts = [
        ber.encode_integer(3),
        ber.encode(ber.SEQUENCE, b"".join(header)),
        ber.encode(ber.OCTETS, security),
        scoped,
    ]
    return [ber.encode(ber.SEQUENCE, b"".join(parts))] * 20


def noise(asked: Asked) -> Iterable[bytes]:
    rest = random.Random(asked.number)
    return [rest.randbytes(rest.randint(0, 300)) for _ in range(5)]


def ends_and_goes_on(asked: Asked) -> Iterable[bytes]:
    yield reply(asked, [row(last(asked) + 1), ((*COLUMN, last(asked) + 1), END), row(last(asked) + 9)])


def shuffled(asked: Asked) -> Iterable[bytes]:
    yield reply(asked, [row(place) for place in (5, 3, 9, 1)])


V3 = SnmpV3(user="nobody", auth_key="authpass12345", priv_key="privpass12345")
UGLY = '\x1b[2J<script>alert("ß")</script>\u202e'

ZOO: dict[str, Animal] = {
    "gives the same row again": Animal(
        lambda asked: [reply(asked, [row(7), row(7)])], text="do not increase"
    ),
    "goes in a circle": Animal(
        lambda asked: [reply(asked, [row(1 + last(asked) % 5)])], text="do not increase"
    ),
    "goes backwards": Animal(shuffled, text="do not increase"),
    "never ends": Animal(lambda asked: [reply(asked, rows_after(asked))], text="within 600 variables"),
    "never ends, slowly": Animal(
        lambda asked: [reply(asked, rows_after(asked)[:1])], text="not over after", delay_s=0.05
    ),
    "is silent": Animal(lambda asked: [], error=SnmpTimeoutError, text="no answer"),
    "answers too late": Animal(
        lambda asked: [reply(asked, rows_after(asked))], error=SnmpTimeoutError, delay_s=0.5
    ),
    "cuts its answers off": Animal(cut, text="cut off"),
    "claims a megabyte": Animal(claims_a_megabyte, text="length|cut off"),
    "uses indefinite lengths": Animal(indefinite, text="length"),
    "sends noise": Animal(noise, text="no answer"),
    "answers other requests": Animal(
        lambda asked: [reply(asked, rows_after(asked), number=asked.number ^ 1)], text="did not make"
    ),
    "answers with another community": Animal(
        lambda asked: [reply(asked, rows_after(asked), community=b"private")], text="another community"
    ),
    "answers in another version": Animal(
        lambda asked: [reply(asked, rows_after(asked), version=0)], text="no v2c response"
    ),
    "echoes the request": Animal(
        lambda asked: [reply(asked, rows_after(asked), kind=asked.kind)], text="no v2c response"
    ),
    "floods": Animal(
        lambda asked: [reply(asked, [], number=place + 1) for place in range(400)], text="floods"
    ),
    "finds everything too big": Animal(lambda asked: [reply(asked, [], status=1)], text="too big"),
    "finds every poll too big": Animal(
        lambda asked: [reply(asked, [], status=1)], operation=poll, text="too big"
    ),
    "names an error index that is not there": Animal(
        lambda asked: [reply(asked, [], status=5, index=99_999)],
        text="error-status 5 for variable 99999",
    ),
    "names rows without a name": Animal(raw_name(b""), operation=walk, error=None, gives={}),
    "breaks off within a name": Animal(raw_name(b"\x2b\x86"), text="middle of a part"),
    "has names of 300 parts": Animal(raw_name(b"\x2b" + b"\x01" * 300), text="more than 128 parts"),
    "has parts of 70 bits": Animal(raw_name(b"\x2b" + b"\xff" * 9 + b"\x01"), text="more than 32 bits"),
    "goes on after its end": Animal(ends_and_goes_on, error=None, gives={(1,): 1}),
    "answers with nothing": Animal(lambda asked: [reply(asked, [])], error=None, gives={}),
    "answers about other objects": Animal(
        lambda asked: [reply(asked, [row(3), row(4)])], operation=get, text="other objects"
    ),
    "polls other objects": Animal(
        lambda asked: [reply(asked, [row(3), row(4)])], operation=poll, text="other objects"
    ),
    "says more than was asked": Animal(
        lambda asked: [reply(asked, [row(1), row(2), row(3)])], operation=get, text="other objects"
    ),
    "says everything twenty times": Animal(
        lambda asked: [Table(dict([row(1), row(2)])).answer(asked)] * 20,
        operation=get,
        error=None,
        gives={(*COLUMN, 1): 1, (*COLUMN, 2): 2},
    ),
    "has counters of 80 bits": Animal(
        with_values((ber.COUNTER64, b"\x01" * 10), number(1)),
        operation=poll,
        text="number of 10 octets",
    ),
    "has counters without octets": Animal(
        with_values((ber.COUNTER, b""), number(1)), operation=poll, text="number of 0 octets"
    ),
    "leaves the zero octet out": Animal(
        with_values((ber.COUNTER, b"\xff\xff\xff\xfe"), (ber.COUNTER64, b"\xff" * 8)),
        operation=poll,
        error=None,
        gives={(*COLUMN, 1): 2**32 - 2, (*COLUMN, 2): 2**64 - 1},
    ),
    "counts below zero": Animal(
        with_values(number(-5), number(7)), operation=poll, error=None, gives={(*COLUMN, 2): 7}
    ),
    "has text for numbers": Animal(
        with_values(text("many"), (ber.OBJECT, b"\x2b\x06")), operation=poll, error=None, gives={}
    ),
    "has values of no known type": Animal(
        with_values((0x30, b"\x02\x01\x01"), number(1)), operation=get, text="unknown type"
    ),
    "has ugly names": Animal(
        with_values(text(UGLY), (ber.OCTETS, b"\xff" * 40_000)),
        operation=get,
        error=None,
        gives={(*COLUMN, 1): UGLY.encode(), (*COLUMN, 2): b"\xff" * 40_000},
    ),
    "storms with v3 reports": Animal(report_storm, operation=get, error=Exception, text="", access=V3),
    "storms with v3 reports when polled": Animal(
        report_storm, operation=poll, error=Exception, text="", access=V3
    ),
    "speaks noise in v3": Animal(noise, operation=poll, error=Exception, access=V3),
}


def good_table() -> Table:
    return Table(dict([row(1), row(2), *(row(index, NEXT_COLUMN) for index in range(1, 50))]))


async def poll_until(done: asyncio.Event, session: Session) -> list[float]:
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


@pytest.mark.parametrize("name", ZOO)
async def test_misbehaving_device_ends_within_its_bounds(name: str) -> None:
    animal = ZOO[name]
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(serving(animal.behave, delay_s=animal.delay_s))
        good = await stack.enter_async_context(serving(honest(good_table())))
        session = open_session(source(port, access=animal.access), LIMITS)
        expected_rows = open_session(source(good, timeout_s=2))
        stack.callback(session.close)
        stack.callback(expected_rows.close)
        if animal.access == V3:
            # pysnmp loads its MIBs at a process's first request: a second that is not part of a poll.
            with contextlib.suppress(SnmpError, SnmpTimeoutError):
                await animal.operation(session)
        done = asyncio.Event()
        polls = asyncio.create_task(poll_until(done, expected_rows))
        began = time.monotonic()
        try:
            found = await animal.operation(session)
            error = None
        except (SnmpError, SnmpTimeoutError) as caught:
            found, error = None, caught
        took = time.monotonic() - began
        done.set()
        durations = await polls
    assert took < BOUND_S
    assert max(durations) < BOUND_S / 2
    if animal.error is None:
        assert error is None
        assert found == animal.gives
    else:
        assert isinstance(error, animal.error)
        assert re.search(animal.text, str(error)), error


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
        behaviours = {name: ZOO[name].behave for name in hostile}
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
    assert devices[0].sys_name == UGLY
    assert [port.alias for port in devices[0].ports] == [UGLY, UGLY]
    samples = [report for report in reports if isinstance(report, PortSamples)]
    assert len(samples) >= 6
    assert max(report.duration_ns for report in samples) < 1_000_000_000
