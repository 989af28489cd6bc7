"""A real terminal: a board with a countdown and keys."""

import os
import signal

import pytest

from backstay_cli.output import show, table
from backstay_testing.cli.fake_server import Asked, World
from backstay_testing.cli.rollout import change, member
from backstay_testing.cli.terminal import at_terminal, read_until


def test_key_c_confirms_and_the_change_succeeds(world: World) -> None:
    waits = change("confirming", members=[member("sp05", "applied")])
    done = change("done", members=[member("sp05", "confirmed")])
    world.answers["GET", "/changes/42"] = lambda _: (
        done if world.made("POST", "/changes/42/confirm") else waits
    ).model_dump(mode="json")

    def act(handle: int, _: int) -> None:
        seen = read_until(handle, "q leave")
        assert "1 min 13 s until the guards roll back" in seen
        assert "\x1b[" in seen
        os.write(handle, b"c")
        read_until(handle, "Change #42: SP - ")

    assert at_terminal(["change", "42", "--wait"], act) == 0
    assert world.made("POST", "/changes/42/confirm")[0].body == {"wave": 0}


def test_ctrl_c_quits_without_a_request_to_the_change(world: World) -> None:
    def waits(_: Asked) -> object:
        return change("confirming", members=[member("sp05", "applied")]).model_dump(mode="json")

    world.answers["GET", "/changes/42"] = waits

    def act(handle: int, process: int) -> None:
        read_until(handle, "q leave")
        os.kill(process, signal.SIGINT)
        read_until(handle, "The change continues")

    assert at_terminal(["change", "42", "--wait"], act) == 0
    assert {item.method for item in world.asked} == {"GET"}


def test_repeated_command_clears_the_terminal_for_each_frame_and_ends_by_ctrl_c(world: World) -> None:
    def act(handle: int, process: int) -> None:
        seen = read_until(handle, "1 gateway")
        assert "\x1b[H\x1b[2J" in seen
        read_until(handle, "\x1b[H\x1b[2J")
        os.kill(process, signal.SIGINT)

    assert at_terminal(["gateways", "list", "--watch", "0.5"], act) == 0
    assert len(world.made("GET", "/nodes")) > 1


def test_a_name_is_not_broken_while_sentences_have_room(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    name, sentence = "grf1:ga031-router:at0", "it carries more than its usable rate"
    show(table(["link", "why", "then"], [[name, sentence, sentence]]))
    shown = capsys.readouterr().out
    assert name in shown
    assert all(len(line) <= 60 for line in shown.splitlines())
