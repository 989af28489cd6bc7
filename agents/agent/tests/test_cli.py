"""The command line against a real backend: enrolment, files, status, and what never appears in a log."""

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.sink import Sink
from backstay_wire import Desired

CLI = [sys.executable, "-m", "backstay_agent.cli"]
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]


@pytest.fixture
def sink() -> Iterator[Sink]:
    started = Sink(desired=Desired(generation=3, site="argonne", node="sp01", sources=[], paths=[])).start()
    yield started
    started.stop()


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLI, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


def until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.02)


def test_enrolment_creates_private_files_and_spends_the_token(sink: Sink, tmp_path: Path) -> None:
    state = tmp_path / "state"
    token = tmp_path / "token"
    token.write_text(sink.token + "\n")
    done = command("enrol", "--backend", sink.url, "--token-file", str(token), "--state", str(state))
    assert done.returncode == 0, done.stderr
    assert "node sp01 of site argonne" in done.stdout
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    for name in ("key.pem", "identity.json"):
        assert stat.S_IMODE((state / name).stat().st_mode) == 0o600
    identity = json.loads((state / "identity.json").read_text())
    assert identity["credential"] not in done.stdout + done.stderr
    assert sink.token not in done.stdout + done.stderr
    other = tmp_path / "other"
    refused = command("enrol", "--backend", sink.url, "--state", str(other), BACKSTAY_TOKEN=sink.token)
    assert refused.returncode == 1
    assert "used up" in refused.stderr
    assert not (other / "identity.json").exists()


def test_unenrolled_agent_names_the_required_options(tmp_path: Path) -> None:
    done = command("run", "--state", str(tmp_path / "state"), BACKSTAY_TOKEN="")
    assert done.returncode == 1
    assert "--backend" in done.stderr
    assert "--token-file" in done.stderr


def test_status_before_the_first_run_is_an_error(tmp_path: Path) -> None:
    done = command("status", "--state", str(tmp_path))
    assert done.returncode == 1
    assert "no agent has run" in done.stderr


def test_agent_writes_its_status_stops_and_restarts_with_a_used_token(
    sink: Sink, tmp_path: Path, start_agent: StartAgent
) -> None:
    arguments = ["--backend", sink.url, "--token", sink.token]
    agent = start_agent(tmp_path, arguments, [])
    state = tmp_path / "state"
    until((state / "desired.json").exists)
    second = command("run", "--state", str(state), *arguments)
    assert second.returncode == 1
    assert "another agent runs" in second.stderr
    until(lambda: command_status(state)["generation"] == 3)
    reported = command_status(state)
    assert (reported["running"], reported["node"], reported["spool_waiting"]) == (True, "sp01", 0)
    assert "generation 3" in command("status", "--state", str(state)).stdout
    assert agent.stop() == 0
    assert command_status(state)["running"] is False
    again = start_agent(tmp_path, arguments, [])
    until(lambda: sink.requests["desired"] >= 2)
    assert again.running
    log = (tmp_path / "agent.log").read_text()
    assert sink.token not in log
    assert json.loads((state / "identity.json").read_text())["credential"] not in log


def command_status(state: Path) -> dict[str, object]:
    done = command("status", "--state", str(state), "--json")
    return json.loads(done.stdout) if done.returncode == 0 else {"generation": None}


def damaged_start(sink: Sink, folder: Path, start_agent: StartAgent, damage: Callable[[Path], None]) -> str:
    """Run an agent, kill it, damage its state, run it again until it asks or complains; its log since."""
    agent = start_agent(folder, ["--backend", sink.url, "--token", sink.token], [])
    state = folder / "state"
    until(lambda: (state / "desired.json").exists() and (state / "status.json").exists())
    agent.kill()
    damage(state)
    agent.log.write_text("")
    before = sink.requests["desired"]
    agent.start()

    def is_back() -> bool:
        return sink.requests["desired"] > before or "no identity" in agent.log.read_text()

    until(lambda: is_back() or not agent.running)
    assert agent.running, agent.log.read_text()
    return agent.log.read_text()


def put(name: str, content: bytes | None) -> Callable[[Path], None]:
    """Damage: these octets, or a folder, in place of a file."""

    def damage(state: Path) -> None:
        path = state / name
        path.unlink(missing_ok=True)
        if content is None:
            path.mkdir()
        else:
            path.write_bytes(content)

    return damage


@pytest.mark.parametrize("content", [b'{"agent": 1}', None])
def test_a_damaged_identity_is_recovered_with_the_key(
    sink: Sink, tmp_path: Path, start_agent: StartAgent, content: bytes | None
) -> None:
    log = damaged_start(sink, tmp_path, start_agent, put("identity.json", content))
    assert "identity recovered" in log
    state = tmp_path / "state"
    assert list(state.glob("identity.json.damaged-*"))
    until((state / "identity.json").is_file)
    assert json.loads((state / "identity.json").read_text())["node"] == "sp01"


def test_without_key_and_identity_the_agent_says_so_and_runs_on(
    sink: Sink, tmp_path: Path, start_agent: StartAgent
) -> None:
    def damage(state: Path) -> None:
        put("identity.json", b"?")(state)
        put("key.pem", b"?")(state)

    log = damaged_start(sink, tmp_path, start_agent, damage)
    assert "no identity" in log
    assert "enrolled again" in log


def test_stray_folders_do_not_keep_the_agent_from_starting(
    sink: Sink, tmp_path: Path, start_agent: StartAgent
) -> None:
    names = ["lock", "desired.json", "status.json", "failover.json", "tests.json"]

    def damage(state: Path) -> None:
        for name in names:
            put(name, None)(state)

    damaged_start(sink, tmp_path, start_agent, damage)
    for name in names:
        assert (tmp_path / "state" / f"{name}.damaged-1").is_dir(), name
