"""Requests a running keepalived's data: SIGUSR1 to its process, then the file that it writes."""

import os
import signal
from pathlib import Path

from backstay_agent.host.daemon_control import dump_file

_NAME = "keepalived"
_WRITE_S = 5.0


class KeepalivedGoneError(Exception):
    """No keepalived runs with that process id."""


async def data(pid_file: Path, path: Path) -> str:
    """The data that keepalived has just written. Raises KeepalivedGoneError, TimeoutError, NoDumpError."""
    pid = _process(pid_file)
    before = dump_file.stamp(path)
    try:
        os.kill(pid, signal.SIGUSR1)
    except ProcessLookupError as error:
        raise KeepalivedGoneError(f"process {pid} has ended") from error
    except PermissionError as error:
        raise dump_file.NoDumpError(f"may not signal keepalived: {error.strerror}") from error
    return await dump_file.fresh(path, before, _WRITE_S)


def _process(pid_file: Path) -> int:
    """Its process id, verified to be keepalived's: SIGUSR1 would end most other programs."""
    try:
        pid = int(pid_file.read_text())
        name = Path(f"/proc/{pid}/comm").read_text().strip()
    except (OSError, ValueError) as error:
        raise KeepalivedGoneError(f"{pid_file}: {error}") from error
    if name != _NAME:
        raise KeepalivedGoneError(f"process {pid} of {pid_file} is {name}")
    return pid
