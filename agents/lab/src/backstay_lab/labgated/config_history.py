"""The chain of configuration files as gdc(8) moves it: gated.conf+ is next, gated.conf- and -- came before.

gated.conf itself is there at every moment: what takes its place is renamed onto it.
"""

from __future__ import annotations

import os

from backstay_lab.labgated.state_files import StateFiles

_MODE = 0o664
_GROUP = "gdmaint"


class RefusedError(Exception):
    """The request cannot be carried out; the message gives the reason."""


def activate_new(place: StateFiles) -> None:
    """newconf: conf+ becomes conf, conf becomes conf-, conf- becomes conf--. Raises RefusedError."""
    new, old, older = (place.version_of(ending) for ending in ("+", "-", "--"))
    if not new.is_file() or new.stat().st_size == 0:
        raise RefusedError(f"{new} is not there, or is empty")
    if old.exists():
        old.replace(older)
    if place.conf.exists():
        os.link(place.conf, old)
    new.replace(place.conf)


def back_out(place: StateFiles, *, force: bool = False) -> None:
    """backout: conf- becomes conf, conf becomes conf+, conf-- becomes conf-. Raises RefusedError.

    A conf+ that is there is not overwritten unless by force (BACKOUT).
    """
    new, old, older = (place.version_of(ending) for ending in ("+", "-", "--"))
    if not old.is_file() or old.stat().st_size == 0:
        raise RefusedError(f"{old} is not there, or is empty")
    if new.is_file() and new.stat().st_size and not force:
        raise RefusedError(f"{new} is there and would be lost; BACKOUT insists")
    new.unlink(missing_ok=True)
    if place.conf.exists():
        os.link(place.conf, new)
    old.replace(place.conf)
    if older.exists():
        older.replace(old)


def set_modes(place: StateFiles) -> None:
    """modeconf: mode 664, owner root, group gdmaint where there is one. Raises OSError."""
    for ending in ("", "+", "-", "--"):
        path = place.version_of(ending)
        if path.is_file():
            path.chmod(_MODE)
            if os.geteuid() == 0:
                os.chown(path, 0, -1)
                os.chown(path, -1, _group())


def _group() -> int:
    """gdmaint's number; -1, which changes nothing, where there is no such group."""
    import grp

    try:
        return grp.getgrnam(_GROUP).gr_gid
    except KeyError:
        return -1


def create(place: StateFiles) -> None:
    """createconf: an empty conf+ where there is none. Raises OSError."""
    new = place.version_of("+")
    if not new.exists():
        new.touch()
        new.chmod(_MODE)
