"""A node whose changes are executed by real processes, driver and guard; the test acts as the backend."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path

from backstay_agent.host.files import atomic_write, private_dir
from backstay_testing.engines import wait_until
from backstay_testing.namespaces import Namespace
from backstay_testing.node_state import differences
from backstay_wire import ChangeAssignment, ChangeReport, NodePhase, Phase

CHANGE = 7
_POLL_S = 0.1


class DrivenNode(ABC):
    """One node, one change, by phases."""

    def __init__(
        self, space: Namespace, folder: Path, controller: tuple[str, int], environment: Mapping[str, str]
    ) -> None:
        self.space = space
        self.folder = folder
        self._controller_at = controller
        self._environment = {**os.environ, **environment}
        self._driver: subprocess.Popen[bytes] | None = None
        self.change = CHANGE
        self.assignment: ChangeAssignment | None = None
        private_dir(folder / "state")

    @abstractmethod
    def seen(self) -> dict[str, str]:
        """The node's state from ip(8) and the disk, independent of the code under test."""

    def start(self) -> None:
        """Start the driver (again)."""
        host, port = self._controller_at
        argv = [sys.executable, "-m", "backstay_testing.change_process", str(self.folder), host, str(port)]
        with (self.folder / "driver.log").open("ab") as log:
            self._driver = subprocess.Popen(
                [*self.space.enter(), *argv], stdout=log, stderr=log, env=self._environment
            )

    def kill_driver(self) -> None:
        """SIGKILL to the agent's part."""
        assert self._driver is not None
        self._driver.kill()
        self._driver.wait()

    def go_on(self) -> None:
        """SIGCONT to the agent's part."""
        assert self._driver is not None
        self._driver.send_signal(signal.SIGCONT)

    @property
    def driver_pid(self) -> int:
        """Process id; `nsenter` becomes the driver, so it is the driver's."""
        assert self._driver is not None
        return self._driver.pid

    @property
    def driver_runs(self) -> bool:
        """Whether the agent's part is running."""
        return self._driver is not None and self._driver.poll() is None

    def guard_pid(self) -> int:
        """The guard's process ID; 0: none."""
        try:
            return int(json.loads((self.folder / "state/guard/watching.json").read_bytes())["pid"])
        except (OSError, ValueError):
            return 0

    def kill_guard(self) -> None:
        """SIGKILL to the guard."""
        os.kill(self.guard_pid(), signal.SIGKILL)

    def want(self, phase: Phase) -> None:
        """Request a phase."""
        assert self.assignment is not None
        self.assignment = self.assignment.model_copy(update={"phase": phase})
        atomic_write(self.folder / "duties.json", f"[{self.assignment.model_dump_json()}]".encode())

    def drop(self) -> None:
        """Withdraw the assignment."""
        atomic_write(self.folder / "duties.json", b"[]")

    def reports(self) -> list[ChangeReport]:
        """The reported phases of the change."""
        try:
            lines = (self.folder / "reports.jsonl").read_text().splitlines()
        except FileNotFoundError:
            return []
        reported = [ChangeReport.model_validate_json(line) for line in lines]
        return [report for report in reported if report.change == self.change]

    def until(self, *phases: NodePhase, seconds: float = 60.0) -> ChangeReport:
        """Wait until the node reports one of these phases. Raises TimeoutError."""
        try:
            wait_until(lambda: any(report.phase in phases for report in self.reports()), seconds, _POLL_S)
        except TimeoutError:
            reported = [(report.phase, report.reason) for report in self.reports()]
            raise TimeoutError(f"none of {phases}; reported {reported}, journal at {self.step()!r}") from None
        return [report for report in self.reports() if report.phase in phases][-1]

    def until_step(self, step: str) -> None:
        """Wait until the journal is at this step; empty: until there is none. Raises TimeoutError."""
        wait_until(lambda: self.step() == step)

    def until_dead(self) -> None:
        """Wait until the agent's part has died. Raises TimeoutError."""
        wait_until(lambda: not self.driver_runs, 30)

    def step(self) -> str:
        """The step in the journal; empty: none."""
        try:
            return str(
                json.loads((self.folder / f"state/guard/{self.change}.journal.json").read_bytes())["step"]
            )
        except FileNotFoundError:
            return ""

    def until_as(self, before: dict[str, str], seconds: float) -> float:
        """Wait until the node is restored; returns the duration. Raises TimeoutError with the differences."""
        began = time.monotonic()
        while (now := self.seen()) != before:
            if time.monotonic() - began > seconds:
                raise TimeoutError(f"differs: {differences(before, now)}")
            time.sleep(0.3)
        return time.monotonic() - began

    def end(self) -> None:
        """End driver and guard."""
        if self.driver_runs:
            self.kill_driver()
        with contextlib.suppress(OSError):
            if self.guard_pid():
                self.kill_guard()
