"""The request to stop: set by a signal, checked wherever the supervisor waits.

A polled flag instead of an exception from the handler: an exception between starting and recording a
process would leave that process behind.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from types import FrameType

from backstay_lab.demo.errors import Interrupted

TICK_S = 0.05


class Stopping:
    """The stop request, and waits that it interrupts."""

    def __init__(self) -> None:
        self.requested = ""
        """Name of the signal that requested the stop; empty without a request."""

    def listen(self) -> None:
        """Treat SIGINT, SIGTERM and SIGHUP (a closed terminal) as a request to stop."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._asked)

    def _asked(self, number: int, _frame: FrameType | None) -> None:
        self.requested = self.requested or signal.Signals(number).name

    def check(self) -> None:
        """Raise Interrupted if a stop was requested."""
        if self.requested:
            raise Interrupted(self.requested)

    def sleep(self, seconds: float) -> None:
        """Sleep, but at most one tick longer than the request to stop."""
        self.wait(lambda: False, seconds)

    def wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Whether `done` became true within `seconds`; raises Interrupted on a stop request."""
        deadline = time.monotonic() + seconds
        while not done():
            self.check()
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(TICK_S, left))
        return True
