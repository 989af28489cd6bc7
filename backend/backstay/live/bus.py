"""The two Redis streams, and a client with short timeouts.

`backstay:live:facts` holds events and notices in order; clients resume from it.
`backstay:live:samples` names nodes with new samples; only connected clients need it.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

from backstay.live.redis_sentinel import SentinelAddress

FACTS = "backstay:live:facts"
SAMPLES = "backstay:live:samples"
MAX_FACTS = 10_000
MAX_SAMPLES = 1_000
TIMEOUT_S = 0.05
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 2.0

log = logging.getLogger(__name__)


@functools.cache
def client(url: str) -> redis.Redis:
    """The process's connection pool for publishing; every call ends within 50 ms, without a retry.

    With Sentinels, a new connection waits as long for each of them that is unreachable.
    """
    limits: dict[str, Any] = {"socket_timeout": TIMEOUT_S, "socket_connect_timeout": TIMEOUT_S}
    once: dict[str, Any] = {**limits, "decode_responses": True, "retry": Retry(NoBackoff(), 0)}
    address = SentinelAddress.parse(url)
    if address is None:
        return redis.Redis.from_url(url, **once)
    secret = address.password or None
    sentinels: Any = Sentinel  # redis-py has no types here.
    known = sentinels(
        address.sentinels, sentinel_kwargs={**limits, "password": secret, "retry": once["retry"]}
    )
    return cast(redis.Redis, known.master_for(address.service, db=address.database, password=secret, **once))


class Breaker:
    """Circuit breaker: skips Redis for a while after a failure, so that requests do not wait for timeouts."""

    def __init__(self) -> None:
        self._until = 0.0
        self._pause = FIRST_PAUSE_S

    def is_open(self, now: float) -> bool:
        """Whether Redis is skipped at `now` (monotonic seconds)."""
        return now < self._until

    def failed(self, now: float) -> None:
        """Skip Redis for twice as long as before, at most two seconds."""
        self._until = now + self._pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE_S)

    def worked(self) -> None:
        self._pause = FIRST_PAUSE_S


breaker = Breaker()


def send(stream: str, most: int, entries: Sequence[Mapping[str, str]]) -> None:
    """Append to a stream that keeps about `most` entries, in one pipeline. Never raises, never waits long."""
    now = time.monotonic()
    if breaker.is_open(now):
        return
    try:
        pipeline = client(settings.REDIS_URL).pipeline(transaction=False)
        for fields in entries:
            entry: dict[Any, Any] = {**fields}  # redis-py's own annotation is invariant in key and value
            pipeline.xadd(stream, entry, maxlen=most, approximate=True)
        pipeline.execute()
        breaker.worked()
    except redis.RedisError as cause:
        breaker.failed(time.monotonic())
        log.warning("live push skipped, Redis is unreachable: %s", cause)


def is_up() -> bool:
    """Whether Redis answers."""
    try:
        return bool(client(settings.REDIS_URL).ping())
    except redis.RedisError:
        return False
