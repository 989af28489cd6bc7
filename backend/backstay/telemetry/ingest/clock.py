"""Whose clock said so: from an agent's times to ours. Pure; all times are nanoseconds since the Unix epoch.

An agent stamps its reports by its own clock, and bounds its clock's offset from ours by the requests that we
answered (wire: ClockReading). Before the first answer, and after its clock was set, the moment at which the
request left is all there is: it left before it arrived, and no agent waits longer than `LONGEST_WAY`, so only
an offset beyond these is certain. A small offset is left alone, so that the samples of one device keep their
exact distances; a large one is taken off, so that a host whose clock is a year ahead still has its samples
where they belong. A backlog keeps its own times.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

SECOND = 1_000_000_000
DAY = 86_400 * SECOND
TOLERATED_OFFSET = 2 * SECOND
"""Offsets up to this are not corrected."""
MAX_TRANSIT = 15 * SECOND
"""An agent gives a request up sooner: one that seems to have taken longer comes from a clock behind ours."""
MAX_AHEAD = 600 * SECOND
NEWS = 10 * SECOND
"""A report that is older than this on arrival comes from a backlog and says nothing about now."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def nanoseconds(at: datetime) -> int:
    """Nanoseconds since the epoch, exact to the microsecond."""
    return (at - _EPOCH) // timedelta(microseconds=1) * 1000


def moment(at_ns: int) -> datetime:
    """The moment, to the microsecond."""
    return _EPOCH + timedelta(microseconds=at_ns // 1000)


class ClockBound(Protocol):
    """What an agent knows of its clock: its offset from ours, to within `error_ns`."""

    @property
    def offset_ns(self) -> int: ...
    @property
    def error_ns(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Correction:
    """How one batch's times become ours."""

    received_ns: int
    """By our clock."""
    offset_ns: int | None
    """The agent's clock minus ours; None when a slow way would explain what we see as well."""
    error_ns: int = MAX_TRANSIT
    """The true offset is no further from `offset_ns` than this."""

    @classmethod
    def of(cls, sent_ns: int, received_ns: int, bound: ClockBound | None = None) -> Correction:
        """From when the batch says it left, when it arrived, and what the agent knows of its clock."""
        least = sent_ns - received_ns
        if (
            bound is not None
            and bound.error_ns <= TOLERATED_OFFSET
            and least <= bound.offset_ns + bound.error_ns
        ):
            return cls(received_ns, bound.offset_ns, bound.error_ns)
        certain = least > TOLERATED_OFFSET or least < -MAX_TRANSIT
        return cls(received_ns, least if certain else None)

    @property
    def shift_ns(self) -> int:
        """What is taken off each of the agent's times."""
        offset = self.offset_ns or 0
        return offset if abs(offset) > TOLERATED_OFFSET else 0

    @property
    def offset_ms(self) -> float | None:
        """The offset for people."""
        return None if self.offset_ns is None else self.offset_ns / 1e6

    def ours(self, at_ns: int) -> int:
        """The agent's time by our clock."""
        return at_ns - self.shift_ns

    def is_future(self, at_ns: int) -> bool:
        """More than ten minutes ahead of the batch itself: no offset explains that."""
        return self.ours(at_ns) > self.received_ns + MAX_AHEAD

    def reported_ns(self, at_ns: int) -> int:
        """When the device was last known to answer: now for news, its own time for a backlog."""
        ours = self.ours(at_ns)
        return self.received_ns if self.received_ns - ours < NEWS else ours
