"""A session that records each object that a device returns, within limits.

Nothing that a device does ends a recording without a result: the tables that it does not return whole, or not
in time, are recorded as far as they were read, and named in `incomplete`.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.values import (
    Observer,
    Oid,
    PollLimits,
    Rows,
    SnmpError,
    SnmpTimeoutError,
    Value,
)
from backstay_agent.recording.snmprec import Record, dotted, line

_LONGEST_LINE = 4000
"""Characters of an object's line: the reader of saved outputs takes 4,096."""
_MOST_SILENCES = 3
"""Requests without an answer, one after the other, after which no more are sent."""
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class RecordingLimits:
    """Where a recording ends."""

    seconds: float = 120.0
    objects: int = 200_000
    octets: int = 15 * 1024 * 1024
    """Below what the reader of saved outputs takes."""


class RecordingEndedError(SnmpError):
    """A limit of the recording is reached; the message names it."""


class RecordingSession:
    """Requests to one device (see interface.SnmpSession); each table is walked once."""

    def __init__(
        self, connect: Callable[[PollLimits, Observer], SnmpSession], limits: RecordingLimits, clock: Clock
    ) -> None:
        """`connect` opens the session whose objects are recorded."""
        self.records: dict[Oid, Record] = {}
        self._incomplete: list[str] = []
        self._long_values = 0
        self._limits = limits
        self._clock = clock
        self._deadline_ns = clock.monotonic_ns() + int(limits.seconds * 1e9)
        self._octets = 0
        self._ended = ""
        self._silences = 0
        self._walked: dict[tuple[Oid, ...], Rows] = {}
        poll_limits = PollLimits(walk_s=limits.seconds, walk_variables=2 * limits.objects)
        self._session = connect(poll_limits, self._observe)

    @property
    def incomplete(self) -> list[str]:
        """What is not whole, one sentence each, without names or addresses."""
        long = f"{self._long_values} objects of more than {_LONGEST_LINE} characters are left out"
        return [*self._incomplete, *([long] if self._long_values else [])]

    def close(self) -> None:
        """Close the socket."""
        self._session.close()

    async def get(self, oids: Sequence[Oid]) -> dict[Oid, Value]:
        """See SnmpSession. Raises SnmpTimeoutError and SnmpError only while nothing is recorded yet."""
        found = await self._attempt(lambda: self._session.get(oids), f"{len(oids)} objects")
        return {} if found is None else found

    async def walk(self, columns: Sequence[Oid]) -> Rows:
        """See SnmpSession; a table that was walked before is not requested again."""
        key = tuple(columns)
        if key not in self._walked:
            rows = await self._attempt(lambda: self._session.walk(columns), f"below {_common(columns)}")
            self._walked[key] = self._recorded(columns) if rows is None else rows
        return self._walked[key]

    async def poll(self, *questions: Sequence[Oid]) -> list[Readings]:
        """See SnmpSession; by a GET, which keeps the objects' types."""
        oids = list(dict.fromkeys(oid for question in questions for oid in question))
        found = await self.get(oids) if oids else {}
        return [readings_of(question, found) for question in questions]

    async def _attempt(self, request: Callable[[], Awaitable[_Result]], what: str) -> _Result | None:
        """The request's result; None if it is not whole, which is then in `incomplete`."""
        if not self._ended:
            try:
                left_ns = self._deadline_ns - self._clock.monotonic_ns()
                async with asyncio.timeout(max(0.0, left_ns / 1e9)):
                    result = await request()
            except TimeoutError:
                self._ended = f"the limit of {self._limits.seconds:g} s"
            except RecordingEndedError as error:
                self._ended = str(error)
            except (SnmpTimeoutError, SnmpError) as error:
                if not self.records:
                    raise
                self._failed(what, error)
                return None
            else:
                self._silences = 0
                return result
        self._incomplete.append(f"{what}: {self._ended}")
        return None

    def _failed(self, what: str, error: Exception) -> None:
        """The text of a timeout has the device's address, which does not belong into a recording."""
        silent = isinstance(error, SnmpTimeoutError)
        self._incomplete.append(f"{what}: {'no answer' if silent else error}")
        self._silences = self._silences + 1 if silent else 0
        if self._silences >= _MOST_SILENCES:
            self._ended = f"no answer to {_MOST_SILENCES} requests in sequence"

    def _observe(self, oid: Oid, tag: int, value: Value) -> None:
        record = Record(oid, tag, value)
        if oid in self.records:
            self.records[oid] = record
            return
        length = len(line(record)) + 1
        if length > _LONGEST_LINE:
            self._long_values += 1
            return
        if len(self.records) >= self._limits.objects:
            raise RecordingEndedError(f"the limit of {self._limits.objects:,} objects")
        if self._octets + length > self._limits.octets:
            raise RecordingEndedError(f"the limit of {self._limits.octets:,} bytes")
        self._octets += length
        self.records[oid] = record

    def _recorded(self, columns: Sequence[Oid]) -> Rows:
        """The rows of a table as far as they are recorded."""
        return rows_of(sorted(self.records.values()), columns)


def rows_of(records: Sequence[Record], columns: Sequence[Oid]) -> Rows:
    """The instances of each column in sorted records: column -> index -> value."""
    found: dict[Oid, dict[Oid, Value]] = {}
    for column in columns:
        first = bisect_left(records, column, key=lambda record: record.oid)
        end = bisect_left(records, (*column[:-1], column[-1] + 1), key=lambda record: record.oid)
        found[column] = {
            record.oid[len(column) :]: record.value
            for record in records[first:end]
            if len(record.oid) > len(column)
        }
    return found


def readings_of(oids: Sequence[Oid], values: Mapping[Oid, Value]) -> Readings:
    """A poll's readings from the values of its objects: numbers of at most 64 bits that are not negative."""
    numbers = np.zeros(len(oids), dtype=np.uint64)
    present = np.zeros(len(oids), dtype=np.bool_)
    for place, oid in enumerate(oids):
        value = values.get(oid)
        if isinstance(value, int) and 0 <= value < 1 << 64:
            numbers[place], present[place] = value, True
    return Readings(oids, numbers, present)


def _common(columns: Sequence[Oid]) -> str:
    """The subtree that has all columns."""
    first, last = min(columns), max(columns)
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return dotted(first[:length])
