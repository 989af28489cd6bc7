"""Identification of this server to push services (RFC 8292): its key pair, and the signed header.

The pair is made once, when a channel of the kind `push` is created, and kept in the database; the private key
is encrypted like all secrets. Browsers bind a subscription to the public key: another pair ends them all.
"""

from __future__ import annotations

import base64
import json
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from backstay.accounts import secrets
from backstay.alerts.notify.models import PushKey
from backstay.alerts.notify.push.encryption import CURVE, point_of

THE_KEY = 1
"""Primary key of the only row."""
VALID_FOR = timedelta(hours=12)
"""Of a signed header; RFC 8292 allows 24 h, and clocks differ."""


def ensure_key(now: datetime) -> None:
    """Make the key pair unless there is one."""
    if PushKey.objects.filter(pk=THE_KEY).exists():
        return
    key = ec.generate_private_key(CURVE)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    PushKey.objects.get_or_create(
        pk=THE_KEY,
        defaults={
            "public_key": encoded(point_of(key.public_key())),
            "secrets": secrets.encrypt({"private_key": pem}),
            "created_at": now,
        },
    )


def public_key() -> str:
    """What browsers need to subscribe, base64url without padding; empty until there is a key."""
    return PushKey.objects.filter(pk=THE_KEY).values_list("public_key", flat=True).first() or ""


def authorization(endpoint: str, contact: str, now: datetime) -> str:
    """The header `Authorization` for a push service. SecretsUnreadableError; PushKey.DoesNotExist."""
    row = PushKey.objects.get(pk=THE_KEY)
    key = load_pem_private_key(str(secrets.decrypt(row.secrets)["private_key"]).encode(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return f"vapid t={signed_token(key, endpoint, contact, now)}, k={row.public_key}"


def signed_token(key: ec.EllipticCurvePrivateKey, endpoint: str, contact: str, now: datetime) -> str:
    """A JSON Web Token for the endpoint's origin (RFC 7515, ES256: r and s as 32 octets each)."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + VALID_FOR).timestamp()),
        "sub": contact,
    }
    signed = ".".join(encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    return f"{signed}.{encoded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def encoded(value: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The octets of base64url with or without padding; ValueError."""
    bare = text.rstrip("=")
    return base64.b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_", validate=True)
