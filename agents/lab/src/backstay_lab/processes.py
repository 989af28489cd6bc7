"""Starts processes that outlive their command, and ends exactly those.

A process is remembered by id *and* start time (field 22 of proc_pid_stat(5)), so that a recycled id is
never taken for ours.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

GRACE_S = 2.0
"""Between SIGTERM and SIGKILL."""


@dataclass(frozen=True)
class Daemon:
    """A process of the lab: name, node (empty: the lab itself) and process identity."""

    name: str
    node: str
    pid: int
    start: int
    """Clock ticks after boot."""


def start(
    name: str,
    node: str,
    argv: Sequence[str],
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
) -> Daemon:
    """Start a process in a session of its own; its output is appended to `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as sink:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
        )
    return Daemon(name, node, process.pid, _start_time(process.pid) or 0)


def _start_time(pid: int) -> int | None:
    """Start time of a running process; None for an ended one or a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[19])


def running(daemon: Daemon) -> bool:
    """Whether this process is still running."""
    return _start_time(daemon.pid) == daemon.start


def identify(name: str, pid: int) -> Daemon:
    """The identity of a process that was started elsewhere."""
    return Daemon(name, "", pid, _start_time(pid) or 0)


def stop(daemons: Iterable[Daemon]) -> None:
    """SIGTERM, wait at most two seconds for all, then SIGKILL."""
    left = [daemon for daemon in daemons if running(daemon)]
    for number in (signal.SIGTERM, signal.SIGKILL):
        for daemon in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(daemon.pid, number)
        deadline = time.monotonic() + GRACE_S
        while left and time.monotonic() < deadline:
            time.sleep(0.01)
            _reap(left)
            left = [daemon for daemon in left if running(daemon)]


def _reap(daemons: Iterable[Daemon]) -> None:
    """Reap our own children among them, to leave no zombies."""
    for daemon in daemons:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(daemon.pid, os.WNOHANG)
