"""A limit of calls by client, of this process: a bucket of tokens that refills at a constant rate."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from backstay.core.errors import TooMany

MOST_CLIENTS = 10_000
"""Of which the limit remembers the calls; the one that called longest ago is forgotten first."""


class RateLimit:
    """Of each client, `burst` calls at once and `per_s` a second."""

    def __init__(self, *, burst: float, per_s: float, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._per_s, self._clock_s = burst, per_s, clock_s
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        """Client -> calls that are left, and when that was (monotonic seconds)."""
        self._lock = threading.Lock()

    def require(self, *client: Hashable) -> None:
        """Raise TooMany unless the client has a call left."""
        with self._lock:
            left = self._left(client)
        if left < 1.0:
            raise TooMany("Too many requests: wait.", retry_after_s=(1.0 - left) / self._per_s)

    def spend(self, *client: Hashable) -> None:
        """Count a call."""
        with self._lock:
            self._buckets[client] = (max(self._left(client) - 1.0, 0.0), self._clock_s())
            self._buckets.move_to_end(client)
            while len(self._buckets) > MOST_CLIENTS:
                self._buckets.popitem(last=False)

    def _left(self, client: Hashable) -> float:
        left, at_s = self._buckets.get(client, (self._burst, 0.0))
        return min(self._burst, left + (self._clock_s() - at_s) * self._per_s)
