"""When a test begins: the backend's moment by this host's clocks, and how late the beginning was. Pure."""

from dataclasses import dataclass

from backstay_agent.host.clock import Clock
from backstay_wire import ClockReading


@dataclass(frozen=True, slots=True)
class StartTime:
    """A moment of the backend's clock as this host will live it."""

    wall_ns: int
    monotonic_ns: int
    error_ns: int | None
    """The backend's clock is known no better; None: not at all."""

    def late_us(self, wall_ns: int) -> int:
        """How long after it something was, negative before it."""
        return (wall_ns - self.wall_ns) // 1000


def start_time_of(start_at_ns: int, clock: Clock, reading: ClockReading | None) -> StartTime:
    """The moment, by what is known of the clocks' offset.

    An offset that may be nothing is taken for nothing: clocks that both follow a time server agree better
    than a request's round trip can measure.
    """
    offset = reading.offset_ns if reading is not None and abs(reading.offset_ns) > reading.error_ns else 0
    wall = start_at_ns + offset
    error = reading.error_ns if reading is not None else None
    return StartTime(wall, clock.monotonic_ns() + wall - clock.wall_ns(), error)
