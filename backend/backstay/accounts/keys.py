"""Single-purpose keys, derived from the deployment's secret keys.

HKDF (RFC 5869) derives independent keys from one operator secret: a credential's signature reveals nothing
about the key that encrypts device secrets. The first secret signs and encrypts; the others are accepted for
verification and decryption, so that a secret can be rotated without downtime.
"""

from __future__ import annotations

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

KEY_OCTETS = 32

_derived: dict[tuple[str, bytes], bytes] = {}


def derived_keys(purpose: bytes) -> list[bytes]:
    """32-octet keys for `purpose`, the signing key first; ImproperlyConfigured without a secret."""
    secrets: list[str] = settings.SECRET_KEYS
    if not secrets:
        raise ImproperlyConfigured("BACKSTAY_SECRET_KEYS is empty: give it at least one long random text.")
    return [_derive(secret, purpose) for secret in secrets]


def _derive(secret: str, purpose: bytes) -> bytes:
    """Cached: HKDF is deterministic."""
    key = _derived.get((secret, purpose))
    if key is None:
        hkdf = HKDF(algorithm=hashes.SHA256(), length=KEY_OCTETS, salt=None, info=b"backstay " + purpose)
        key = _derived[secret, purpose] = hkdf.derive(secret.encode())
    return key
