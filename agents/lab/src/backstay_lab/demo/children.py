"""The supervisor's children: started in their own sessions, monitored, restarted, stopped.

A child that exits is restarted after a pause that doubles from 0.2 s to thirty seconds, and is reset after it
ran for ten seconds: a killed agent is back within two.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from backstay_lab.demo import sessions
from backstay_lab.demo.errors import StepError
from backstay_lab.demo.sessions import ChildSession
from backstay_lab.demo.shutdown import Stopping

FIRST_PAUSE_S, LONGEST_PAUSE_S, STEADY_S = 0.2, 30.0, 10.0
ROUND_S = 0.2


@dataclass(frozen=True, slots=True)
class Program:
    """How to run a child. `user` is the account it runs as; empty: the supervisor's own."""

    name: str
    argv: Sequence[str]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    user: str = ""
    niceness: int = 0
    """Niceness (nice(1)), also applied to the session's autogroup."""


@dataclass(slots=True)
class Child:
    """A running program and its history."""

    program: Program
    process: subprocess.Popen[bytes]
    session: ChildSession
    started: float
    pause_s: float = FIRST_PAUSE_S
    due: float | None = None
    """Time of the restart, monotonic seconds; None while it runs."""


def pause_after(ran_s: float, pause_s: float) -> tuple[float, float]:
    """(pause now, pause next time) for a child that exited after `ran_s`, seconds."""
    now = FIRST_PAUSE_S if ran_s >= STEADY_S else pause_s
    return now, min(now * 2, LONGEST_PAUSE_S)


def launch(program: Program, mark: str) -> subprocess.Popen[bytes]:
    """Start a program in its own session; its output goes to its log."""
    account: dict[str, object] = {}
    if program.user:
        account = {"user": program.user, "group": program.user, "extra_groups": []}
    environment = {**os.environ, **program.environment, sessions.MARK: mark}
    # Overrides a machine's ban on compiled files: a dozen processes would compile every module again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    argv = ["nice", "-n", str(program.niceness)] if program.niceness else []
    with program.log.open("ab") as sink:
        process: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]
            [*argv, *program.argv],
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=program.folder,
            start_new_session=True,
            **account,
        )
    if program.niceness:
        lower_priority(process.pid, program.niceness)
    return process


def lower_priority(session: int, niceness: int) -> None:
    """Apply the niceness to the session too: with `sched_autogroup_enabled` each session has an equal share
    of the processors, whatever its processes' niceness (sched(7)).
    """
    with contextlib.suppress(OSError):
        Path(f"/proc/{session}/autogroup").write_text(str(niceness), encoding="ascii")


class Children:
    """All children of one supervisor; `changed` is called after each start with the sessions to record."""

    def __init__(self, mark: str, changed: Callable[[dict[str, ChildSession]], None]) -> None:
        self._mark = mark
        self._changed = changed
        self._children: dict[str, Child] = {}

    def start(self, program: Program) -> None:
        """Start a program; StepError when it cannot be run."""
        try:
            process = launch(program, self._mark)
        except OSError as error:
            raise StepError(f"{program.name} could not be started: {error}") from error
        session = sessions.identify(program.name, process.pid)
        self._children[program.name] = Child(program, process, session, time.monotonic())
        self._changed(self.sessions())

    def sessions(self) -> dict[str, ChildSession]:
        """Every child's session by name."""
        return {name: child.session for name, child in self._children.items()}

    def require(self, *names: str) -> None:
        """StepError when one of these children has exited."""
        for name in names:
            child = self._children[name]
            if (code := child.process.poll()) is not None:
                raise StepError(f"{name} exited at once ({describe(code)}).", child.program.log)

    def names(self) -> list[str]:
        return list(self._children)

    def look_after(self, now: float, report: Callable[[str, str], None]) -> None:
        """One round: report exited children, restart those that are due."""
        for name, child in self._children.items():
            if child.due is not None and now >= child.due:
                self._restart(child, now)
                report(name, "started again")
            elif child.due is None and (code := child.process.poll()) is not None:
                pause, child.pause_s = pause_after(now - child.started, child.pause_s)
                child.due = now + pause
                report(
                    name, f"ended ({describe(code)}), starts again in {pause:g} s; log: {child.program.log}"
                )

    def watch(self, report: Callable[[str, str], None], stopping: Stopping) -> NoReturn:
        """Monitor the children until a stop is requested, which raises Interrupted."""
        while True:
            self.look_after(time.monotonic(), report)
            stopping.sleep(ROUND_S)

    def _restart(self, child: Child, now: float) -> None:
        # Remains of the session would hold its port or its socket.
        sessions.end([child.session], self._mark, ask=signal.SIGTERM, grace_s=1)
        child.process = launch(child.program, self._mark)
        child.session = sessions.identify(child.program.name, child.process.pid)
        child.started, child.due = now, None
        self._changed(self.sessions())

    def end(self, names: Sequence[str], *, ask: signal.Signals = signal.SIGTERM, grace_s: float) -> None:
        """Stop the started ones of these children."""
        chosen = [self._children.pop(name) for name in names if name in self._children]
        sessions.end([child.session for child in chosen], self._mark, ask=ask, grace_s=grace_s)
        for child in chosen:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(0.1)


def describe(code: int) -> str:
    """A return code as text: `status 1`, `killed by SIGKILL`."""
    return f"status {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
