"""Child processes: identified by start time, stopped with their descendants, restarted with growing
delays."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from backstay_lab.demo import sessions
from backstay_lab.demo.children import Children, Program, describe, pause_after
from backstay_lab.demo.errors import StepError
from backstay_lab.demo.sessions import ChildSession

MARK = "a test's demo"
# Starts a child that ignores SIGTERM, and prints both ids.
STUBBORN_FAMILY = """
import os, signal, subprocess, sys, time
deaf = "import signal as s, time; s.signal(s.SIGTERM, s.SIG_IGN); print('up', flush=True); time.sleep(60)"
child = subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(60)
"""


def sleeper(folder: Path, code: str = "import time; time.sleep(60)") -> Program:
    return Program("sleeper", [sys.executable, "-c", code], folder / "log")


def wait_for(folder: Path) -> int:
    """The process id printed by the stubborn process."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if text := (folder / "log").read_text().strip():
            return int(text)
        time.sleep(0.02)
    raise AssertionError("it did not start")


def test_process_name_with_brackets_and_spaces_is_skipped() -> None:
    stat = "42 (odd) name) S 1 42 40 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 2000"
    assert sessions.parse_stat(stat) == sessions.Process(42, 40, 987654)


def test_zombie_is_not_alive() -> None:
    stat = "42 (gone) Z 1 42 40 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 0 0"
    assert sessions.parse_stat(stat) is None


def test_recycled_process_id_is_not_ours() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        ours = sessions.identify("x", process.pid)
        assert sessions.alive(ours)
        recycled = replace(ours, start=ours.start - 1)
        assert not sessions.alive(recycled)
        sessions.end([recycled], MARK, ask=signal.SIGKILL, grace_s=0.2)
        assert process.poll() is None
        process.kill()


def test_session_ends_with_a_grandchild_that_ignores_sigterm(tmp_path: Path) -> None:
    children = Children(MARK, lambda _: None)
    children.start(sleeper(tmp_path, STUBBORN_FAMILY))
    grandchild = wait_for(tmp_path)
    assert sessions.look_up(grandchild)
    children.end(["sleeper"], grace_s=0.3)
    assert sessions.look_up(grandchild) is None


def test_grandchild_of_a_killed_leader_is_found_by_its_mark(tmp_path: Path) -> None:
    children = Children(MARK, lambda _: None)
    children.start(sleeper(tmp_path, STUBBORN_FAMILY))
    grandchild = wait_for(tmp_path)
    leader: ChildSession = children.sessions()["sleeper"]
    sessions.end([leader], "nobody's mark", ask=signal.SIGKILL, grace_s=0.2)
    assert sessions.look_up(grandchild), "another demo's mark must not reach it"
    sessions.end([leader], MARK, ask=signal.SIGTERM, grace_s=0.2)
    assert sessions.look_up(grandchild) is None


@pytest.mark.parametrize(
    ("ran_s", "pause_s", "expected"),
    [(2, 0.2, (0.2, 0.4)), (2, 8, (8, 16)), (2, 30, (30, 30)), (11, 30, (0.2, 0.4))],
)
def test_restart_delay_doubles_to_30_s_and_resets_after_ten_stable_seconds(
    ran_s: float, pause_s: float, expected: tuple[float, float]
) -> None:
    assert pause_after(ran_s, pause_s) == expected


def test_failed_child_is_reported_and_restarted_when_due(tmp_path: Path) -> None:
    lines: list[str] = []
    saved: list[dict[str, ChildSession]] = []
    children = Children(MARK, saved.append)
    children.start(sleeper(tmp_path, "raise SystemExit(3)"))
    first = children.sessions()["sleeper"]
    deadline = time.monotonic() + 10
    while not lines and time.monotonic() < deadline:
        children.look_after(time.monotonic(), lambda name, text: lines.append(f"{name}: {text}"))
        time.sleep(0.02)
    assert lines == [f"sleeper: ended (status 3), starts again in 0.2 s; log: {tmp_path / 'log'}"]
    children.look_after(time.monotonic() + 1.1, lambda name, text: lines.append(f"{name}: {text}"))
    assert lines[-1] == "sleeper: started again"
    assert children.sessions()["sleeper"] != first
    assert saved[-1] == children.sessions()
    children.end(["sleeper"], grace_s=1)


def test_missing_child_fails_the_step_that_needs_it(tmp_path: Path) -> None:
    children = Children(MARK, lambda _: None)
    children.start(sleeper(tmp_path, "raise SystemExit(3)"))
    leader = children.sessions()["sleeper"]
    deadline = time.monotonic() + 10
    while sessions.alive(leader) and time.monotonic() < deadline:
        time.sleep(0.02)
    with pytest.raises(StepError, match="sleeper exited at once"):
        children.require("sleeper")


def test_missing_program_fails_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(StepError, match="nothing could not be started"):
        Children(MARK, lambda _: None).start(Program("nothing", ["/no/such/program"], tmp_path / "log"))


def test_return_codes_have_texts() -> None:
    assert describe(3) == "status 3"
    assert describe(-9) == "killed by SIGKILL"


def test_session_survives_a_round_trip_through_a_file() -> None:
    session = ChildSession("web", 4711, 99)
    kept = json.loads(json.dumps({"name": "web", "pid": 4711, "start": 99}))
    assert ChildSession(**kept) == session
