"""Headers of every response, those included that no middleware sees: refused bodies, the ingest's."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from backstay.api.edge.bodies import Scope, header

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
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FEATURES),
    "Cross-Origin-Resource-Policy": "same-origin",
}


def headers_without_django(scope: Scope) -> dict[str, str]:
    """The headers of a response that passes no middleware of Django, HSTS included."""
    if not _is_secure(scope):
        return HEADERS
    return {**HEADERS, "Strict-Transport-Security": f"max-age={settings.SECURE_HSTS_SECONDS}"}


def _is_secure(scope: Scope) -> bool:
    """As HttpRequest.is_secure(): over plain HTTP, browsers ignore HSTS (RFC 6797, 8.1)."""
    if not settings.SECURE_HSTS_SECONDS:
        return False
    forwarded = header(scope, b"x-forwarded-proto").partition(",")[0].strip()
    return forwarded == "https" if forwarded else scope.get("scheme") == "https"


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
