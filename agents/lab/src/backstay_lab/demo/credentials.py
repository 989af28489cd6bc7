"""The demo's generated secrets: made once, kept, so that a session or an agent outlives a restart."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from backstay_lab.demo.files import read_json, write_json

USER = "admin"
# Without letters and digits that look alike: a person types this once.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class Credentials:
    """Django's key, the database's password, and the administrator's password."""

    secret_key: str
    database_password: str
    admin_password: str


def _fresh() -> Credentials:
    words = ("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
    return Credentials(secrets.token_urlsafe(48), secrets.token_urlsafe(24), "-".join(words))


def load_or_create(path: Path) -> Credentials:
    """The kept secrets, or fresh ones written to `path` (mode 600)."""
    kept = read_json(path)
    if kept is not None:
        return Credentials(**kept)
    made = _fresh()
    write_json(path, asdict(made))
    return made
