"""WSGI entry for the agent protocol: Django's routes and views without the middleware."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.core.handlers.exception import convert_exception_to_response
from django.core.handlers.wsgi import WSGIHandler

PREFIX = "/api/agent/"
StartResponse = Callable[..., Any]
Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]


class BareHandler(WSGIHandler):
    """Django's own handler with an empty middleware chain."""

    def load_middleware(self, is_async: bool = False) -> None:
        """As Django's with MIDDLEWARE = []."""
        self._view_middleware: list[object] = []
        self._template_response_middleware: list[object] = []
        self._exception_middleware: list[object] = []
        self._middleware_chain = convert_exception_to_response(self._get_response)  # type: ignore[attr-defined]


def with_agent_routes(application: Application) -> Application:
    """The application; requests below PREFIX bypass the middleware."""
    handler = BareHandler()

    def routed(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        is_agent = environ.get("PATH_INFO", "").startswith(PREFIX)
        return (handler if is_agent else application)(environ, start_response)

    return routed
