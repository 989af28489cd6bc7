"""Receipts: what a receiver accepted, noted in Redis before the success is committed.

A worker that is killed between the receiver's answer and the commit leaves a claimed delivery whose lease
expires; because of its receipt the next worker does not send the message again. A receipt is one write to a
socket, which takes less time than a commit. Redis may lose receipts: a message may then be sent twice, none
is lost.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import redis
from django.conf import settings

from backstay.live import bus

KEPT_S = 900
"""Far longer than a lease: a worker may need minutes until it is back."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Receipt:
    """When a receiver had accepted a message, and how long that took, in milliseconds."""

    at: datetime
    took_ms: float


def _name(lease: uuid.UUID) -> str:
    return f"backstay:notify:receipt:{lease}"


class ReceiptWriter:
    """A connection that is ready before a message is sent, so that its receipt is one write to a socket.

    Never raises, and waits at most `bus.TIMEOUT_S` at each step; without Redis it notes nothing.
    """

    def __init__(self, lease: uuid.UUID) -> None:
        self._lease = lease
        self._pool = bus.client(settings.REDIS_URL).connection_pool
        self._connection: Any = None  # redis-py has no types for the commands of a connection.
        self._awaits = False

    def __enter__(self) -> ReceiptWriter:
        if not bus.breaker.is_open(time.monotonic()):
            self._try(self._connect)
        return self

    def _connect(self) -> None:
        self._connection = self._pool.get_connection()

    def note(self, receipt: Receipt) -> None:
        """Send the receipt; the reply is read at the end of the block."""
        if self._connection is not None:
            text = f"{receipt.at.timestamp()} {receipt.took_ms}"
            self._awaits = True
            self._try(lambda: self._connection.send_command("SET", _name(self._lease), text, "EX", KEPT_S))

    def __exit__(self, *_: object) -> None:
        if self._connection is None:
            return
        if self._awaits:
            self._try(self._connection.read_response)
        self._pool.release(self._connection)

    def _try(self, step: Callable[[], object]) -> None:
        try:
            step()
        except redis.RedisError as cause:
            bus.breaker.failed(time.monotonic())
            log.warning("a receipt was not stored, Redis is unreachable: %s", cause)
            if self._connection is not None:
                # Whatever is still under way must not be the reply to another command.
                self._connection.disconnect()
                self._awaits = False


def find(lease: uuid.UUID) -> Receipt | None:
    """The receipt of a lease; None if there is none or Redis does not answer."""
    try:
        text = bus.client(settings.REDIS_URL).get(_name(lease))
    except redis.RedisError as cause:
        log.warning("receipts are not readable, Redis is unreachable: %s", cause)
        return None
    if not isinstance(text, str):
        return None
    at, took_ms = map(float, text.split())
    return Receipt(datetime.fromtimestamp(at, UTC), took_ms)
