"""Offset of the host's clock from the backend's: bounded by each request, best bound kept. Pure.

The backend receives a request after it was sent, and replies before its answer arrives. A slow path
therefore widens the bound and never moves it: load on either side is not mistaken for a clock that was set.
The time that the backend takes to reply does not widen it.
"""

from dataclasses import dataclass, field

from backstay_agent.host.clock import Clock
from backstay_wire import ClockReading

KEEP_NS = 60 * 1_000_000_000
"""A bound older than this is replaced by a newer one, because clocks drift."""
STEP_NS = 100_000_000
"""Wall time that moves this much against the monotonic clock was set; slewing is a thousand times slower."""


@dataclass(frozen=True, slots=True)
class Instant:
    """Both clocks at one moment."""

    wall_ns: int
    monotonic_ns: int

    @classmethod
    def of(cls, clock: Clock) -> "Instant":
        """The current time of both clocks."""
        return cls(clock.wall_ns(), clock.monotonic_ns())


@dataclass(frozen=True, slots=True)
class _Bound:
    reading: ClockReading
    at: Instant


@dataclass(slots=True)
class ClockOffset:
    """The best bound of the last minute, discarded when the host's clock is set."""

    _best: _Bound | None = field(default=None)

    def learn(self, left: Instant, received_ns: int, replied_ns: int, arrived: Instant) -> None:
        """A request was sent, was received and answered at these times of the backend's clock, and its
        answer arrived."""
        if _was_set(left, arrived):
            self._best = None
            return
        low, high = left.wall_ns - received_ns, arrived.wall_ns - replied_ns
        if high < low:
            return  # The backend's clock was set meanwhile.
        reading = ClockReading(offset_ns=(low + high) // 2, error_ns=(high - low + 1) // 2)
        best = self._best
        if best is None or _older(best, arrived) or reading.error_ns <= best.reading.error_ns:
            self._best = _Bound(reading, arrived)

    def reading(self, now: Instant) -> ClockReading | None:
        """The offset as far as known."""
        if self._best is not None and _was_set(self._best.at, now):
            self._best = None
        return self._best.reading if self._best else None


def _older(bound: _Bound, now: Instant) -> bool:
    return now.monotonic_ns - bound.at.monotonic_ns > KEEP_NS


def _was_set(before: Instant, after: Instant) -> bool:
    wall, monotonic = after.wall_ns - before.wall_ns, after.monotonic_ns - before.monotonic_ns
    return abs(wall - monotonic) > STEP_NS
