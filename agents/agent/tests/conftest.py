"""Fixtures of the agent's tests: clocks, namespaces, and real agent processes."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_agent.bench.clock import ManualClock
from backstay_agent.bench.network import Namespace, namespace


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def _can_make_namespaces() -> bool:
    unshare = shutil.which("unshare")
    return unshare is not None and subprocess.run([unshare, "--net", "true"], check=False).returncode == 0


@pytest.fixture(scope="session")
def make_namespace() -> Iterator[Callable[[], Namespace]]:
    """Makes namespaces that live until the end of the session."""
    if os.geteuid() != 0 or not _can_make_namespaces():
        pytest.skip("needs root to make network namespaces")
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(namespace())


class AgentProcess:
    """A real `backstay-agent run`, with its log in its state folder's parent."""

    def __init__(self, state: Path, arguments: list[str], prefix: list[str]) -> None:
        self.state = state
        self.log = state.parent / "agent.log"
        self._command = [*prefix, sys.executable, "-m", "backstay_agent.cli", "run", "--state", str(state)]
        self._command += arguments
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "AgentProcess":
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log)
        return self

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(5)

    def stop(self) -> int:
        """SIGTERM; the exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.process.returncode


StartAgent = Callable[..., AgentProcess]


@pytest.fixture(scope="module")
def start_agent() -> Iterator[StartAgent]:
    """Starts agents with their state in a folder, and sees to it that none outlives its module."""
    started: list[AgentProcess] = []

    def start(folder: Path, arguments: list[str], prefix: list[str] | None = None) -> AgentProcess:
        agent = AgentProcess(folder / "state", arguments, prefix or [])
        started.append(agent)
        return agent.start()

    yield start
    for agent in started:
        agent.stop()
