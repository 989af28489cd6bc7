"""Plain HTTP calls whose failures are counted, not raised."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LOOPBACK = "127.0.0.1"
NO_ANSWER = 0
"""Status of a call without a response."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; `status` is NO_ANSWER without one."""

    status: int
    body: bytes = b""
    took_s: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)

    def json(self) -> Any:
        return json.loads(self.body)


def call(
    port: int,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    *,
    timeout_s: float = 30.0,
    source: str | None = None,
) -> Answer:
    """One request on a connection of its own, from the loopback address `source`."""
    began = time.monotonic()
    origin = None if source is None else (source, 0)
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=timeout_s, source_address=origin)
    try:
        connection.request(method, path, body, dict(headers or {}))
        reply = connection.getresponse()
        data = reply.read()
        got = {name.lower(): value for name, value in reply.getheaders()}
        return Answer(reply.status, data, time.monotonic() - began, got)
    except (OSError, http.client.HTTPException):
        return Answer(NO_ANSWER, took_s=time.monotonic() - began)
    finally:
        with contextlib.suppress(OSError):
            connection.close()


def bearer(token: str) -> dict[str, str]:
    """Headers of a JSON request with a token."""
    return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


class Tally:
    """Responses by status, from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.statuses: Counter[int] = Counter()
        self.took_s: list[float] = []

    def add(self, answer: Answer) -> Answer:
        """Count a response and return it."""
        with self._lock:
            self.statuses[answer.status] += 1
            self.took_s.append(answer.took_s)
        return answer

    @property
    def failures(self) -> int:
        """Responses 5xx other than 503."""
        return sum(count for status, count in self.statuses.items() if status >= 500 and status != 503)

    def __str__(self) -> str:
        named = {NO_ANSWER: "no answer"}
        return ", ".join(
            f"{count} x {named.get(code, code)}" for code, count in sorted(self.statuses.items())
        )
