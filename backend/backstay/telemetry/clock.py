"""Whose clock said so: from an agent's times to ours. Pure; all times are nanoseconds since the Unix epoch.

An agent stamps its reports by its own clock and each request with the moment it left. The difference to
the moment it arrived is the clock's offset (plus the way, which is milliseconds). A small offset is left
alone, so that the samples of one device keep their exact distances; a large one is taken off, so that a host
whose clock is a year ahead still has its samples where they belong. A backlog keeps its own times either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

SECOND = 1_000_000_000
DAY = 86_400 * SECOND
TOLERATED_OFFSET = 2 * SECOND
"""Offsets up to this are not corrected, and a change up to this is not a step."""
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


@dataclass(frozen=True, slots=True)
class Correction:
    """How one batch's times become ours."""

    received_ns: int
    """By our clock."""
    offset_ns: int
    """The agent's clock minus ours."""
    shift_ns: int
    """What is taken off each of the agent's times."""

    @classmethod
    def of(cls, sent_ns: int, received_ns: int) -> Correction:
        """From when the batch says it left and when it arrived."""
        offset_ns = sent_ns - received_ns
        return cls(received_ns, offset_ns, offset_ns if abs(offset_ns) > TOLERATED_OFFSET else 0)

    @property
    def offset_ms(self) -> float:
        """The offset for people."""
        return self.offset_ns / 1e6

    def ours(self, at_ns: int) -> int:
        """The agent's time by our clock."""
        return at_ns - self.shift_ns

    def is_future(self, at_ns: int) -> bool:
        """More than ten minutes ahead of the batch itself: no offset explains that."""
        return self.ours(at_ns) > self.received_ns + MAX_AHEAD

    def heard_ns(self, at_ns: int) -> int:
        """When the device was last known to answer: now for news, its own time for a backlog."""
        ours = self.ours(at_ns)
        return self.received_ns if self.received_ns - ours < NEWS else ours


def stepped(offset_ms: float, before_ms: float) -> bool:
    """Whether a clock was set between two looks at it."""
    return abs(offset_ms - before_ms) * 1e6 > TOLERATED_OFFSET
