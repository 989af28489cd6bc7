"""Streams of live clients through the ASGI application of the web process, without server and sockets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from config.asgi import application


class LiveClient:
    """One open stream; counts the octets that it receives."""

    def __init__(self, site: str, headers: Mapping[str, str], *, is_packed: bool) -> None:
        known = {**headers, "host": "testserver", **({"accept-encoding": "gzip"} if is_packed else {})}
        self._scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/api/v1/live",
            "raw_path": b"/api/v1/live",
            "query_string": f"site={site}".encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in known.items()],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
        }
        self._end, self._was_read = asyncio.Event(), False
        self._parts: asyncio.Queue[None] | None = asyncio.Queue()
        self._is_packed = is_packed
        self.status = 0
        self.octets = 0
        self._task = asyncio.create_task(application(self._scope, self._receive, self._send))

    async def begin(self) -> None:
        """Wait for the loads of all links, after `hello`. Raises RuntimeError if refused."""
        parts = self._parts
        for _ in range(0 if parts is None else 3 if self._is_packed else 2):
            assert parts is not None
            await parts.get()
        self._parts = None
        if self.status != 200:
            raise RuntimeError(f"live stream: status {self.status}")

    async def leave(self) -> None:
        """Close the connection."""
        self._end.set()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _receive(self) -> dict[str, Any]:
        if not self._was_read:
            self._was_read = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._end.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif body := message.get("body", b""):
            self.octets += len(body)
            if self._parts is not None:
                self._parts.put_nowait(None)


@asynccontextmanager
async def connected(
    site: str, headers: Mapping[str, str], *, is_packed: bool = True
) -> AsyncIterator[LiveClient]:
    """A stream whose first loads have arrived."""
    client = LiveClient(site, headers, is_packed=is_packed)
    try:
        await client.begin()
        yield client
    finally:
        await client.leave()
