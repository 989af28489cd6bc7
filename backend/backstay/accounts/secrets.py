"""Secrets at rest, of devices and of notifications: JSON, encrypted and authenticated with Fernet
(AES-128-CBC, HMAC-SHA256).

The database holds the ciphertext, in fields named `FIELD`. With several secret keys the first encrypts and
all decrypt; `rotate_all` re-encrypts every ciphertext with the first.
"""

from __future__ import annotations

import base64
import json

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.apps import apps
from django.db import models, transaction

from backstay.accounts.keys import derived_keys

JsonObject = dict[str, object]
FIELD = "secrets"
"""Of every model that stores any."""
BATCH = 1000


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
            "A stored secret cannot be decrypted: put its key back into BACKSTAY_SECRET_KEYS."
        ) from None
    assert isinstance(loaded, dict)
    return loaded


@transaction.atomic
def rotate_all() -> dict[str, int]:
    """Re-encrypt every stored secret with the first key: name of a model -> its rows with one.

    SecretsUnreadableError if no key fits one of them; then none is changed.
    """
    return {str(model._meta.verbose_name): _rotate(model) for model in secret_models()}


def secret_models() -> list[type[models.Model]]:
    """All models that store secrets."""
    return [
        model
        for model in apps.get_models()
        if any(field.name == FIELD for field in model._meta.concrete_fields)
    ]


def _rotate(model: type[models.Model]) -> int:
    known = model._default_manager.select_for_update().exclude(**{FIELD: None})
    rows = list(known.only(FIELD).order_by("pk"))
    for row in rows:
        setattr(row, FIELD, encrypt(decrypt(getattr(row, FIELD))))
    model._default_manager.bulk_update(rows, [FIELD], batch_size=BATCH)
    return len(rows)
