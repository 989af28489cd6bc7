"""Daemons of this host: which process serves a Unix socket, how it was started, and how to restart it.

The kernel identifies a daemon by the inode of its listening socket: a pid file may be stale, and a process
name is not unique.
"""

import os
import signal
import subprocess
import time
from pathlib import Path

from backstay_wire.base import Message

_LISTENING = "00010000"
"""__SO_ACCEPTCON of /proc/net/unix."""


class RunningDaemon(Message):
    """A process as it was started."""

    pid: int
    program: str
    argv: tuple[str, ...]
    folder: str


def serving(path: str) -> RunningDaemon | None:
    """The process that listens on the Unix socket `path`; None if there is none, or it is not visible."""
    inodes = {f"socket:[{inode}]" for inode in _inodes(path)}
    if not inodes:
        return None
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and _holds(process, inodes):
            return _describe(process)
    return None


def _inodes(path: str) -> list[str]:
    rows = Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    split = [row.split(None, 7) for row in rows]
    return [row[6] for row in split if len(row) == 8 and row[7] == path and row[3] == _LISTENING]


def _holds(process: Path, inodes: set[str]) -> bool:
    try:
        with os.scandir(process / "fd") as handles:
            return any(os.readlink(handle.path) in inodes for handle in handles)  # noqa: PTH115
    except OSError:
        return False


def _describe(process: Path) -> RunningDaemon | None:
    try:
        argv = (process / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        return RunningDaemon(
            pid=int(process.name),
            program=os.fsdecode((process / "exe").readlink()),
            argv=tuple(os.fsdecode(part) for part in argv),
            folder=os.fsdecode((process / "cwd").readlink()),
        )
    except OSError:
        return None


def stop(daemon: RunningDaemon, seconds: float = 1.0) -> None:
    """Send SIGTERM and wait briefly until it is gone. Raises OSError."""
    try:
        os.kill(daemon.pid, signal.SIGTERM)
        end = time.monotonic() + seconds
        while time.monotonic() < end and Path(f"/proc/{daemon.pid}/exe").exists():
            time.sleep(0.01)
    except ProcessLookupError:
        return


def start(daemon: RunningDaemon) -> None:
    """Start it as it was started, in its own session, so that it survives this process. Raises OSError."""
    subprocess.Popen(
        daemon.argv,
        executable=daemon.program.removesuffix(" (deleted)"),
        cwd=daemon.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
