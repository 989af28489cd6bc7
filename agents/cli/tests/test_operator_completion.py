"""Completion of names from the API: within a second, and never an error on the command line."""

import os
import socket
import subprocess
import sys

import pytest

from backstay_cli import completion
from backstay_testing.cli.fake_server import World
from backstay_testing.cli.rollout import policy


def test_completions_have_descriptions(world: World) -> None:
    world.answers["GET", "/failover-policies"] = [policy(1, "sp-default"), policy(2, "sp-static")]
    assert completion.policies("sp-d") == [("sp-default", "0.0.0.0/0")]
    assert completion.nodes("") == [("sp01", "compute, ok")]
    assert completion.nodes("x") == []


def test_test_plans_and_runs_are_completed(world: World) -> None:
    assert completion.test_plans("n") == [("nightly", "next in 3 h")]
    assert completion.test_runs("") == [("11", "nightly, cancelled"), ("12", "nightly, done")]


def test_name_with_control_characters_is_not_completed(world: World) -> None:
    world.answers["GET", "/nodes"] = [{"name": "sp\x1b[2J", "role": "r"}, {"name": "sp02", "role": "\x1b"}]
    assert completion.nodes("sp") == [("sp02", "\\x1b, ")]


def test_unresponsive_backend_delays_completion_by_at_most_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("BACKSTAY_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("BACKSTAY_TOKEN", "x")
        assert completion.policies("") == []
    assert completion.WITHIN_S <= 1


def test_response_without_a_list_completes_nothing(world: World) -> None:
    for answer in ((200, b"<html>"), (403, {"message": "no"}), (200, {"items": [1]}), (200, [1])):
        world.answers["GET", "/nodes"] = answer
        assert completion.nodes("") == []


def test_shell_completion_works_through_the_console_script(world: World) -> None:
    environment = os.environ | {
        "_BACKSTAY_COMPLETE": "complete_bash", "COMP_WORDS": "backstay plan sp", "COMP_CWORD": "2",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "backstay_cli"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["sp-default"]
    assert done.stderr == ""
