"""Device secrets at rest: JSON, encrypted and authenticated with Fernet (AES-128-CBC and HMAC-SHA256).

The database holds the ciphertext. With several secret keys the first encrypts and all decrypt; `rotated`
re-encrypts a ciphertext with the first.
"""

from __future__ import annotations

import base64
import json

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from backstay.accounts.keys import derived_keys

JsonObject = dict[str, object]


class SecretsUnreadableError(Exception):
    """No configured key decrypts the ciphertext, or it was altered."""


def _fernet() -> MultiFernet:
    keys = derived_keys(b"device secrets v1")
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def encrypt(values: JsonObject) -> bytes:
    """Encrypt a JSON object; the ciphertext differs each time."""
    return _fernet().encrypt(json.dumps(values, sort_keys=True).encode())


def decrypt(ciphertext: bytes | memoryview | None) -> JsonObject:
    """Decrypt an object; empty for None. SecretsUnreadableError if no key fits."""
    if ciphertext is None:
        return {}
    try:
        loaded = json.loads(_fernet().decrypt(bytes(ciphertext)))
    except InvalidToken:
        raise SecretsUnreadableError(
            "A device secret cannot be decrypted: put its key back into BACKSTAY_SECRET_KEYS."
        ) from None
    assert isinstance(loaded, dict)
    return loaded


def rotated(ciphertext: bytes | memoryview) -> bytes:
    """Re-encrypt with the first key. SecretsUnreadableError if no key fits."""
    return encrypt(decrypt(ciphertext))
