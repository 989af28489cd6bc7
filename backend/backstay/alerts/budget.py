"""Time limits of a round's parts: one that takes too long is ended, and the others are evaluated."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

RULE_S = 4.0
"""Of one rule at one site: less than the 5 s that others wait for the site's incidents."""
STEP_S = 15.0
"""Of one step before the rules: links from evidence, freshness."""
ROUND_S = 12.0
"""Of all rules of one site. With less than `RULE_S` left, the remaining rules wait for the next round."""


class BudgetExceededError(KeyboardInterrupt):
    """The time is over.

    psycopg cancels a running statement, and so keeps its connection usable, only for a KeyboardInterrupt.
    Rules that catch `Exception` do not catch it.
    """


class Stopwatch:
    """Time left of a budget in seconds."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return self._end - time.monotonic()


@contextmanager
def limited_to(seconds: float) -> Iterator[None]:
    """Raise `BudgetExceededError` in the block when its time is over.

    Python interrupts only the main thread, in which Celery's workers run tasks. In other threads (the
    ingest's) the error follows the block; there PostgreSQL's `statement_timeout` ends each statement.
    """
    started = time.monotonic()
    if threading.current_thread() is not threading.main_thread():
        yield
        if time.monotonic() - started > seconds:
            raise BudgetExceededError
        return
    handler = signal.signal(signal.SIGALRM, _interrupt)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(outer - (time.monotonic() - started), 0.001))


def _interrupt(_: int, __: FrameType | None) -> None:
    raise BudgetExceededError
