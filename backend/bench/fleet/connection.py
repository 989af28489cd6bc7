"""One keep-alive connection of HTTP/1.1 on asyncio: cheap, so that one process holds thousands."""

from __future__ import annotations

import asyncio
import ssl
import time
from dataclasses import dataclass

from bench.service.calls import LOOPBACK, NO_ANSWER

ANSWER_S = 30.0
IDLE_S = 50.0
"""A connection unused for longer is replaced, as by the agent: servers close theirs."""
PREFIX = "/api/agent/v1/"
FAILURES = (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError)


@dataclass(frozen=True, slots=True)
class Reply:
    """A response; `status` is NO_ANSWER without one."""

    status: int
    body: bytes = b""
    retry_after_s: float = 0.0
    is_closed: bool = False
    """Whether the server closes the connection after it."""


class AgentConnection:
    """Connects at its first call, and again after a failure."""

    def __init__(
        self, port: int, authorization: str, host: str = LOOPBACK, tls: ssl.SSLContext | None = None
    ) -> None:
        self._host, self._port, self._tls = host, port, tls
        self._common = f"Host: {host}:{port}\r\nAuthorization: {authorization}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0

    async def call(self, method: str, name: str, body: bytes = b"", more: str = "") -> Reply:
        """One request; `more`: further header lines."""
        head = f"{method} {PREFIX}{name} HTTP/1.1\r\n{self._common}{more}"
        if body:
            head += (
                f"Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n"
            )
        if time.monotonic() > self._used + IDLE_S:
            self.close()
        try:
            async with asyncio.timeout(ANSWER_S):
                if self._streams is None:
                    self._streams = await asyncio.open_connection(self._host, self._port, ssl=self._tls)
                reader, writer = self._streams
                writer.write(head.encode() + b"\r\n" + body)
                reply = await _read(reader)
        except FAILURES:
            self.close()
            return Reply(NO_ANSWER)
        self._used = time.monotonic()
        if reply.is_closed:
            self.close()
        return reply

    def close(self) -> None:
        """Close it, if open."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _read(reader: asyncio.StreamReader) -> Reply:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
    body = await reader.readexactly(int(fields.get("content-length", 0)))
    closes = fields.get("connection") == "close"
    return Reply(int(first.split(" ", 2)[1]), body, float(fields.get("retry-after", 0)), closes)
