"""Sign-in attempts: ten failures for one name from one address in five minutes, then a pause.

Failures are counted in Redis for all processes. While Redis is unreachable each process counts by itself, so
that sign-in is neither unlimited nor blocked.
"""

import hashlib
import time
from contextlib import suppress

import redis
from django.conf import settings

from backstay.core.errors import TooMany
from backstay.live import bus

MOST_FAILURES = 10
WINDOW_S = 300
MOST_REMEMBERED = 10_000


class Failures:
    """Failures of this process only, by key: (count, when the window ends)."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}

    def count(self, key: str, now: float) -> int:
        """Failures within the window."""
        number, until = self._counts.get(key, (0, now))
        return number if now < until else 0

    def add(self, key: str, now: float) -> None:
        """Count a failure; a full table drops expired windows first, then everything."""
        number = self.count(key, now)
        until = self._counts[key][1] if number else now + WINDOW_S
        if len(self._counts) >= MOST_REMEMBERED:
            self._counts = {item: counted for item, counted in self._counts.items() if now < counted[1]}
        if len(self._counts) >= MOST_REMEMBERED:
            self._counts.clear()
        self._counts[key] = (number + 1, until)

    def forget(self, key: str) -> None:
        """Reset after a successful sign-in."""
        self._counts.pop(key, None)


_own = Failures()


def check(username: str, address: str) -> None:
    """Raise TooMany if this name may not be tried from this address."""
    key, now = _key(username, address), time.monotonic()
    failures = _own.count(key, now)
    with suppress(redis.RedisError):
        failures = max(failures, int(bus.client(settings.REDIS_URL).get(key) or 0))
    if failures >= MOST_FAILURES:
        raise TooMany("Too many failed attempts: wait five minutes.", retry_after_s=WINDOW_S)


def failed(username: str, address: str) -> None:
    """Count a failure."""
    key = _key(username, address)
    _own.add(key, time.monotonic())
    with suppress(redis.RedisError):
        pipeline = bus.client(settings.REDIS_URL).pipeline()
        pipeline.incr(key)
        pipeline.expire(key, WINDOW_S, nx=True)
        pipeline.execute()


def succeeded(username: str, address: str) -> None:
    """Reset the failures."""
    key = _key(username, address)
    _own.forget(key)
    with suppress(redis.RedisError):
        bus.client(settings.REDIS_URL).delete(key)


def _key(username: str, address: str) -> str:
    """Names are hashed, because users sometimes type passwords into the wrong field."""
    digest = hashlib.sha256(f"{username.casefold()}\n{address}".encode("utf-8", "surrogatepass"))
    return f"backstay:sign-in:{digest.hexdigest()[:32]}"
