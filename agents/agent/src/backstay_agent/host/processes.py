"""A process that survives its parent: its own session, no terminal, its output in a file."""

import ctypes
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

_LOG_LIMIT = 1024 * 1024
_PR_SET_NAME = 15
"""prctl(2)."""


class Started(Protocol):
    """A started process."""

    def poll(self) -> int | None:
        """None while it runs."""


def start_detached(argv: Sequence[str], log: Path) -> Started:
    """Start `argv`; its output is appended to `log`, which is truncated at 1 MiB. Raises OSError.

    Poll the returned process now and then, or it stays a zombie once it has ended.
    """
    handle = _open(log)
    try:
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=handle,
            stderr=handle,
            start_new_session=True,
            cwd="/",
        )
    finally:
        os.close(handle)


def detach(log: Path) -> None:
    """Turn this process into a detached one. Raises OSError."""
    os.setsid()
    os.chdir("/")
    nothing, log_file = os.open(os.devnull, os.O_RDWR), _open(log)
    for handle, copy in ((nothing, 0), (log_file, 1), (log_file, 2)):
        os.dup2(handle, copy)
    os.close(nothing)
    os.close(log_file)


def name(text: str) -> None:
    """Set this process's name in ps(1), at most 15 octets; its arguments are unchanged."""
    ctypes.CDLL(None).prctl(_PR_SET_NAME, text.encode()[:15], 0, 0, 0)


def _open(log: Path) -> int:
    if log.exists() and log.stat().st_size > _LOG_LIMIT:
        log.unlink()
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
