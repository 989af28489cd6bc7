"""The files of one labgated, all in the folder named by `--state` or LABGATED_DIR.

Imports little: every gdc call is a new process.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "LABGATED_DIR"
TIME_SCALE = "LABGATED_TIME_SCALE"
"""Factor of the protocols' timers; shortens them in a lab."""


class NoStateError(Exception):
    """Neither the command line nor the environment names the folder."""


class StateFiles:
    """The paths of one labgated and its gdc: folder and configuration."""

    def __init__(self, folder: Path, conf: Path) -> None:
        self.folder, self.conf = folder, conf

    @property
    def dump(self) -> Path:
        """gated_dump."""
        return self.folder / "gated_dump"

    @property
    def parse(self) -> Path:
        """gated_parse: the errors of the last check."""
        return self.folder / "gated_parse"

    @property
    def log(self) -> Path:
        """gated.log; the file named by `traceoptions` would be shared by all namespaces."""
        return self.folder / "gated.log"

    @property
    def pid(self) -> Path:
        """gated.pid, locked while the daemon runs."""
        return self.folder / "gated.pid"

    def version_of(self, ending: str) -> Path:
        """gated.conf+ (the next), gated.conf- and gated.conf-- (the ones before)."""
        return self.conf.with_name(self.conf.name + ending)


def find(state: str | None, conf: str | None, environment: Mapping[str, str]) -> StateFiles:
    """The state folder of the command line or the environment. Raises NoStateError."""
    folder = state or environment.get(VARIABLE) or (str(Path(conf).parent) if conf else None)
    if not folder:
        raise NoStateError(f"no state folder: use --state DIR, or set {VARIABLE} in the environment")
    path = Path(folder).absolute()
    return StateFiles(path, Path(conf).absolute() if conf else path / "gated.conf")


def find_daemon(place: StateFiles) -> int | None:
    """The running daemon's process ID; None without one. A stale file does not count."""
    try:
        handle = os.open(place.pid, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        text = os.pread(handle, 32, 0).strip()
        return int(text) if text.isdigit() else None
    else:
        return None
    finally:
        os.close(handle)


def claim(place: StateFiles) -> int | None:
    """Lock the folder for this daemon; the handle must stay open. None when another daemon holds it."""
    handle = os.open(place.pid, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return handle
