"""A session of SNMPv2c over our own engine.

Walks are guarded against broken and hostile agents: OIDs must grow strictly (RFC 3416, section 4.2.2), at
most 100,000 variables, at most 30 seconds. What an agent finds too big is asked for in halves.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.layout import Layout, first_look, layout_of
from backstay_agent.host.snmp.message import Answer, Request
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.udp import Peer
from backstay_agent.host.snmp.values import Limits, Oid, SnmpError, Value
from backstay_agent.host.snmp.walk import Walk
from backstay_wire import SnmpSource, SnmpV2c

_TOO_BIG = 1
_KEPT = 8
"""Polls whose requests and layouts are remembered."""


@dataclass(slots=True)
class _Part:
    """Some of a poll's objects: one request."""

    start: int
    stop: int
    names: list[bytes]
    request: Request
    layout: Layout | None = None


@dataclass(slots=True)
class _Poll:
    """A poll as it is asked each time."""

    oids: Sequence[Oid]
    parts: list[_Part] = field(default_factory=list)


class _Decoding:
    """What is no SNMP is the device's fault: an SnmpError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BerError):
            raise SnmpError(f"the device's answer is broken: {error}") from error


def _nothing(oids: Sequence[Oid]) -> Readings:
    return Readings(oids, np.zeros(len(oids), dtype=np.uint64), np.zeros(len(oids), dtype=np.bool_))


class V2cSession:
    """Requests to one device (see values.Session)."""

    def __init__(self, source: SnmpSource, limits: Limits) -> None:
        assert isinstance(source.access, SnmpV2c)
        self._community = source.access.community.get_secret_value().encode()
        self._head = message.answer_head(self._community)
        self._limits = limits
        self._per_request = limits.get_variables
        self._per_poll = limits.poll_variables
        self._polls: list[_Poll] = []
        self._peer = Peer(
            source.address,
            source.port,
            timeout_s=source.timeout_s,
            retries=source.retries,
            limits=limits,
            number_of=self._number_of,
        )

    def _number_of(self, data: bytes) -> int:
        number = message.quick_number(data, self._head)
        return message.number_of(data, self._community) if number is None else number

    def close(self) -> None:
        """Close the socket."""
        self._peer.close()

    async def get(self, oids: Sequence[Oid]) -> dict[Oid, Value]:
        """See Session."""
        found: dict[Oid, Value] = {}
        rest = list(oids)
        while rest:
            now, rest = rest[: self._per_request], rest[self._per_request :]
            names = [ber.encode_oid(oid) for oid in now]
            data = await self._peer.ask(message.request(message.GET, self._community, names))
            with _Decoding():
                answer = first_look(data, names)
                if self._is_too_big(answer, len(now)):
                    rest = now + rest
                    continue
                for oid, variable in zip(now, answer.variables, strict=True):
                    value = message.value(data, variable)
                    if value is not None:
                        found[oid] = value
        return found

    async def walk(self, columns: Sequence[Oid]) -> dict[Oid, dict[Oid, Value]]:
        """See Session."""
        walk = Walk(columns, self._limits, time.monotonic)
        while heads := walk.heads():
            names = [ber.encode_oid(oid) for oid in heads]
            repetitions = max(1, self._per_request // len(heads))
            asked = message.request(message.BULK, self._community, names, 0, repetitions)
            data = await self._peer.ask(asked)
            with _Decoding():
                answer = message.answer(data)
                if self._is_too_big(answer, repetitions * len(heads), len(heads)):
                    continue
                walk.take([(message.name(v), message.value(data, v)) for v in answer.variables])
        return walk.found

    async def poll(self, *questions: Sequence[Oid]) -> list[Readings]:
        """See Session. All requests of all questions are under way together."""
        polls = [self._prepared(oids) for oids in questions]
        found = [_nothing(poll.oids) for poll in polls]
        rest = [(poll, into, part) for poll, into in zip(polls, found, strict=True) for part in poll.parts]
        while rest:
            answers = await self._peer.ask_all([part.request for _, _, part in rest])
            again: list[tuple[_Poll, Readings, _Part]] = []
            with _Decoding():
                for (poll, into, part), data in zip(rest, answers, strict=True):
                    if not self._read(part, data, into):
                        again += [(poll, into, half) for half in self._halve(poll, part)]
            rest = again
        return found

    def _read(self, part: _Part, data: bytes, into: Readings) -> bool:
        """Put a part's numbers into their places; False when the device finds its answer too big."""
        numbers = part.layout.numbers(data) if part.layout is not None else None
        if numbers is None:
            answer = first_look(data, part.names)
            if self._is_too_big(answer, len(part.names)):
                return False
            part.layout = layout_of(data, answer)
            numbers = part.layout.numbers(data)
        assert part.layout is not None
        assert numbers is not None
        into.values_[part.start : part.stop] = numbers
        into.present[part.start : part.stop] = part.layout.present
        return True

    def _prepared(self, oids: Sequence[Oid]) -> _Poll:
        for poll in self._polls:
            if poll.oids is oids:
                return poll
        poll = _Poll(oids)
        step = self._per_poll
        for start in range(0, len(oids), step):
            names = [ber.encode_oid(oid) for oid in oids[start : start + step]]
            poll.parts.append(self._part(start, names))
        self._polls = [poll, *self._polls[: _KEPT - 1]]
        return poll

    def _part(self, start: int, names: list[bytes]) -> _Part:
        request = message.request(message.GET, self._community, names)
        return _Part(start, start + len(names), names, request)

    def _halve(self, poll: _Poll, part: _Part) -> list[_Part]:
        middle = len(part.names) // 2
        halves = [
            self._part(part.start, part.names[:middle]),
            self._part(part.start + middle, part.names[middle:]),
        ]
        place = poll.parts.index(part)
        poll.parts[place : place + 1] = halves
        self._per_poll = max(1, min(self._per_poll, len(halves[-1].names)))
        return halves

    def _is_too_big(self, answer: Answer, asked: int, least: int = 1) -> bool:
        """Whether to ask for less. Raises SnmpError for other errors, and when there is no less."""
        if not answer.status:
            return False
        if answer.status != _TOO_BIG:
            raise SnmpError(f"error-status {answer.status} for variable {answer.index}")
        if asked <= least:
            raise SnmpError("the device finds the smallest answer too big")
        self._per_request = max(1, min(self._per_request, asked) // 2)
        return True
