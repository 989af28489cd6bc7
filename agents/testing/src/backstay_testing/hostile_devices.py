"""Hostile and broken SNMP devices, each with the operation that meets it and its expected end."""

import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.values import Oid, SnmpError, SnmpTimeoutError
from backstay_agent.parsers import ifmib
from backstay_testing.snmp_responder import (
    END,
    NO_INSTANCE,
    Asked,
    Behave,
    Binding,
    Table,
    number,
    reply,
    text,
)
from backstay_wire import SnmpV2c, SnmpV3

COLUMN: Oid = ifmib.IF_DESCR
NEXT_COLUMN: Oid = (*COLUMN[:-1], COLUMN[-1] + 1)


def row(index: int, column: Oid = COLUMN) -> Binding:
    return (*column, index), number(index)


def last(asked: Asked) -> int:
    """Index of the row after which the request continues."""
    name = asked.names[0]
    return name[len(COLUMN)] if len(name) > len(COLUMN) else 0


def rows_after(asked: Asked, step: int = 1) -> list[Binding]:
    return [row(last(asked) + step * place) for place in range(1, 11)]


async def walk(session: SnmpSession) -> object:
    return (await session.walk([COLUMN]))[COLUMN]


async def get(session: SnmpSession) -> object:
    return await session.get([(*COLUMN, 1), (*COLUMN, 2)])


async def poll(session: SnmpSession) -> object:
    (readings,) = await session.poll(((*COLUMN, 1), (*COLUMN, 2)))
    return dict(readings)


Operation = Callable[[SnmpSession], Awaitable[object]]


@dataclass(frozen=True)
class HostileDevice:
    """How it behaves; `error` or `gives`: how the operation ends, `text`: a pattern of the error's text."""

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
    rest = random.Random(asked.number)  # noqa: S311
    return [rest.randbytes(rest.randint(0, 300)) for _ in range(5)]


def ends_and_goes_on(asked: Asked) -> Iterable[bytes]:
    yield reply(asked, [row(last(asked) + 1), ((*COLUMN, last(asked) + 1), END), row(last(asked) + 9)])


def shuffled(asked: Asked) -> Iterable[bytes]:
    yield reply(asked, [row(place) for place in (5, 3, 9, 1)])


def jumping(asked: Asked) -> Iterable[bytes]:
    """Leaves the column and returns to it."""
    yield reply(asked, [row(last(asked) + 1), row(1, NEXT_COLUMN), row(last(asked) + 2)])


def every_second(answers: Callable[[Asked], Iterable[bytes]]) -> Behave:
    """Answers every second request only."""
    count = iter(range(1 << 30))
    return lambda asked: answers(asked) if next(count) % 2 else []


def nested(depth: int) -> bytes:
    """Sequences within each other."""
    content = b""
    for _ in range(depth):
        content = ber.encode(ber.SEQUENCE, content)
    return content


def changed(old: bytes, new: bytes) -> Behave:
    """The first octets `old` of a response to one variable replaced."""
    return lambda asked: [reply(asked, [((*COLUMN, 1), text("x"))]).replace(old, new, 1)]


def first_of(*names: Oid) -> list[Binding]:
    return [(name, number(1)) for name in names]


V3 = SnmpV3(user="nobody", auth_key="authpass12345", priv_key="privpass12345")
UGLY = '\x1b[2J<script>alert("ß")</script>\u202e'

HOSTILE: dict[str, HostileDevice] = {
    "gives the same row again": HostileDevice(
        lambda asked: [reply(asked, [row(7), row(7)])], text="do not increase"
    ),
    "goes in a circle": HostileDevice(
        lambda asked: [reply(asked, [row(1 + last(asked) % 5)])], text="do not increase"
    ),
    "goes backwards": HostileDevice(shuffled, text="do not increase"),
    "never ends": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked))], text=r"within \d+ variables"
    ),
    "never ends, slowly": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked)[:1])], text="not over after", delay_s=0.05
    ),
    "is silent": HostileDevice(lambda asked: [], error=SnmpTimeoutError, text="no answer"),
    "answers too late": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked))], error=SnmpTimeoutError, delay_s=0.5
    ),
    "cuts its answers off": HostileDevice(cut, text="cut off"),
    "claims a megabyte": HostileDevice(claims_a_megabyte, text="length|cut off"),
    "uses indefinite lengths": HostileDevice(indefinite, text="length"),
    "sends noise": HostileDevice(noise, text="no answer"),
    "answers other requests": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked), number=asked.number ^ 1)], text="did not make"
    ),
    "answers with another community": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked), community=b"private")], text="another community"
    ),
    "answers in another version": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked), version=0)], text="no v2c response"
    ),
    "echoes the request": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked), kind=asked.kind)], text="no v2c response"
    ),
    "floods": HostileDevice(
        lambda asked: [reply(asked, [], number=place + 1) for place in range(400)], text="floods"
    ),
    "finds everything too big": HostileDevice(lambda asked: [reply(asked, [], status=1)], text="too big"),
    "finds every poll too big": HostileDevice(
        lambda asked: [reply(asked, [], status=1)], operation=poll, text="too big"
    ),
    "names an error index that is not there": HostileDevice(
        lambda asked: [reply(asked, [], status=5, index=99_999)],
        text="error-status 5 for variable 99999",
    ),
    "names rows without a name": HostileDevice(raw_name(b""), operation=walk, error=None, gives={}),
    "breaks off within a name": HostileDevice(raw_name(b"\x2b\x86"), text="middle of a part"),
    "has names of 300 parts": HostileDevice(raw_name(b"\x2b" + b"\x01" * 300), text="more than 128 parts"),
    "has parts of 70 bits": HostileDevice(
        raw_name(b"\x2b" + b"\xff" * 9 + b"\x01"), text="more than 32 bits"
    ),
    "goes on after its end": HostileDevice(ends_and_goes_on, error=None, gives={(1,): 1}),
    "answers with nothing": HostileDevice(lambda asked: [reply(asked, [])], error=None, gives={}),
    "answers about other objects": HostileDevice(
        lambda asked: [reply(asked, [row(3), row(4)])], operation=get, text="other objects"
    ),
    "polls other objects": HostileDevice(
        lambda asked: [reply(asked, [row(3), row(4)])], operation=poll, text="other objects"
    ),
    "says more than was asked": HostileDevice(
        lambda asked: [reply(asked, [row(1), row(2), row(3)])], operation=get, text="other objects"
    ),
    "says everything twenty times": HostileDevice(
        lambda asked: [Table(dict([row(1), row(2)])).answer(asked)] * 20,
        operation=get,
        error=None,
        gives={(*COLUMN, 1): 1, (*COLUMN, 2): 2},
    ),
    "has counters of 80 bits": HostileDevice(
        with_values((ber.COUNTER64, b"\x01" * 10), number(1)),
        operation=poll,
        text="number of 10 octets",
    ),
    "has counters without octets": HostileDevice(
        with_values((ber.COUNTER, b""), number(1)), operation=poll, text="number of 0 octets"
    ),
    "leaves the zero octet out": HostileDevice(
        with_values((ber.COUNTER, b"\xff\xff\xff\xfe"), (ber.COUNTER64, b"\xff" * 8)),
        operation=poll,
        error=None,
        gives={(*COLUMN, 1): 2**32 - 2, (*COLUMN, 2): 2**64 - 1},
    ),
    "counts below zero": HostileDevice(
        with_values(number(-5), number(7)), operation=poll, error=None, gives={(*COLUMN, 2): 7}
    ),
    "has text for numbers": HostileDevice(
        with_values(text("many"), (ber.OBJECT, b"\x2b\x06")), operation=poll, error=None, gives={}
    ),
    "has values of no known type": HostileDevice(
        with_values((0x30, b"\x02\x01\x01"), number(1)), operation=get, text="unknown type"
    ),
    "has ugly names": HostileDevice(
        with_values(text(UGLY), (ber.OCTETS, b"\xff" * 40_000)),
        operation=get,
        error=None,
        gives={(*COLUMN, 1): UGLY.encode(), (*COLUMN, 2): b"\xff" * 40_000},
    ),
    "storms with v3 reports": HostileDevice(report_storm, operation=get, error=Exception, text="", access=V3),
    "storms with v3 reports when polled": HostileDevice(
        report_storm, operation=poll, error=Exception, text="", access=V3
    ),
    "speaks noise in v3": HostileDevice(noise, operation=poll, error=Exception, access=V3),
}


HOSTILE |= {
    "cycles through three rows": HostileDevice(
        lambda asked: [reply(asked, [row(2), row(3), row(1)])], text="do not increase"
    ),
    "leaves the column and comes back": HostileDevice(jumping, error=None, gives={(1,): 1}),
    "loses every second answer": HostileDevice(
        every_second(lambda asked: [reply(asked, rows_after(asked))]), error=Exception, text="no answer"
    ),
    "answers each request twice": HostileDevice(
        lambda asked: [Table(dict([row(1), row(2)])).answer(asked)] * 2, error=None, gives={(1,): 1, (2,): 2}
    ),
    "has texts of 60,000 octets": HostileDevice(
        with_values((ber.OCTETS, b"x" * 60_000), number(1)),
        operation=get,
        error=None,
        gives={(*COLUMN, 1): b"x" * 60_000, (*COLUMN, 2): 1},
    ),
    "has texts of NUL and broken UTF-8": HostileDevice(
        with_values((ber.OCTETS, b"\0\xc3\x28\xed\xa0\x80"), number(1)),
        operation=get,
        error=None,
        gives={(*COLUMN, 1): b"\0\xc3\x28\xed\xa0\x80", (*COLUMN, 2): 1},
    ),
    "sends empty datagrams": HostileDevice(lambda asked: [b""] * 3, error=Exception),
    "sends single octets": HostileDevice(lambda asked: [b"\x30"] * 3, error=Exception),
    "sends sequences 10,000 deep": HostileDevice(lambda asked: [nested(10_000)], error=Exception),
    "adds noise to its answers": HostileDevice(
        lambda asked: [Table(dict([row(1)])).answer(asked) + b"\xff" * 500], error=None, gives={(1,): 1}
    ),
    "claims two gigabytes": HostileDevice(
        changed(b"\x04\x01x", b"\x04\x84\x7f\xff\xff\xffx"), error=Exception
    ),
    "has request numbers without octets": HostileDevice(
        lambda asked: [reply(asked, [row(1)]).replace(b"\x02\x01\x00", b"\x02\x00", 1)], error=Exception
    ),
    "answers with reports": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked), kind=0xA8)], text="no v2c response"
    ),
    "answers with traps": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked), kind=0xA7)], text="no v2c response"
    ),
    "answers in a later version": HostileDevice(
        lambda asked: [reply(asked, rows_after(asked), version=9)], error=Exception
    ),
    "fails in general": HostileDevice(lambda asked: [reply(asked, [], status=5)], text="error-status 5"),
    "fails with an unknown status": HostileDevice(
        lambda asked: [reply(asked, [], status=255, index=1)], text="error-status 255"
    ),
    "fails with a negative status": HostileDevice(
        lambda asked: [reply(asked, [], status=-1, index=-1)], error=Exception
    ),
    "is at its end everywhere": HostileDevice(
        lambda asked: [reply(asked, [(name, END) for name in asked.names])], error=None, gives={}
    ),
    "has no instance of anything": HostileDevice(
        lambda asked: [reply(asked, [(name, NO_INSTANCE) for name in asked.names])],
        operation=poll,
        error=None,
        gives={},
    ),
    "answers with half of the objects": HostileDevice(
        lambda asked: [reply(asked, first_of(asked.names[0]))], operation=get, error=Exception
    ),
    "answers in another order": HostileDevice(
        lambda asked: [reply(asked, first_of(*reversed(asked.names)))], operation=get, error=Exception
    ),
}


def good_table() -> Table:
    return Table(dict([row(1), row(2), *(row(index, NEXT_COLUMN) for index in range(1, 50))]))
