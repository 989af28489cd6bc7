"""Wallboards for clients."""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING, Any

from django.conf import settings

from backstay.api.wallboards.schemas import CurrentWallboardOut, NewWallboardOut, WallboardOut

if TYPE_CHECKING:
    from pathlib import Path

    from backstay.alerts.wallboards.models import Wallboard

PAGE = "/wall"


def wallboard_out(wallboard: Wallboard) -> WallboardOut:
    """A wallboard of `selectors.wallboards`."""
    return WallboardOut.model_validate(_values(wallboard))


def new_wallboard_out(wallboard: Wallboard, token: str) -> NewWallboardOut:
    """A wallboard with the address of its page."""
    return NewWallboardOut.model_validate({**_values(wallboard), "path": f"{PAGE}#{token}"})


def current_wallboard_out(wallboard: Wallboard) -> CurrentWallboardOut:
    """A screen's own wallboard."""
    return CurrentWallboardOut.model_validate({**_screen(wallboard), "build": build_id()})


def build_id() -> str:
    """Identifies the built pages; empty if there are none. index.html names their hashed files."""
    path = settings.FRONTEND_DIR / "index.html"
    try:
        return _digest(path, path.stat().st_mtime_ns)
    except OSError:
        return ""


@functools.lru_cache(maxsize=4)
def _digest(path: Path, changed_ns: int) -> str:
    """`changed_ns`: of the file, whose digest is computed once."""
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()


def _screen(wallboard: Wallboard) -> dict[str, Any]:
    fields = ("name", "pages", "seconds", "theme", "text_size", "expires_at")
    return {"site": wallboard.site.name, **{field: getattr(wallboard, field) for field in fields}}


def _values(wallboard: Wallboard) -> dict[str, Any]:
    fields = ("state", "created_at", "changed_at", "used_at", "revoked_at")
    author = wallboard.created_by
    return {
        "id": wallboard.pk,
        "created_by": "" if author is None else author.get_username(),
        **_screen(wallboard),
        **{field: getattr(wallboard, field) for field in fields},
    }
