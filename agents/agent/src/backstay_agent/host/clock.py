"""The two clocks, kept separate: wall time stamps a report, monotonic time measures a duration."""

import time
from typing import Protocol


class Clock(Protocol):
    """Nanoseconds of both clocks; tests use one that they advance by hand."""

    def monotonic_ns(self) -> int:
        """Never goes back; comparable only within one boot of the host."""

    def wall_ns(self) -> int:
        """Since the Unix epoch, by the host's clock."""


class HostClock:
    """CLOCK_MONOTONIC and CLOCK_REALTIME. asyncio's timers run on the former too."""

    def monotonic_ns(self) -> int:
        """See Clock."""
        return time.monotonic_ns()

    def wall_ns(self) -> int:
        """See Clock."""
        return time.time_ns()
