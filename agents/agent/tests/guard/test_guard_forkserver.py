"""Forked guards: started at once, independent of the agent, and outliving it."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from backstay_agent.guard.launch import Launcher
from backstay_agent.guard.store import Store
from backstay_agent.host.forkserver import ForkServer
from backstay_testing.engines import wait_until

_AGENT = """
import sys, time
from pathlib import Path
from backstay_agent.guard import forkserver
from backstay_agent.guard.launch import Launcher
from backstay_agent.guard.store import Store
state = Path(sys.argv[1])
guards = forkserver.fork(state)
secret = (state / "secret").open("a")
launcher = Launcher(Store(state, "agent"), guards)
print(guards.pid, flush=True)
while True:
    launcher.ensure()
    time.sleep(0.02)
"""


def watching(state: Path) -> int:
    """The guard's process id; 0: none."""
    try:
        pid = int(json.loads((state / "guard" / "watching.json").read_bytes())["pid"])
        os.kill(pid, 0)
    except (OSError, ValueError):
        return 0
    return pid


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process that supervises a guard like an agent, and its fork server's id."""
    process = subprocess.Popen(
        [sys.executable, "-c", _AGENT, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    yield process, int(process.stdout.readline())
    process.kill()
    process.wait()
    if guard := watching(tmp_path):
        os.kill(guard, signal.SIGKILL)
    process.stdout.close()


def test_guard_is_forked_without_a_new_interpreter_and_inherits_nothing_from_the_agent(
    tmp_path: Path, agent: tuple[subprocess.Popen[str], int]
) -> None:
    process, fork_server = agent
    wait_until(lambda: bool(watching(tmp_path)), 10)
    guard = watching(tmp_path)
    status = dict(line.split(":\t", 1) for line in Path(f"/proc/{guard}/status").read_text().splitlines())
    assert (status["PPid"], status["Name"]) == (str(fork_server), "backstay-guard")
    assert os.getsid(guard) == guard != os.getsid(process.pid)
    held = {os.fspath(item.readlink()) for item in Path(f"/proc/{guard}/fd").iterdir()}
    assert {item for item in held if item.startswith(str(tmp_path))} <= {
        str(tmp_path / "guard" / name) for name in ("guard.log", "alone.lock", "turn.lock")
    }
    assert started_by(guard) == started_by(fork_server), "execve(2) would replace the command line"


def started_by(pid: int) -> bytes:
    """The command line of the last execve(2) (proc(5), cmdline)."""
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def test_guard_survives_a_killed_agent_but_its_fork_server_does_not(
    tmp_path: Path, agent: tuple[subprocess.Popen[str], int]
) -> None:
    process, fork_server = agent
    wait_until(lambda: bool(watching(tmp_path)), 10)
    process.kill()
    process.wait()
    wait_until(lambda: not _lives(fork_server), 10)
    assert watching(tmp_path)
    assert "guard watches" in (tmp_path / "guard" / "guard.log").read_text()


def test_killed_guard_is_forked_again_and_leaves_no_zombie(
    tmp_path: Path, agent: tuple[subprocess.Popen[str], int]
) -> None:
    wait_until(lambda: bool(watching(tmp_path)), 10)
    first = watching(tmp_path)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: watching(tmp_path) not in {0, first}, 10)
    assert not _lives(first)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_guard_starts_without_a_fork_server(
    tmp_path: Path, agent: tuple[subprocess.Popen[str], int], how: signal.Signals
) -> None:
    _, fork_server = agent
    wait_until(lambda: bool(watching(tmp_path)), 10)
    first = watching(tmp_path)
    os.kill(fork_server, how)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: watching(tmp_path) not in {0, first}, 60)


def test_unresponsive_fork_server_is_abandoned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    monkeypatch.setattr("backstay_agent.host.forkserver._ANSWERS_S", 0.1)
    monkeypatch.setattr("backstay_agent.host.processes.start_detached", lambda *_: Never())
    launcher = Launcher(Store(tmp_path, "agent"), ForkServer(ours, 0))
    launcher.ensure()
    launcher.ensure()
    assert theirs.recv(16) == b"one"
    time.sleep(0.15)
    launcher.ensure()
    assert isinstance(launcher._started, Never)
    theirs.close()


class Never:
    """A process that never finishes starting."""

    def poll(self) -> int | None:
        return None


def _lives(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
