"""`manage.py rotate_secrets`: secrets of devices and of notifications are read with the new key alone."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models
from django.utils import timezone

from backstay.accounts import secrets
from backstay.accounts.models import User
from backstay.alerts.notify.models import Channel, PushDevice, PushKey
from backstay.inventory.models import Node, Site

CANARY = {"token": "planted-canary"}


@pytest.fixture
def stored(db: None, settings: Any) -> dict[type[models.Model], models.Model]:
    """One row of each model, encrypted with the former key."""
    settings.SECRET_KEYS = ["old"]
    now, hidden = timezone.now(), secrets.encrypt(dict(CANARY))
    site = Site.objects.create(name="lab", title="lab", interval_s=5, imported_at=now)
    person = User.objects.create(username="vera")
    return {
        Node: Node.objects.create(site=site, name="gw", kind="router", secrets=hidden),
        Channel: Channel.objects.create(
            site=site, name="on call", kind="webhook", secrets=hidden, changed_at=now
        ),
        PushKey: PushKey.objects.create(public_key="p", secrets=hidden, created_at=now),
        PushDevice: PushDevice.objects.create(
            person=person, label="browser", service="push.example", digest="d", secrets=hidden, created_at=now
        ),
    }


def rotate() -> str:
    out = StringIO()
    call_command("rotate_secrets", stdout=out)
    return out.getvalue()


def test_every_stored_secret_is_read_with_the_new_key_alone(
    stored: dict[type[models.Model], models.Model], settings: Any
) -> None:
    assert stored.keys() == set(secrets.secret_models())
    settings.SECRET_KEYS = ["new", "old"]
    assert "Re-encrypted the secrets of 1 channel.\n" in rotate()
    settings.SECRET_KEYS = ["new"]
    for row in stored.values():
        row.refresh_from_db()
        assert secrets.decrypt(getattr(row, secrets.FIELD)) == CANARY


def test_nothing_changes_if_one_cannot_be_read(
    stored: dict[type[models.Model], models.Model], settings: Any
) -> None:
    settings.SECRET_KEYS = ["third"]
    device = stored[PushDevice]
    setattr(device, secrets.FIELD, secrets.encrypt(dict(CANARY)))
    device.save()
    settings.SECRET_KEYS = ["new", "old"]
    with pytest.raises(CommandError, match="cannot be decrypted"):
        rotate()
    settings.SECRET_KEYS = ["old"]
    node = stored[Node]
    node.refresh_from_db()
    assert secrets.decrypt(getattr(node, secrets.FIELD)) == CANARY


def test_encrypted_fields_have_the_name_that_is_rotated() -> None:
    encrypted = [
        field
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.BinaryField) and "accounts.secrets" in field.help_text
    ]
    assert {field.name for field in encrypted} == {secrets.FIELD}
    assert {field.model for field in encrypted} == set(secrets.secret_models())
