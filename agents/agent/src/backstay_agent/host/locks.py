"""flock(2): one holder at a time, released when the holder dies."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Wait for the lock and hold it, briefly. Raises OSError."""
    handle = _open(path)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def owned(path: Path) -> Iterator[bool]:
    """Acquire the lock if it is free; returns whether it was. Raises OSError."""
    handle = _open(path)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)


def free(path: Path) -> bool:
    """Whether the lock is free now."""
    with owned(path) as mine:
        return mine


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
