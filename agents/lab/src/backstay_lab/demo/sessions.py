"""Process sessions: each child of the supervisor leads one, and is stopped with everything it started.

A session is identified by its leader's process ID *and* start time (field 22 of proc_pid_stat(5)), so a
recycled ID is never taken for ours. The kernel does not reuse an ID while a session of that number has
members, so members that outlive their leader are still ours; they must also carry our mark in their
environment.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MARK = "BACKSTAY_DEMO"
"""Environment variable that each child carries: the data folder."""
PROC = Path("/proc")
_KILLED_S = 10.0
"""A killed process ends only once it gets processor time."""


@dataclass(frozen=True, slots=True)
class Process:
    """The needed fields of proc_pid_stat(5). `start` is in clock ticks after boot."""

    pid: int
    session: int
    start: int


@dataclass(frozen=True, slots=True)
class ChildSession:
    """A child's session."""

    name: str
    pid: int
    start: int


def parse_stat(text: str) -> Process | None:
    """A living process's fields; None for a zombie. The name in brackets may contain brackets."""
    before, _, after = text.rpartition(")")
    fields = after.split()
    if fields[0] in {"Z", "X"}:
        return None
    return Process(int(before.split(" ", 1)[0]), int(fields[3]), int(fields[19]))


def look_up(pid: int) -> Process | None:
    """The living process with that ID; None without one."""
    try:
        return parse_stat((PROC / str(pid) / "stat").read_text())
    except (OSError, IndexError, ValueError):
        return None


def every_process() -> Iterator[Process]:
    """All living processes."""
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (process := look_up(int(entry.name))):
            yield process


def identify(name: str, pid: int) -> ChildSession:
    """The session of a process just started."""
    process = look_up(pid)
    return ChildSession(name, pid, process.start if process else 0)


def alive(session: ChildSession) -> bool:
    """Whether this leader is still running."""
    process = look_up(session.pid)
    return process is not None and process.start == session.start


def _marked(pid: int, mark: str) -> bool:
    try:
        environment = (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return False
    return f"{MARK}={mark}".encode() in environment.split(b"\0")


def members(sessions: Iterable[ChildSession], mark: str) -> list[Process]:
    """The living processes of these sessions, leaders included."""
    by_id = {session.pid: session for session in sessions}
    return [
        process
        for process in every_process()
        if (session := by_id.get(process.session))
        and (alive(session) or (look_up(session.pid) is None and _marked(process.pid, mark)))
    ]


def end(sessions: Iterable[ChildSession], mark: str, *, ask: signal.Signals, grace_s: float) -> None:
    """Stop these sessions: signal the leaders, wait, then kill all remaining members."""
    wanted = list(sessions)
    for session in wanted:
        if alive(session):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(session.pid, ask)
    deadline = time.monotonic() + grace_s
    while (left := members(wanted, mark)) and time.monotonic() < deadline:
        reap(wanted)
        time.sleep(0.03)
    for process in left:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + _KILLED_S
    # By number, not by mark: a killed process has lost its environment before it is gone.
    while any(look_up(process.pid) == process for process in left) and time.monotonic() < deadline:
        reap(wanted)
        time.sleep(0.01)


def reap(sessions: Iterable[ChildSession]) -> None:
    """Reap our own children among them, to leave no zombies."""
    for session in sessions:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(session.pid, os.WNOHANG)


def ask_and_wait(session: ChildSession, seconds: float) -> None:
    """Terminate one process and wait; kill it after the time limit."""
    if not alive(session):
        return
    os.kill(session.pid, signal.SIGTERM)
    deadline = time.monotonic() + seconds
    while alive(session):
        if time.monotonic() > deadline:
            with contextlib.suppress(ProcessLookupError):
                os.kill(session.pid, signal.SIGKILL)
            deadline += seconds
        time.sleep(0.05)
