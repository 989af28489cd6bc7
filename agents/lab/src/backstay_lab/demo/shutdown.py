"""The request to stop: set by a signal, checked wherever the supervisor waits.

A flag that is polled, and not an exception thrown from the handler: an exception could come between
starting a process and writing it down, and that process would be left behind.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from types import FrameType

from backstay_lab.demo.errors import Interrupted

TICK_S = 0.05


class Stopping:
    """Whether to stop, and waiting that notices it."""

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
        """Raise Interrupted if stop was asked for."""
        if self.requested:
            raise Interrupted(self.requested)

    def sleep(self, seconds: float) -> None:
        """Sleep, but at most one tick longer than the request to stop."""
        self.wait(lambda: False, seconds)

    def wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Whether `done` came true within `seconds`; raises Interrupted when stop was asked for first."""
        deadline = time.monotonic() + seconds
        while not done():
            self.check()
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(TICK_S, left))
        return True
