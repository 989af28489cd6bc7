"""Starts a process that outlives us: a session of its own, no terminal, its words in a file."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

_LOG_LIMIT = 1024 * 1024
Started = subprocess.Popen[bytes]


def start_detached(argv: Sequence[str], log: Path) -> Started:
    """Start `argv`; what it says is appended to `log`, which begins anew at 1 MiB. Raises OSError.

    Ask the process that is returned now and then how it does, or it stays a zombie once it has ended.
    """
    if log.exists() and log.stat().st_size > _LOG_LIMIT:
        log.unlink()
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
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
