"""A minimal client of the public API for the demo and the verification."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

TIMEOUT_S = 10.0
IMPORT_S = 120.0
"""Seconds; long enough for a site of a thousand links on a busy machine."""
# No proxies: the backend is on the loopback address.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ApiError(Exception):
    """The backend refused or does not answer; the message names the request."""


def call(
    url: str,
    *,
    token: str = "",
    body: dict[str, Any] | None = None,
    method: str | None = None,
    timeout_s: float = TIMEOUT_S,
) -> Any:
    """The JSON answer to a GET, or to a POST (or `method`) of `body`; ApiError for anything else."""
    headers = {"Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310  # built from our own loopback address
    try:
        with _opener.open(request, timeout=timeout_s) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        answer = error.read(2000).decode(errors="replace")
        raise ApiError(f"{request.get_method()} {url} answered {error.code}: {answer}") from error
    except (OSError, ValueError) as error:
        raise ApiError(f"{request.get_method()} {url}: {error}") from error


def listens(url: str) -> bool:
    """Whether an HTTP server answers there, with any status."""
    try:
        with _opener.open(url, timeout=TIMEOUT_S):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def every_item(url: str, token: str) -> list[dict[str, Any]]:
    """All items of a list, page after page; `url` has a query already."""
    items: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = call(f"{url}&limit=500" + (f"&cursor={cursor}" if cursor else ""), token=token)
        items += page["items"]
        cursor = page["next"]
    return items
