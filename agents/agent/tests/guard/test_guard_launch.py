"""Starting the guard: one at a time, and the next only after the first has ended."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from backstay_agent.guard.launch import Launcher
from backstay_agent.guard.store import Store
from backstay_agent.host import processes
from backstay_agent.host.locks import owned

Started = list[subprocess.Popen[bytes]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    """Processes that replace the guard and never finish starting; ended after the test."""
    found: Started = []

    def start(_argv: Sequence[str], _log: Path) -> subprocess.Popen[bytes]:
        found.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]))
        return found[-1]

    monkeypatch.setattr(processes, "start_detached", start)
    yield found
    for process in found:
        process.kill()
        process.wait()


def test_no_second_guard_is_started_while_one_is_starting(tmp_path: Path, started: Started) -> None:
    launcher = Launcher(Store(tmp_path, "agent"))
    for _ in range(100):
        launcher.ensure()
    assert len(started) == 1


def test_guard_that_dies_while_starting_is_replaced_and_leaves_no_zombie(
    tmp_path: Path, started: Started
) -> None:
    launcher = Launcher(Store(tmp_path, "agent"))
    launcher.ensure()
    started[0].kill()
    deadline = time.monotonic() + 10
    while len(started) < 2 and time.monotonic() < deadline:
        launcher.ensure()
        time.sleep(0.01)
    assert len(started) == 2
    assert started[0].returncode is not None


def test_no_second_guard_is_started(tmp_path: Path, started: Started) -> None:
    store = Store(tmp_path, "agent")
    with owned(store.alone) as mine:
        assert mine
        Launcher(store).ensure()
    assert started == []
