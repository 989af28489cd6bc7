"""A real `backstay-agent run` as a child process."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Self


class AgentProcess:
    """An agent with its state in `folder`/state and its log in `folder`/agent.log."""

    def __init__(self, folder: Path, arguments: list[str], prefix: list[str]) -> None:
        """`prefix` is a command that runs it elsewhere (`nsenter ...`), or empty."""
        self.state = folder / "state"
        self.log = folder / "agent.log"
        command = [*prefix, sys.executable, "-m", "backstay_agent.cli", "run", "--state", str(self.state)]
        self._command = command + arguments
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Process id; `nsenter` becomes the agent, so it is the agent's."""
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> Self:
        """Start it (again). Assignments may name files anywhere: a test's daemons have their own folders."""
        environment = {"BACKSTAY_ALLOW_PATHS": "/", **os.environ}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, env=environment)
        return self

    def kill(self) -> None:
        """SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(5)

    def stop(self) -> int:
        """SIGTERM, and SIGKILL if that does not help in ten seconds; the exit status."""
        assert self._process is not None
        if self.running:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        return int(self._process.returncode)
