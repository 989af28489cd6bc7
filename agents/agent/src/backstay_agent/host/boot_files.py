"""Configuration files owned by others: read whole, and replaced atomically without changing owner or mode.

They belong to the operator and to a daemon with its own user. A symbolic link is kept: its target is
replaced.
"""

import contextlib
import hashlib
import os
from pathlib import Path

from backstay_agent.host.files import sync_folder, write_all

_NEW_MODE = 0o644
_LIMIT = 16 * 1024 * 1024


def read(path: Path) -> str | None:
    """The file's text; None if there is none. Octets that are not UTF-8 survive a `write` of the same text.

    Raises OSError.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_LIMIT + 1)
    except FileNotFoundError:
        return None
    if len(raw) > _LIMIT:
        raise OSError(f"{path}: more than {_LIMIT} octets")
    return raw.decode("utf-8", "surrogateescape")


def digest(text: str) -> str:
    """SHA-256 in hex of the octets that `text` was read from."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def shown(text: str) -> str:
    """The text without unprintable octets, for a report."""
    return text.encode("utf-8", "replace").decode("utf-8")


def write(path: Path, text: str, *, like: Path | None = None) -> None:
    """Replace the file's content durably: a reader sees the old or the new content, never a mixture.

    Owner, group and mode are kept; a new file takes those of `like`, or mode 644. Raises OSError with the old
    file intact.
    """
    target = path.resolve()
    before = _state(target) or (_state(like) if like else None)
    temporary = target.with_name(f".{target.name}.backstay.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, _NEW_MODE)
    try:
        try:
            if before is not None:
                os.fchown(handle, before.st_uid, before.st_gid)
                os.fchmod(handle, before.st_mode & 0o7777)
            write_all(handle, text.encode("utf-8", "surrogateescape"))
            os.fsync(handle)
        finally:
            os.close(handle)
        temporary.replace(target)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(target.parent)


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def remove(path: Path) -> None:
    """Durably delete a file that a change created. A missing file is not an error. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
        sync_folder(path.parent)
