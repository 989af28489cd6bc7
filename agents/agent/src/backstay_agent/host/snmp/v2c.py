"""A session of SNMPv2c with our own engine.

Walks are protected against broken and hostile agents: OIDs must grow strictly (RFC 3416, section 4.2.2), at
most 100,000 variables, at most 30 seconds. A request that is too big for an agent is split in halves.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import is_

import numpy as np
from numpy.typing import NDArray

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.message import Answer, Request
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.response_template import ResponseTemplate, end_to_end, first_look, template_of
from backstay_agent.host.snmp.udp import Peer
from backstay_agent.host.snmp.values import Observer, Oid, PollLimits, Rows, SnmpError, Value
from backstay_agent.host.snmp.walk import Walks
from backstay_agent.host.snmp.walk_cache import WalkCache, WalkStep, step
from backstay_wire import SnmpSource, SnmpV2c

_TOO_BIG = 1
_KEPT = 8
"""Number of polls whose requests and layouts are cached."""
_STEPS = 64
"""Requests of a cached walk; longer ones are of tables that change all the time."""


@dataclass(slots=True, eq=False)
class _Part:
    """A part of a poll's objects: one request."""

    names: list[bytes]
    request: Request
    layout: ResponseTemplate | None = None


class _Poll:
    """Several requests that are sent together, repeatedly."""

    def __init__(self, questions: Sequence[Sequence[Oid]], parts: list[_Part]) -> None:
        self.questions = questions
        self.parts = parts
        self._layout: ResponseTemplate | None = None
        ends = list(accumulate(map(len, questions)))
        self._shares = [slice(end - len(oids), end) for oids, end in zip(questions, ends, strict=True)]
        self._present: list[NDArray[np.bool_]] = []

    def is_of(self, questions: Sequence[Sequence[Oid]]) -> bool:
        """Whether it consists of exactly these requests."""
        return len(questions) == len(self.questions) and all(map(is_, questions, self.questions))

    def readings(self, answers: Sequence[bytes]) -> list[Readings] | None:
        """The values of the parts' responses; None if any of them has another layout than the template."""
        numbers = self._layout.numbers(b"".join(answers)) if self._layout is not None else None
        if numbers is None:
            return None
        return [
            Readings(oids, numbers[share], present)
            for oids, share, present in zip(self.questions, self._shares, self._present, strict=True)
        ]

    def learn(self) -> None:
        """Combine the parts' layouts."""
        self._layout = end_to_end([part.layout for part in self.parts if part.layout is not None])
        self._present = [self._layout.present[share] for share in self._shares]


class _Decoding:
    """Data that is not SNMP is the device's fault: an SnmpError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BerError):
            raise SnmpError(f"the device's answer is broken: {error}") from error


class V2cSession:
    """Requests to one device (see interface.Session)."""

    def __init__(self, source: SnmpSource, limits: PollLimits, observe: Observer | None = None) -> None:
        assert isinstance(source.access, SnmpV2c)
        self._community = source.access.community.get_secret_value().encode()
        self._head = message.answer_head(self._community)
        self._limits = limits
        self._observe = observe
        self._per_request = limits.get_variables
        self._per_poll = limits.poll_variables
        self._polls: list[_Poll] = []
        self._walks: dict[tuple[Oid, ...], WalkCache] = {}
        self._interrupted = Walks(limits, time.monotonic)
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
                        if self._observe is not None:
                            self._observe(oid, variable.tag, value)
        return found

    async def walk(self, columns: Sequence[Oid]) -> Rows:
        """See Session."""
        # Dropped until this walk is over: a request that makes it fail is not repeated.
        known = self._walks.pop(tuple(columns), None)
        answers = await self._repeat(known) if known is not None else []
        if known is not None and known.is_repeated_by(answers):
            self._walks[tuple(columns)] = known
            return known.found
        ahead = known.by_request(answers) if known is not None else {}
        steps: list[WalkStep] = []
        with self._interrupted.of(columns) as walk:
            is_whole = not walk.is_begun
            while heads := walk.heads():
                names = [ber.encode_oid(oid) for oid in heads]
                repetitions = max(1, self._per_request // len(heads))
                asked = message.request(message.BULK, self._community, names, 0, repetitions)
                data = ahead.get(asked) or await self._peer.ask(asked)
                with _Decoding():
                    answer = message.answer(data)
                    if self._is_too_big(answer, repetitions * len(heads), len(heads)):
                        continue
                    values = [(message.name(v), message.value(data, v)) for v in answer.variables]
                    beyond = walk.take(values)
                self._observe_all(answer, values, beyond)
                steps.append(step(asked, data, answer, beyond))
        if is_whole and len(steps) <= _STEPS:
            self._walks[tuple(columns)] = WalkCache(steps, walk.found)
        return walk.found

    def _observe_all(
        self, answer: Answer, values: Sequence[tuple[Oid, Value | None]], beyond: Sequence[int]
    ) -> None:
        """Pass on the objects of a walk's response, except for those at the places `beyond`."""
        if self._observe is None:
            return
        outside = frozenset(beyond)
        for place, (oid, value) in enumerate(values):
            if value is not None and place not in outside:
                self._observe(oid, answer.variables[place].tag, value)

    async def _repeat(self, known: WalkCache) -> list[bytes]:
        """The device's responses to the requests of an earlier walk."""
        try:
            async with asyncio.timeout(self._limits.walk_s):
                return await self._peer.ask_all([step.request for step in known.steps])
        except TimeoutError as error:
            raise SnmpError(f"the walk was not over after {self._limits.walk_s:g} s") from error

    async def poll(self, *questions: Sequence[Oid]) -> list[Readings]:
        """See Session. All requests are in flight together."""
        if not any(questions):
            return [Readings.of({}) for _ in questions]
        poll = self._prepared(questions)
        answers = await self._peer.ask_all([part.request for part in poll.parts])
        readings = poll.readings(answers)
        if readings is None:
            readings = poll.readings(await self._look_anew(poll, answers))
        assert readings is not None
        return readings

    async def _look_anew(self, poll: _Poll, answers: Sequence[bytes]) -> list[bytes]:
        """Decode the responses whose layout differs from the previous one, so that the poll knows all
        layouts. A request that is too big for the device is repeated in halves: returns every part's
        response."""
        fresh = list(zip(poll.parts, answers, strict=True))
        settled: dict[_Part, bytes] = {}
        while fresh:
            halves: list[_Part] = []
            with _Decoding():
                for part, data in fresh:
                    if self._settle(part, data):
                        settled[part] = data
                    else:
                        halves += self._halve(poll, part)
            answers = await self._peer.ask_all([half.request for half in halves]) if halves else []
            fresh = list(zip(halves, answers, strict=True))
        poll.learn()
        return [settled[part] for part in poll.parts]

    def _settle(self, part: _Part, data: bytes) -> bool:
        """Learn the layout of a part's response; False if it is too big for the device."""
        if part.layout is None or not part.layout.fits(data):
            answer = first_look(data, part.names)
            if self._is_too_big(answer, len(part.names)):
                return False
            part.layout = template_of(data, answer)
        return True

    def _prepared(self, questions: Sequence[Sequence[Oid]]) -> _Poll:
        for poll in self._polls:
            if poll.is_of(questions):
                return poll
        names = [ber.encode_oid(oid) for oids in questions for oid in oids]
        step = self._per_poll
        parts = [self._part(names[start : start + step]) for start in range(0, len(names), step)]
        poll = _Poll(questions, parts)
        self._polls = [poll, *self._polls[: _KEPT - 1]]
        return poll

    def _part(self, names: list[bytes]) -> _Part:
        return _Part(names, message.request(message.GET, self._community, names))

    def _halve(self, poll: _Poll, part: _Part) -> list[_Part]:
        middle = len(part.names) // 2
        halves = [self._part(part.names[:middle]), self._part(part.names[middle:])]
        place = poll.parts.index(part)
        poll.parts[place : place + 1] = halves
        self._per_poll = max(1, min(self._per_poll, len(halves[-1].names)))
        return halves

    def _is_too_big(self, answer: Answer, asked: int, least: int = 1) -> bool:
        """Whether to request less. Raises SnmpError for other errors, and if less is impossible."""
        if not answer.status:
            return False
        if answer.status != _TOO_BIG:
            raise SnmpError(f"error-status {answer.status} for variable {answer.index}")
        if asked <= least:
            raise SnmpError("the device finds the smallest answer too big")
        self._per_request = max(1, min(self._per_request, asked) // 2)
        return True
