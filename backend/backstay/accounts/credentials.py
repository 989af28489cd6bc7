"""The agents' bearer credential: stateless, signed, valid for one hour.

Layout, base64url without padding after the prefix: agent id (16 octets), expiry (8, Unix seconds,
big-endian), HMAC-SHA256 over both (32). Validation needs no lookup. The query that every request makes
anyway checks for revocation, so a revocation takes effect with the next request.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import struct
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from backstay.accounts.keys import derived_keys
from backstay.core.errors import Unauthenticated

LIFETIME = timedelta(hours=1)
PREFIX = "bsa1."
_BODY = struct.Struct(">16sQ")
_MAC_OCTETS = 32


@dataclass(frozen=True, slots=True)
class Bearer:
    """An agent's credential and its expiry."""

    text: str
    expires_at: datetime


def issue(agent: uuid.UUID, now: datetime) -> Bearer:
    """Issue a credential that is valid from `now`."""
    expires_at = (now + LIFETIME).replace(microsecond=0)
    body = _BODY.pack(agent.bytes, int(expires_at.timestamp()))
    mac = hmac.digest(derived_keys(b"agent credential v1")[0], body, "sha256")
    return Bearer(PREFIX + base64.urlsafe_b64encode(body + mac).decode().rstrip("="), expires_at)


def agent_of(authorization: str, now: datetime) -> uuid.UUID:
    """Return the agent that an `Authorization` header names; Unauthenticated if the credential is invalid."""
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() != "bearer" or not text.startswith(PREFIX):
        raise Unauthenticated("Send the agent's credential as `Authorization: Bearer ...`.")
    octets = _decoded(text[len(PREFIX) :])
    body, mac = octets[: _BODY.size], octets[_BODY.size :]
    keys = derived_keys(b"agent credential v1")
    if not any(hmac.compare_digest(mac, hmac.digest(key, body, "sha256")) for key in keys):
        raise Unauthenticated("The credential is not one of ours: renew it.")
    agent, expiry = _BODY.unpack(body)
    if datetime.fromtimestamp(expiry, UTC) <= now:
        raise Unauthenticated("The credential has expired: renew it.")
    return uuid.UUID(bytes=agent)


def _decoded(text: str) -> bytes:
    try:
        octets = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        octets = b""
    if len(octets) != _BODY.size + _MAC_OCTETS:
        raise Unauthenticated("The credential is damaged: renew it.")
    return octets
