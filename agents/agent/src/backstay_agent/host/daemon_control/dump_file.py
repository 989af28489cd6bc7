"""Files that a daemon writes on request: wait for the new, complete one."""

import asyncio
import os
from pathlib import Path

_POLL_S = 0.05
_LIMIT = 64 * 1024 * 1024


class NoDumpError(Exception):
    """The file cannot be read, or is too large."""


def stamp(path: Path) -> tuple[int, int, int]:
    """Identifies a version of a file: inode, size, time of change; zeros without a file."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0, 0
    return state.st_ino, state.st_size, state.st_mtime_ns


async def fresh(path: Path, before: tuple[int, int, int], timeout_s: float) -> str:
    """The file's text once it differs from `before` and has stopped growing.

    Raises TimeoutError if it does not change, NoDumpError if it is unreadable.
    """
    async with asyncio.timeout(timeout_s):
        seen = before
        while True:
            now = stamp(path)
            if now != before and now == seen:
                return _read(path)
            seen = now
            await asyncio.sleep(_POLL_S)


def _read(path: Path) -> str:
    """Raises NoDumpError."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise NoDumpError(f"{path}: {error.strerror}") from error
    with os.fdopen(handle, "rb") as file:
        data = file.read(_LIMIT + 1)
    if len(data) > _LIMIT:
        raise NoDumpError(f"{path}: more than {_LIMIT} octets")
    return data.decode("utf-8", "replace")
