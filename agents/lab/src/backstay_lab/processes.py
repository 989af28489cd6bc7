"""Starts processes that outlive the command that started them, and ends exactly those.

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
    """A process of the lab: what it is, on which node (empty: of the lab itself), and which process."""

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
    """Start time of a living process; None for one that is gone or a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[19])


def running(daemon: Daemon) -> bool:
    """Whether this very process still lives."""
    return _start_time(daemon.pid) == daemon.start


def identify(name: str, pid: int) -> Daemon:
    """A process that was started elsewhere, as one to end."""
    return Daemon(name, "", pid, _start_time(pid) or 0)


def stop(daemons: Iterable[Daemon]) -> None:
    """End them: ask, wait at most two seconds for all together, then insist."""
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
    """Collect those that are our own children, so that they do not stay as zombies."""
    for daemon in daemons:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(daemon.pid, os.WNOHANG)
