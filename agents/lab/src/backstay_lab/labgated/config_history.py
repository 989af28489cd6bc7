"""The configuration files as gdc(8) rotates them: gated.conf+ is next, gated.conf- and -- are previous ones.

gated.conf always exists: its replacement is renamed onto it.
"""

from __future__ import annotations

import os

from backstay_lab.labgated.state_files import StateFiles

_MODE = 0o664
_GROUP = "gdmaint"


class RequestRefusedError(Exception):
    """The request cannot be carried out; the message gives the reason."""


def activate_new(place: StateFiles) -> None:
    """newconf: conf+ becomes conf, conf becomes conf-, conf- becomes conf--. Raises RefusedError."""
    new, old, older = (place.version_of(ending) for ending in ("+", "-", "--"))
    if not new.is_file() or new.stat().st_size == 0:
        raise RequestRefusedError(f"{new} does not exist or is empty")
    if old.exists():
        old.replace(older)
    if place.conf.exists():
        os.link(place.conf, old)
    new.replace(place.conf)


def back_out(place: StateFiles, *, force: bool = False) -> None:
    """backout: conf- becomes conf, conf becomes conf+, conf-- becomes conf-. Raises RefusedError.

    An existing conf+ is overwritten only by force (BACKOUT).
    """
    new, old, older = (place.version_of(ending) for ending in ("+", "-", "--"))
    if not old.is_file() or old.stat().st_size == 0:
        raise RequestRefusedError(f"{old} does not exist or is empty")
    if new.is_file() and new.stat().st_size and not force:
        raise RequestRefusedError(f"{new} exists and would be lost; BACKOUT overwrites it")
    new.unlink(missing_ok=True)
    if place.conf.exists():
        os.link(place.conf, new)
    old.replace(place.conf)
    if older.exists():
        older.replace(old)


def set_modes(place: StateFiles) -> None:
    """modeconf: mode 664, owner root, group gdmaint if it exists. Raises OSError."""
    for ending in ("", "+", "-", "--"):
        path = place.version_of(ending)
        if path.is_file():
            path.chmod(_MODE)
            if os.geteuid() == 0:
                os.chown(path, 0, -1)
                os.chown(path, -1, _group())


def _group() -> int:
    """gdmaint's group ID; -1 (unchanged) without such a group."""
    import grp

    try:
        return grp.getgrnam(_GROUP).gr_gid
    except KeyError:
        return -1


def create(place: StateFiles) -> None:
    """createconf: create an empty conf+ if missing. Raises OSError."""
    new = place.version_of("+")
    if not new.exists():
        new.touch()
        new.chmod(_MODE)
