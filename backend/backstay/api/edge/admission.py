"""Admits as many requests as are served within a short time; a refused sender gets a time of its own.

When all agents start together, more requests arrive than can be served. Without a limit each waits for
longer than its sender does, and the work for it is in vain. So only those are admitted that will be served
within `longest_wait_s` at the present rate. Each other sender is given a place in a virtual queue, one after
the other at that rate: Retry-After is the time until its place is due. From then on it is admitted before all
that have no place: every sender is served in a time proportional to their number, and none is overtaken again
and again.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from backstay.core.errors import Unavailable

EARLY_S = 0.5
"""A sender may be so much before its place."""
KEPT_S = 60.0
"""A place is kept for so long: senders wait for up to a quarter longer than they must."""
FULL_S, MOST_FULL_S = 2.0, 10.0
"""When a sender whose place is due must come again because all is full: at least, at most."""
WINDOW_S, WEIGHT = 0.5, 0.5
"""The rate is measured over so long, and smoothed."""
LEAST_RATE = 5.0


class Admission:
    """Requests that are being served, and the places of the senders that were refused."""

    def __init__(
        self,
        name: str,
        *,
        longest_wait_s: float,
        least: int,
        rate: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`least`: so many are always admitted; `rate`: served per second, before it is measured."""
        self._name, self._clock = name, clock
        self._longest_wait_s, self._least, self._rate = longest_wait_s, least, rate
        self._inside = 0
        self._places: OrderedDict[Hashable, float] = OrderedDict()
        """Sender -> when it is due; in that order."""
        self._last_due_s = -math.inf
        self._measured_since_s: float | None = None
        self._served = self._most_inside = 0

    @contextmanager
    def admitted(self, sender: Hashable) -> Iterator[None]:
        """Serve one request. Unavailable, with the time after which to come again."""
        wait_s = self._wait_s(sender)
        if wait_s > 0:
            raise Unavailable(
                f"More requests than can be served at once ({self._name}); try again.",
                retry_after_s=math.ceil(wait_s),
            )
        self._inside += 1
        self._most_inside = max(self._most_inside, self._inside)
        try:
            yield
        finally:
            self._inside -= 1
            self._measure()

    @property
    def most(self) -> int:
        """Requests that are served at the same time."""
        return max(self._least, round(self._rate * self._longest_wait_s))

    @property
    def rate(self) -> float:
        """Requests served per second when there are more than can be served."""
        return self._rate

    def _wait_s(self, sender: Hashable) -> float:
        """How long the sender must wait; 0: it is admitted."""
        now = self._clock()
        self._forget(now)
        due_s = self._places.get(sender)
        is_due = due_s is not None and now >= due_s - EARLY_S
        # While others have places, a sender that is not due is admitted only if half of all is free.
        if self._inside < (self.most / 2 if self._places and not is_due else self.most):
            self._places.pop(sender, None)
            return 0.0
        if due_s is not None:
            return self._again_s() if is_due else due_s - now
        self._last_due_s = max(self._last_due_s, now + self._longest_wait_s) + 1 / self._rate
        self._places[sender] = self._last_due_s
        return self._last_due_s - now

    def _again_s(self) -> float:
        """When a sender that is due must come again: when half of all that have places will be served."""
        return min(max(len(self._places) / self._rate / 2, FULL_S), MOST_FULL_S)

    def _forget(self, now: float) -> None:
        """Remove the places of senders that did not come."""
        while self._places and next(iter(self._places.values())) < now - KEPT_S:
            self._places.popitem(last=False)

    def _measure(self) -> None:
        """Measure while senders have places. If few requests were inside, the rate is that of the senders:
        then it can only show that more are served.

        Requests of a group end together, so a window begins and ends with one that ends.
        """
        now = self._clock()
        if not self._places:
            self._measured_since_s = None
        elif self._measured_since_s is None:
            self._begin_window(now)
        else:
            self._served += 1
            if (seconds := now - self._measured_since_s) >= WINDOW_S:
                rate = self._served / seconds
                if rate > self._rate or self._most_inside >= self.most / 2:
                    self._rate = max((1 - WEIGHT) * self._rate + WEIGHT * rate, LEAST_RATE)
                self._begin_window(now)

    def _begin_window(self, now: float) -> None:
        self._measured_since_s, self._served, self._most_inside = now, 0, self._inside
