"""A walk over columns of tables, independent of the transport: where to continue, what to keep, when to
stop."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from backstay_agent.host.snmp.values import (
    Oid,
    PollLimits,
    SnmpError,
    SnmpTimeoutError,
    Value,
    WalkTimeLimitError,
)

_MOST_HOLES = 10_000
"""Cells without a value in one walk: an agent with more counts up without end."""


class Walk:
    """Columns that are walked together. Raises SnmpError as soon as the device misbehaves or takes too
    long."""

    def __init__(self, columns: Sequence[Oid], limits: PollLimits, now: Callable[[], float]) -> None:
        """`now` gives monotonic seconds."""
        self.found: dict[Oid, dict[Oid, Value]] = {column: {} for column in columns}
        self._last = {column: column for column in columns}
        self._columns = list(columns)
        self._limits = limits
        self._now = now
        self._started = now()
        self._deadline = self._started + limits.walk_s
        self._count = 0
        self._holes = 0

    @property
    def is_begun(self) -> bool:
        """Whether the device has answered any of its requests."""
        return self._count > 0

    def resume(self) -> bool:
        """Allow as much time again; False if the rows read so far are too old to be continued."""
        now = self._now()
        self._deadline = now + self._limits.walk_s
        return now - self._started <= self._limits.resume_s

    def heads(self) -> list[Oid]:
        """The names whose successors to request; none if all columns are complete."""
        if self._now() > self._deadline:
            rows = sum(map(len, self.found.values()))
            raise WalkTimeLimitError(
                f"the walk was not over after {self._limits.walk_s:g} s, with {rows} values; it continues"
            )
        self._columns = list(self._last)
        return [self._last[column] for column in self._columns]

    def take(self, variables: Sequence[tuple[Oid, Value | None]]) -> list[int]:
        """Process the device's response to `heads()`, row by row; None is the end of its tables, or, with
        the name of a further row, a cell without a value. An empty response ends the walk: there is nothing
        after the requested names. Returns the positions of variables outside the columns."""
        self._count += len(variables)
        if self._count > self._limits.walk_variables:
            raise SnmpError(f"the walk did not end within {self._limits.walk_variables} variables")
        if not variables:
            self._last.clear()
        width = len(self._columns)
        return [
            place
            for place, (oid, value) in enumerate(variables)
            if not self._take(self._columns[place % width], oid, value)
        ]

    def _take(self, column: Oid, oid: Oid, value: Value | None) -> bool:
        last = self._last.get(column)
        if last is None:
            return False
        if oid[: len(column)] != column or (value is None and not self._is_hole(column, oid)):
            # Anything may follow a column, even the tree's beginning: the column is complete.
            del self._last[column]
            return False
        if oid <= last:
            raise SnmpError("the device's OIDs do not increase: the walk would never end")
        self._last[column] = oid
        if value is not None:
            self.found[column][oid[len(column) :]] = value
        return True

    def _is_hole(self, column: Oid, oid: Oid) -> bool:
        """Whether a missing value is a cell of a further row: some agents return NULL or noSuchInstance
        for it. endOfMibView has the name of the row before (RFC 3416, section 4.2.3)."""
        self._holes += 1
        return oid > self._last[column] and self._holes <= _MOST_HOLES


class Walks:
    """The interrupted walks of one device: a slow device, or one busy machine, never loses a long walk as a
    whole."""

    def __init__(self, limits: PollLimits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._interrupted: dict[tuple[Oid, ...], Walk] = {}

    @contextmanager
    def of(self, columns: Sequence[Oid]) -> Iterator[Walk]:
        """The interrupted walk over these columns, else a new one. It is kept if the block is interrupted by
        a time limit or a lost answer, and dropped after any other error: the device misbehaves."""
        key = tuple(columns)
        walk = self._interrupted.pop(key, None)
        if walk is None or not walk.resume():
            walk = Walk(columns, self._limits, self._now)
        try:
            yield walk
        except (WalkTimeLimitError, SnmpTimeoutError):
            self._interrupted[key] = walk
            raise
