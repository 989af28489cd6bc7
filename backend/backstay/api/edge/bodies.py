"""Reads request bodies on the event loop: each with a limit and a deadline, all together within a budget.

A slow body costs a waiting task, no thread. When too many bodies of one sender are waiting, the oldest is
given up: bodies of honest clients arrive within milliseconds, half-sent ones never do.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from backstay.core.errors import Invalid, TooLarge, TooSlow, Unavailable

Scope = Mapping[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
DRAIN_BYTES = 16 * 1024 * 1024
DRAIN_S = 5.0
RETRY_AFTER_S = 2.0
WATCH_AFTER_S = 0.1
"""Most requests are answered before it; to watch one costs a task."""


class ClientGone(Exception):  # noqa: N818  (an event, not a fault)
    """The client closed the connection."""


class Incoming:
    """The messages of one request; knows whether its body has ended."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._has_ended = False

    async def __call__(self) -> Message:
        """The next message (ASGI)."""
        message = await self._receive()
        self._has_ended = message["type"] != "http.request" or not message.get("more_body")
        return message

    async def discard(self) -> None:
        """Read and forget the rest of a refused body, so that its client can read the reply.

        A connection that is closed with unread data is reset, and the reply may be lost (RFC 9112, 9.6).
        """
        left = DRAIN_BYTES
        try:
            async with asyncio.timeout(DRAIN_S):
                while left > 0 and not self._has_ended:
                    left -= len((await self()).get("body", b""))
        except TimeoutError:
            return

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Cancel the block when the client closes the connection; ClientGone then. After the body."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        watch: asyncio.Task[None] | None = None
        is_gone = False

        async def wait() -> None:
            nonlocal is_gone
            while (await self._receive())["type"] != "http.disconnect":
                pass
            is_gone = True
            task.cancel()

        def begin() -> None:
            nonlocal watch
            watch = loop.create_task(wait())

        timer = loop.call_later(WATCH_AFTER_S, begin)
        try:
            yield
        except asyncio.CancelledError:
            if not is_gone:
                raise
            task.uncancel()
            raise ClientGone from None
        finally:
            timer.cancel()
            if watch is not None:
                watch.cancel()


class _Waiting:
    """One body that is being read."""

    def __init__(self, sender: str, task: asyncio.Task[Any]) -> None:
        self.sender, self.task = sender, task
        self.is_given_up = False


class BodyReader:
    """Reads bodies: at most `most_bytes` together, and so many at once, per sender and in all."""

    def __init__(self, *, most_bytes: int, most_per_sender: int, most_waiting: int) -> None:
        self._most_bytes, self._most_per_sender, self._most_waiting = (
            most_bytes,
            most_per_sender,
            most_waiting,
        )
        self._waiting: OrderedDict[_Waiting, None] = OrderedDict()
        self._per_sender: dict[str, OrderedDict[_Waiting, None]] = {}
        self._bytes = 0

    @asynccontextmanager
    async def body(
        self, scope: Scope, receive: Receive, sender: str, limit: int, deadline_s: float
    ) -> AsyncIterator[bytes]:
        """The whole body; it counts towards the budget until the block ends.

        Raises TooLarge, TooSlow, Unavailable, Invalid or ClientGone.
        """
        declared = content_length(scope)
        if declared is not None and declared > limit:
            raise TooLarge(f"The body has more than {limit} bytes.")
        if declared == 0:
            yield b""
            return
        chunks: list[bytes] = []
        try:
            await self._read(receive, chunks, sender, limit, deadline_s)
            yield b"".join(chunks)
        finally:
            self._bytes -= sum(map(len, chunks))

    async def _read(
        self, receive: Receive, chunks: list[bytes], sender: str, limit: int, deadline_s: float
    ) -> None:
        waiting = self._admit(sender)
        try:
            async with asyncio.timeout(deadline_s):
                await self._collect(receive, chunks, limit)
        except TimeoutError:
            raise TooSlow(f"The body did not arrive within {deadline_s:g} s.") from None
        except asyncio.CancelledError:
            if not waiting.is_given_up:
                raise
            waiting.task.uncancel()
            raise TooSlow("Too many bodies of this sender are incomplete; this was the oldest.") from None
        finally:
            self._release(waiting)

    async def _collect(self, receive: Receive, chunks: list[bytes], limit: int) -> None:
        length = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise ClientGone
            chunk: bytes = message.get("body", b"")
            length += len(chunk)
            if length > limit:
                raise TooLarge(f"The body has more than {limit} bytes.")
            chunks.append(chunk)
            self._bytes += len(chunk)
            if self._bytes > self._most_bytes:
                raise Unavailable("Too many large requests at once; try again.", retry_after_s=RETRY_AFTER_S)
            if not message.get("more_body"):
                return

    def _admit(self, sender: str) -> _Waiting:
        task = asyncio.current_task()
        assert task is not None
        own = self._per_sender.get(sender)
        if own is not None and len(own) >= self._most_per_sender:
            self._give_up(next(iter(own)))
        elif len(self._waiting) >= self._most_waiting:
            self._give_up(next(iter(self._waiting)))
        waiting = _Waiting(sender, task)
        self._waiting[waiting] = None
        self._per_sender.setdefault(sender, OrderedDict())[waiting] = None
        return waiting

    def _give_up(self, waiting: _Waiting) -> None:
        self._release(waiting)
        waiting.is_given_up = True
        waiting.task.cancel()

    def _release(self, waiting: _Waiting) -> None:
        if waiting not in self._waiting:
            return
        del self._waiting[waiting]
        own = self._per_sender.get(waiting.sender, OrderedDict())
        own.pop(waiting, None)
        if not own:
            self._per_sender.pop(waiting.sender, None)


def content_length(scope: Scope) -> int | None:
    """The declared length; 0 for a request without a body, None for a chunked one. Raises Invalid."""
    chunked = False
    for name, value in scope["headers"]:
        if name == b"content-length":
            if not value.isdigit():
                raise Invalid("The Content-Length is not a number.")
            return int(value)
        chunked = chunked or name == b"transfer-encoding"
    return None if chunked or scope.get("http_version", "1.1").startswith("2") else 0


def header(scope: Scope, name: bytes) -> str:
    """A header's value; empty if absent."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
