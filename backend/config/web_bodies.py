"""Request bodies of the web port, read before Django: it would write a large one to disk before it looks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from pydantic_core import to_json

from backstay.api.edge.bodies import BodyReader, ClientGone, Incoming, Message, Receive, Scope, Send, header
from backstay.api.http import errors
from backstay.api.http.client_address import client_address
from backstay.core.errors import BackstayError, TooLarge
from config.security_headers import headers_without_django

MEBIBYTE = 1024 * 1024
LARGEST = {
    "/api/v1/session": 16 * 1024,
    "/api/v1/site-files": settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
}
"""Limits of single paths; a site file is the largest body."""
OTHERS = 8 * MEBIBYTE
DEADLINE_S = 30.0
Application = Callable[[Any, Receive, Any], Awaitable[None]]


class WebBodies:
    """The application behind a reader of bodies: it gets each body whole, or not at all."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._reader = BodyReader(most_bytes=128 * MEBIBYTE, most_per_sender=64, most_waiting=1024)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request (ASGI 3)."""
        if scope["type"] != "http":
            return
        peer = scope["client"][0] if scope.get("client") else ""
        sender = client_address(peer, header(scope, b"x-forwarded-for"), settings.TRUSTED_PROXIES)
        limit = LARGEST.get(scope["path"], OTHERS)
        incoming = Incoming(receive)
        try:
            async with self._reader.body(scope, incoming, sender, limit, DEADLINE_S) as body:
                await self._application(scope, _replayed(body, incoming), send)
        except ClientGone:
            return
        except BackstayError as problem:
            if isinstance(problem, TooLarge):
                await incoming.discard()
            await _refuse(problem, scope, send)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then what else arrives: the client's disconnect."""
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        if whole:
            return whole.pop()
        while (message := await receive())["type"] == "http.request":
            pass
        return message

    return replay


async def _refuse(problem: BackstayError, scope: Scope, send: Send) -> None:
    content = to_json(errors.body(problem))
    headers = {
        "content-type": "application/json",
        "content-length": str(len(content)),
        "cache-control": "no-store",
        "connection": "close",
        **headers_without_django(scope),
    }
    if problem.retry_after_s is not None:
        headers["retry-after"] = str(round(problem.retry_after_s))
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": encoded})
    await send({"type": "http.response.body", "body": content})
