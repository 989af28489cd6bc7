"""Compresses JSON answers: the rows of a list repeat the same names.

An answer that holds a secret and text of the request would give the secret away by its length (BREACH,
2013). No GET of the API answers with a secret but `/session`, whose token is masked anew each time; a random
number of octets hides the length in any case (Django's `compress_string`).
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.decorators import sync_and_async_middleware
from django.utils.text import compress_string

LEAST_OCTETS = 1000
"""Shorter answers fit into one packet anyway."""
PADDING_OCTETS = 100


@sync_and_async_middleware
def compressed_json(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Compress answers to GET with gzip, if the client accepts it and they are not compressed yet."""
    if inspect.iscoroutinefunction(get_response):
        ask: Callable[[HttpRequest], Awaitable[HttpResponseBase]] = get_response

        async def respond(request: HttpRequest) -> HttpResponseBase:
            response = await ask(request)
            if (plain := _compressible(request, response)) is not None:
                # zlib runs without the interpreter's lock: others are answered meanwhile.
                await asyncio.to_thread(_compress, plain)
            return response

        return respond

    def respond_here(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        if (plain := _compressible(request, response)) is not None:
            _compress(plain)
        return response

    return respond_here


def _compressible(request: HttpRequest, response: HttpResponseBase) -> HttpResponse | None:
    """The response, if it is to be compressed."""
    if not isinstance(response, HttpResponse) or len(response.content) < LEAST_OCTETS:
        return None
    is_json = response.get("Content-Type", "").startswith("application/json")
    if request.method != "GET" or not is_json or response.has_header("Content-Encoding"):
        return None
    patch_vary_headers(response, ("Accept-Encoding",))
    return response if "gzip" in request.headers.get("Accept-Encoding", "") else None


def _compress(response: HttpResponse) -> None:
    response.content = compress_string(response.content, max_random_bytes=PADDING_OCTETS)
    response["Content-Encoding"] = "gzip"
    if response.has_header("Content-Length"):
        response["Content-Length"] = str(len(response.content))
