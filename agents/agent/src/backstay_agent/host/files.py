"""Files: private folders, atomic replacement, and append-only files that never keep a partial record."""

import contextlib
import os
from pathlib import Path

PRIVATE_DIR = 0o700
PRIVATE_FILE = 0o600


def private_dir(path: Path) -> None:
    """Create `path` (and missing parents), readable by its owner only."""
    path.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIR)
    path.chmod(PRIVATE_DIR)


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
