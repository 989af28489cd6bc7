"""A webhook of one's own: JSON, signed with HMAC-SHA256 over time and body.

Headers, for the receiver to check (docs/channels.md):

    X-Backstay-Timestamp   seconds since 1970 at which the request was signed
    X-Backstay-Signature   sha256=HEX of HMAC-SHA256(secret, timestamp + "." + body)
    Idempotency-Key        the same for each attempt of one message
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import Annotated

from pydantic import AfterValidator, Field

from backstay.alerts.notify.destinations import web_url
from backstay.alerts.notify.http_post import accepted, post
from backstay.alerts.notify.transport import Config, Transport
from backstay.core.alerting.message import Message, one_line, payload


class WebhookConfig(Config):
    """URL and key of the receiver."""

    url: Annotated[str, AfterValidator(web_url)] = Field(
        description="https:// or http:// URL that takes a POST"
    )
    secret: str = Field(
        "",
        max_length=256,
        repr=False,
        description="Key of the signature, at least 16 characters; empty: unsigned",
    )
    token: str = Field(
        "",
        max_length=1024,
        pattern=r"^[!-~]*$",
        repr=False,
        description="Sent as Authorization: Bearer; empty: no such header",
    )


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """The value of X-Backstay-Signature."""
    mac = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"sha256={mac.hexdigest()}"


def send(config: WebhookConfig, message: Message, chart: bytes | None) -> None:
    """POST the message's JSON; the chart is left out: the incident's link leads to it."""
    body = json.dumps(payload(message), separators=(",", ":")).encode()
    timestamp = str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        "Idempotency-Key": header_text(message.key),
        "X-Backstay-Timestamp": timestamp,
    }
    if config.secret:
        headers["X-Backstay-Signature"] = signature(config.secret, timestamp, body)
    if config.token:
        headers["Authorization"] = f"Bearer {config.token}"
    accepted(post(config.url, body, headers))


def header_text(value: str) -> str:
    """The value as printable ASCII, for a header."""
    return one_line(value, 200).encode("ascii", "replace").decode()


TRANSPORT = Transport("webhook", "Webhook", WebhookConfig, frozenset({"secret", "token"}), send)
