"""Polling until something has ended, across short outages.

A change may cut the path to Backstay for a while until the guards restore it. So missing answers
are tolerated for longer than the usual guard timers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from backstay_cli.errors import Unreachable

T = TypeVar("T")
EACH_S = 0.5
PATIENCE_S = 180.0


def until(
    read: Callable[[], T],
    ended: Callable[[T], bool],
    *,
    show: Callable[[T], None],
    silent: Callable[[Unreachable], None],
    pause: Callable[[T | None], None] = lambda _: time.sleep(EACH_S),
    clock: Callable[[], float] = time.monotonic,
    patience_s: float = PATIENCE_S,
) -> T:
    """The final value. `pause` receives the newest one and may act on it.

    Raises `Unreachable` after `patience_s` seconds without an answer.
    """
    newest: T | None = None
    last_answer = clock()
    while True:
        try:
            newest = read()
        except Unreachable as error:
            if clock() - last_answer > patience_s:
                raise
            silent(error)
        else:
            last_answer = clock()
            show(newest)
            if ended(newest):
                return newest
        pause(newest)
