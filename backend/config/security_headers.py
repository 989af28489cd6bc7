"""Response headers that Django's own middleware does not set."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

FEATURES = (
    "accelerometer",
    "browsing-topics",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
"""Browser features that no page uses; full screen and the clipboard stay allowed."""
HEADERS = {
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FEATURES),
    "Cross-Origin-Resource-Policy": "same-origin",
}


def _with_headers(response: HttpResponseBase) -> HttpResponseBase:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


@sync_and_async_middleware
def security_headers(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Add HEADERS to every response, static files included."""
    if inspect.iscoroutinefunction(get_response):
        ask: Callable[[HttpRequest], Awaitable[HttpResponseBase]] = get_response

        async def respond(request: HttpRequest) -> HttpResponseBase:
            return _with_headers(await ask(request))

        return respond

    def respond_here(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(get_response(request))

    return respond_here
