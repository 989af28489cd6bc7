"""Start of a test: the backend's time by this host's clocks, and how late the start was. Pure."""

from dataclasses import dataclass

from backstay_agent.host.clock import Clock
from backstay_wire import ClockReading


@dataclass(frozen=True, slots=True)
class StartTime:
    """A time of the backend's clock converted to this host's clocks."""

    wall_ns: int
    monotonic_ns: int
    error_ns: int | None
    """Error of the backend's clock; None: unknown."""

    def late_us(self, wall_ns: int) -> int:
        """How long after it something happened, negative before it."""
        return (wall_ns - self.wall_ns) // 1000


def start_time_of(start_at_ns: int, clock: Clock, reading: ClockReading | None) -> StartTime:
    """The start time, from the known offset of the clocks.

    An offset that may be zero is treated as zero: clocks that both follow a time server agree better than a
    request's round trip can measure.
    """
    offset = reading.offset_ns if reading is not None and abs(reading.offset_ns) > reading.error_ns else 0
    wall = start_at_ns + offset
    error = reading.error_ns if reading is not None else None
    return StartTime(wall, clock.monotonic_ns() + wall - clock.wall_ns(), error)
