"""Requests for the live stream: all middleware of one runs in a single thread.

Django's ASGI handler enters a thread for each step of each middleware, thirty times for a request. That is
most of the cost of a new stream, and after a restart all clients come at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from backstay.api.http.connections import closes_connections

Asgi = Callable[[Any, Any, Any], Awaitable[None]]
PATH = "/api/v1/live"


class LiveHandler(ASGIHandler):
    """As Django's, with the middleware of WSGI. Its view must not wait: it only begins the stream."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """The response; its connections are returned to the pool before the stream begins."""
        respond = closes_connections(self.get_response)
        return await sync_to_async(respond, thread_sensitive=False)(request)


def with_live_requests(web: Asgi) -> Asgi:
    """The application with its own handler for `PATH`."""
    live = LiveHandler()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        is_live = scope["type"] == "http" and scope["path"] == PATH
        await (live if is_live else web)(scope, receive, send)

    return application
