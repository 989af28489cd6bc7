"""`backstay notify`: channels and their tests, routes, schedules, deliveries, and saving from a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.notifications import channel


def test_failing_channel_is_listed_with_its_reason_and_exit_code_1(world: World, run: Run) -> None:
    assert run("notify", "channels").code == 0
    world.answers["GET", "/channels"] = [channel(), channel("mail", state="failing", failure="Refused.")]
    done = run("notify", "channels")
    assert done.code == 1
    assert "failing: Refused." in done.squeezed()
    assert done.out.splitlines()[-1] == "2 channels"


def test_test_message_reports_its_result(world: World, run: Run) -> None:
    done = run("--site", "argonne", "notify", "channels", "hook", "--test")
    assert (done.code, done.out) == (0, "Delivered to hook after 42 ms.\n")
    failed = {"delivered": False, "reason": "No answer.", "took_ms": 5000.0, "delivery_id": 9}
    world.answers["POST", "/channels/1/test"] = failed
    done = run("--site", "argonne", "notify", "channels", "hook", "--test")
    assert (done.code, done.out) == (1, "Not delivered to hook: No answer.\n")


def test_routes_show_what_they_match_and_whom_they_notify_when(run: Run) -> None:
    out = run("notify", "routes").squeezed()
    assert "critical, rack=r1" in out
    assert "hook; 10 min" in out
    assert "primary" in out


def test_schedule_shows_who_is_on_call_and_the_next_shifts(run: Run) -> None:
    out = run("--site", "argonne", "notify", "schedules", "primary").squeezed()
    assert "primary ann ann" in out
    assert "no channel: bob" in out
    assert "2026-11-28" in out


def test_deliveries_show_failures_and_one_shows_its_message(world: World, run: Run) -> None:
    done = run("--site", "argonne", "notify", "deliveries", "--status", "failed", "--channel", "hook")
    assert "failed: hooks.example.org answered with status 503" in done.squeezed()
    (asked,) = world.made("GET", "/deliveries")
    assert (asked.query["status"], asked.query["channel_id"]) == ("failed", "1")
    assert "Object: grf1" in run("notify", "deliveries", "9").out


def test_save_creates_or_replaces_by_name(world: World, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "channel.json"
    file.write_text(
        json.dumps({"name": "hook", "kind": "webhook", "config": {"url": "https://a.example.org/"}})
    )
    assert run("--site", "argonne", "notify", "save", "channel", str(file)).code == 0
    (replaced,) = world.made("PUT", "/channels/1")
    assert replaced.body["config"] == {"url": "https://a.example.org/"}
    assert replaced.body["site"] == "argonne"
    file.write_text(json.dumps({"name": "night", "steps": [{"after_s": 0, "channels": [1]}]}))
    assert run("--site", "argonne", "notify", "save", "route", str(file)).code == 0
    assert len(world.made("POST", "/notification-routes")) == 1


@pytest.mark.parametrize("text", ["{", "[]", ""])
def test_a_file_that_is_no_object_is_refused(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "channel.json"
    file.write_text(text)
    assert run("--site", "argonne", "notify", "save", "channel", str(file)).code == 2


def test_unknown_name_lists_what_exists(run: Run) -> None:
    done = run("--site", "argonne", "notify", "channels", "hok")
    assert done.code == 2
    assert "there are hook" in done.err
