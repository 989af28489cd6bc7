"""Fixtures of the agent's tests: clocks, namespaces, and real agent processes."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from backstay_agent.probes.throughput.tools import Tools
from backstay_testing.agent_process import AgentProcess
from backstay_testing.checked_host import CheckedHost
from backstay_testing.clock import ManualClock
from backstay_testing.namespaces import Namespace, namespace
from backstay_testing.throughput_agent import Side


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def host(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anyio_backend: str
) -> AsyncIterator[CheckedHost]:
    """A simulated host whose gateways are checked."""
    made = CheckedHost(clock, tmp_path / "failover.json", monkeypatch.setattr)
    yield made
    await made.end()


def _can_make_namespaces() -> bool:
    unshare = shutil.which("unshare")
    return unshare is not None and subprocess.run([unshare, "--net", "true"], check=False).returncode == 0


@pytest.fixture(scope="session")
def make_namespace() -> Iterator[Callable[[], Namespace]]:
    """Creates namespaces that exist until the end of the session."""
    if os.geteuid() != 0 or not _can_make_namespaces():
        pytest.skip("needs root to make network namespaces")
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(namespace())


@pytest.fixture(scope="module")
def start_agent() -> Iterator[Callable[[Path, list[str], list[str]], AgentProcess]]:
    """Starts agents with their state in a folder, and ends them with their module."""
    started: list[AgentProcess] = []

    def start(folder: Path, arguments: list[str], prefix: list[str]) -> AgentProcess:
        agent = AgentProcess(folder, arguments, prefix)
        started.append(agent)
        return agent.start()

    yield start
    for agent in started:
        agent.stop()


@pytest.fixture
async def make_side() -> AsyncIterator[Callable[..., Side]]:
    """Creates throughput test runners, and ends them."""
    made: list[Side] = []

    def make(journal: Path | None = None, tools: Tools | None = None) -> Side:
        made.append(Side(journal, tools))
        return made[-1]

    yield make
    for one in made:
        await one.close()
