"""Device secrets at rest: JSON, encrypted and authenticated with Fernet (AES-128-CBC and HMAC-SHA256).

The ciphertext is what the database holds. With several secret keys the first encrypts and all decrypt;
`rotated` brings a ciphertext to the first.
"""

from __future__ import annotations

import base64
import json

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from backstay.accounts.keys import derived_keys

JsonObject = dict[str, object]


class SecretsUnreadableError(Exception):
    """The ciphertext belongs to none of the configured keys, or was altered."""


def _fernet() -> MultiFernet:
    keys = derived_keys(b"device secrets v1")
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def encrypt(values: JsonObject) -> bytes:
    """Ciphertext of a JSON object; never twice the same."""
    return _fernet().encrypt(json.dumps(values, sort_keys=True).encode())


def decrypt(ciphertext: bytes | memoryview | None) -> JsonObject:
    """The object that was encrypted; empty for None. SecretsUnreadableError when no key fits."""
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
    """The same object under the first key. SecretsUnreadableError when no key fits."""
    return encrypt(decrypt(ciphertext))
