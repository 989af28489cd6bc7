"""One HTTP request of a channel: POST of a small body to a checked address, without redirects or proxies."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass

from backstay.alerts.notify.connection import Deadline, connect, failures_of
from backstay.alerts.notify.destinations import DestinationPolicy, split_url
from backstay.alerts.notify.transport import DeliveryFailed

USER_AGENT = "Backstay"
MAX_REPLY = 65_536
"""Octets of a reply that are read."""
MAX_RETRY_AFTER_S = 3_600.0
_REPEATABLE = frozenset({408, 425, 429})
"""Client errors that another attempt may not meet (RFC 9110, 8470, 6585)."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """The reply to a request; the body is cut at `MAX_REPLY` octets."""

    status: int
    body: bytes
    retry_after_s: float | None


def post_json(
    url: str, value: object, headers: Mapping[str, str] | None = None, deadline: Deadline | None = None
) -> HttpReply:
    """POST a value as JSON; DeliveryFailed if the receiver did not accept it."""
    body = json.dumps(value, separators=(",", ":")).encode()
    return accepted(post(url, body, {"Content-Type": "application/json", **(headers or {})}, deadline))


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    deadline: Deadline | None = None,
    *,
    policy: DestinationPolicy | None = None,
) -> HttpReply:
    """POST a body and read the reply, whatever its status; DeliveryFailed if there is none.

    `deadline`: of several requests of one delivery; None: of this one alone. `policy`: which addresses may be
    reached; None: those of the settings.

    Nothing of the environment changes where it goes: no proxy, no netrc, no redirect.
    """
    try:
        parts = split_url(url)
    except ValueError as problem:
        raise DeliveryFailed(str(problem), permanent=True) from None
    host, is_tls = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if is_tls else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    deadline = deadline or Deadline()
    with (
        connect(host, port, deadline, policy) as plain,
        deadline.enforced(plain),
        failures_of(deadline, host),
    ):
        if is_tls:
            client: http.client.HTTPConnection = http.client.HTTPSConnection(host, port)
            client.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
        else:
            client = http.client.HTTPConnection(host, port)
            client.sock = plain
        try:
            client.request("POST", path, body, {"User-Agent": USER_AGENT, "Connection": "close", **headers})
            reply = client.getresponse()
            content = reply.read(MAX_REPLY)
        finally:
            client.close()
        return HttpReply(reply.status, content, _seconds(reply.getheader("Retry-After")))


def accepted(reply: HttpReply) -> HttpReply:
    """The reply, if its status says that the receiver accepted the message; else DeliveryFailed."""
    if 200 <= reply.status < 300:
        return reply
    if 300 <= reply.status < 400:
        text = (
            f"The receiver answered with a redirect ({reply.status}), which is not followed; use its target"
        )
        raise DeliveryFailed(text, permanent=True)
    is_repeatable = reply.status >= 500 or reply.status in _REPEATABLE
    phrase = http.client.responses.get(reply.status, "unknown status")
    raise DeliveryFailed(
        f"The receiver answered {reply.status} {phrase}",
        permanent=not is_repeatable,
        retry_after_s=reply.retry_after_s if is_repeatable else None,
    )


def _seconds(text: str | None) -> float | None:
    """Of a Retry-After header; dates and nonsense count as none."""
    is_number = text is not None and text.strip().isdecimal() and len(text) < 10
    return min(float(text), MAX_RETRY_AFTER_S) if is_number and text is not None else None
