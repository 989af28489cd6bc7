"""kombu's Redis transport, whose channels can be closed after their connection is lost.

A channel that is closed then gives its unacknowledged messages back through a connection that has lost its
address: kombu 5.6 raises AttributeError, which Celery takes for a fault of the program and ends the worker.
Here it is a connection error, after which the worker connects again; the messages return after the visibility
timeout.
"""

from __future__ import annotations

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as LostConnection


class _Closeable:
    """Of both kinds of channels."""

    connection: Any

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise LostConnection("The connection is closed.")
        found: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[misc]  # kombu's Channel has it.
        return found


class Channel(_Closeable, redis.Channel):
    """Of one Redis server."""


class SentinelChannel(_Closeable, redis.SentinelChannel):
    """Of the master that Redis Sentinel names."""


class Transport(redis.Transport):
    """Of one Redis server."""

    Channel = Channel


class SentinelTransport(redis.SentinelTransport):
    """Of the master that Redis Sentinel names."""

    Channel = SentinelChannel


def install() -> None:
    """Make URLs of Redis use these transports; before the first connection."""
    TRANSPORT_ALIASES.update(
        redis=f"{__name__}:Transport",
        rediss=f"{__name__}:Transport",
        sentinel=f"{__name__}:SentinelTransport",
    )
