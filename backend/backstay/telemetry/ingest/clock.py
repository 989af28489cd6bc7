"""Correction of an agent's times to our clock. Pure; times are nanoseconds since the Unix epoch.

An agent stamps its reports by its own clock and bounds its offset from ours by answered requests (wire:
ClockReading). Before the first answer, and after its clock was set, only the request's departure time is
known: it precedes the arrival by at most `LONGEST_WAY`, the agent's timeout, so only an offset beyond that
range is certain. Small offsets are not corrected, which preserves the exact intervals between a device's
samples; large ones are, so that samples of a host whose clock is a year ahead get the right times. A backlog
keeps its own times.
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
"""Longer than an agent's request timeout: a longer apparent delay means that its clock is behind ours."""
MAX_AHEAD = 600 * SECOND
NEWS = 10 * SECOND
"""A report older than this on arrival comes from a backlog and does not show the current state."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def nanoseconds(at: datetime) -> int:
    """Nanoseconds since the epoch, exact to the microsecond."""
    return (at - _EPOCH) // timedelta(microseconds=1) * 1000


def moment(at_ns: int) -> datetime:
    """The moment, to the microsecond."""
    return _EPOCH + timedelta(microseconds=at_ns // 1000)


class ClockBound(Protocol):
    """An agent's clock offset from ours, to within `error_ns`."""

    @property
    def offset_ns(self) -> int: ...
    @property
    def error_ns(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Correction:
    """Converts one batch's times to our clock."""

    received_ns: int
    """By our clock."""
    offset_ns: int | None
    """The agent's clock minus ours; None if network delay could explain the difference."""
    error_ns: int = MAX_TRANSIT
    """Error bound of `offset_ns`."""

    @classmethod
    def of(cls, sent_ns: int, received_ns: int, bound: ClockBound | None = None) -> Correction:
        """Compute from departure (agent's clock), arrival (our clock), and the agent's own bound."""
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
        """Subtracted from each of the agent's times."""
        offset = self.offset_ns or 0
        return offset if abs(offset) > TOLERATED_OFFSET else 0

    @property
    def offset_ms(self) -> float | None:
        return None if self.offset_ns is None else self.offset_ns / 1e6

    def ours(self, at_ns: int) -> int:
        """The agent's time by our clock."""
        return at_ns - self.shift_ns

    def is_future(self, at_ns: int) -> bool:
        """Whether the time is more than ten minutes after the batch itself, which no offset explains."""
        return self.ours(at_ns) > self.received_ns + MAX_AHEAD

    def reported_ns(self, at_ns: int) -> int:
        """When the device last reported: the arrival for current reports, their own time for a backlog."""
        ours = self.ours(at_ns)
        return self.received_ns if self.received_ns - ours < NEWS else ours
