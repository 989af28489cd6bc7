"""The demo's secrets, generated once and kept, so that sessions and agents survive a restart."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from backstay_lab.demo.files import read_json, write_json

USER = "admin"
SECOND = "deputy"
"""Approves what the administrator proposes where a site requires two people, and vice versa."""
# Without similar letters and digits: a person types this.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class Credentials:
    """Django's key; passwords of the superuser, the owner and the application in the database; passwords of
    the administrator and the second person.
    """

    secret_key: str
    database_password: str
    owner_password: str
    application_password: str
    admin_password: str
    second_password: str


def _fresh() -> Credentials:
    return Credentials(
        secret_key=secrets.token_urlsafe(48),
        database_password=secrets.token_urlsafe(24),
        owner_password=secrets.token_urlsafe(24),
        application_password=secrets.token_urlsafe(24),
        admin_password=_password(),
        second_password=_password(),
    )


def _password() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))


def load_or_create(path: Path) -> Credentials:
    """The stored secrets, or new ones written to `path` (mode 600); missing ones of an older demo are
    added.
    """
    kept = read_json(path) or {}
    made = asdict(_fresh()) | kept
    if made != kept:
        write_json(path, made)
    return Credentials(**made)
