"""Every kind of response becomes a message with the next step and a stable exit code."""

import socket
from typing import Any

import pytest

from backstay_testing.cli.fake_server import Run, World

PROBLEM = {"code": "x", "message": "Not like this: do\x1b[2J that.", "fields": {}}


@pytest.mark.parametrize(
    ("answer", "code", "text"),
    [
        ((401, PROBLEM), 3, "rejects this token"),
        ((403, PROBLEM), 3, "Not like this: do\\x1b[2J that."),
        ((409, PROBLEM), 3, "Not like this"),
        ((422, PROBLEM), 3, "Not like this"),
        ((400, PROBLEM), 2, "Not like this"),
        ((404, PROBLEM), 2, "Not like this"),
        ((500, PROBLEM), 4, "Not like this"),
        ((503, PROBLEM), 4, "Not like this"),
        ((302, b""), 4, "sign in with that address"),
        ((404, b"<html>"), 4, "check the address"),
        ((200, b"<html>"), 4, "does not respond like a Backstay server"),
        ((200, {"items": 5}), 4, "does not respond like a Backstay server"),
        ((200, {"items": [{"id": "x"}], "next": None}), 4, "different versions"),
    ],
)
def test_error_response_becomes_a_message_and_an_exit_code(
    world: World, run: Run, answer: Any, code: int, text: str
) -> None:
    world.answers["GET", "/paths"] = answer
    done = run("paths")
    assert (done.code, done.out) == (code, "")
    assert text in done.err
    assert done.err.startswith("backstay: ")
    assert "\x1b" not in done.err


def test_port_without_a_listener_is_unreachable(run: Run, world: World, monkeypatch: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("BACKSTAY_URL", f"http://127.0.0.1:{taken.getsockname()[1]}")
        done = run("status")
    assert done.code == 4
    assert "check that Backstay is running there" in done.err


def test_lists_are_read_page_by_page(world: World, run: Run) -> None:
    done = run("paths", "--json", "--policy", "sp-default")
    assert [item["node"] for item in done.json["items"]] == ["sp01", "sp02", "sp03"]
    assert done.json["next"] is None
    asked = world.made("GET", "/paths")
    assert [item.query.get("cursor") for item in asked] == [None, "2"]
    assert {item.query["policy"] for item in asked} == {"sp-default"}


def test_post_on_a_broken_connection_is_retried_with_the_same_key(world: World, run: Run) -> None:
    world.break_next = 2
    assert run("discard", "42").code == 0
    asked = world.made("POST", "/changes/42/discard")
    assert len(asked) == 3
    assert len({item.key for item in asked}) == 1
    assert asked[0].key


def test_delete_on_a_broken_connection_is_not_retried(world: World, run: Run) -> None:
    run("drills", "7")
    world.break_next = 1
    assert run("drills", "7", "--cancel").code == 4
    assert len(world.made("DELETE", "/drills/7")) == 1


def test_site_must_be_named_if_there_are_several(world: World, run: Run) -> None:
    one = world.answers["GET", "/sites"][0]
    world.answers["GET", "/sites"] = [one, one.model_copy(update={"name": "cern"})]
    done = run("plan", "sp-default")
    assert done.code == 2
    assert "--site NAME: argonne, cern" in done.err
    assert run("--site", "argonne", "plan", "sp-default").code == 0
