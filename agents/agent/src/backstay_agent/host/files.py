"""Files: private folders, atomic replacement, and append-only files that never keep a partial record."""

import contextlib
import logging
import os
import shutil
from pathlib import Path

from backstay_agent.logs import event

_log = logging.getLogger(__name__)

PRIVATE_DIR = 0o700
PRIVATE_FILE = 0o600
DAMAGED = ".damaged-"
KEPT_DAMAGED = 3
"""Damaged versions of one file that remain when another one is set aside."""


def private_dir(path: Path) -> None:
    """Create `path` (and missing parents), readable by its owner only."""
    path.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIR)
    path.chmod(PRIVATE_DIR)


def usable_dir(path: Path) -> None:
    """As `private_dir`; anything else of that name is set aside first. Raises OSError."""
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        set_aside(path)
    private_dir(path)


def set_aside(path: Path) -> Path | None:
    """Rename an unusable file or folder to `NAME.damaged-N` for a person to look at; returns that.

    Only the newest four are kept. None if it cannot be renamed.
    """
    with contextlib.suppress(OSError):
        old = sorted(path.parent.glob(f"{path.name}{DAMAGED}*"), key=lambda entry: entry.lstat().st_mtime)
        for entry in old[:-KEPT_DAMAGED]:
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink()
    for number in range(1, 1000):
        aside = path.with_name(f"{path.name}{DAMAGED}{number}")
        if aside.exists() or aside.is_symlink():
            continue
        try:
            path.rename(aside)
        except OSError:
            return None
        return aside
    return None


def report_aside(path: Path, error: Exception) -> bool:
    """Set an unusable file or folder aside and log it; whether there was one and it was moved."""
    if not path.exists() and not path.is_symlink():
        return False
    aside = set_aside(path)
    kept = aside.name if aside else "not moved"
    event(_log, logging.ERROR, "damaged, set aside", file=path, kept=kept, error=error)
    return aside is not None


def stamp(path: Path) -> tuple[int, int, int] | None:
    """Identifies a version of a file: inode, size, nanoseconds; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def atomic_write(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace `path` by `data`, mode 600: a reader sees the old or the new file, never a mixture.

    `durable` adds fsync of the file and its folder, so that it also survives a power cut.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        try:
            write_all(handle, data)
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Sync renames and deletions in a folder to disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_all(handle: int, data: bytes) -> None:
    """write(2) until all is written. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


class AppendFile:
    """An append-only file, mode 600. A failed append leaves the file unchanged."""

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        self._handle = os.open(path, flags, PRIVATE_FILE)
        self.path = path
        self.size = os.fstat(self._handle).st_size

    def append(self, data: bytes) -> int:
        """Write `data` at the end; returns its offset. Raises OSError (ENOSPC) with nothing written."""
        offset = self.size
        try:
            write_all(self._handle, data)
        except OSError:
            os.ftruncate(self._handle, offset)
            raise
        self.size = offset + len(data)
        return offset

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` octets at `offset`."""
        return os.pread(self._handle, length, offset)

    def sync(self) -> None:
        """Sync the data to disk (fdatasync); may take as long as the disk does."""
        os.fdatasync(self._handle)

    def close(self) -> None:
        """Close the file; it stays on disk."""
        os.close(self._handle)
