"""Following a change: lines, countdown, keys, an unreachable backend, and the exit code."""

from datetime import timedelta
from typing import Any

import pytest

from backstay_cli import follower, polling, progress
from backstay_cli.errors import Unreachable
from backstay_cli.models import ChangeDetail
from backstay_cli.output import console
from backstay_cli.reading import read
from backstay_cli.session import Session
from backstay_cli.text import seconds_left
from backstay_testing.cli.fake_server import AT, Run, World, one_after_another
from backstay_testing.cli.rollout import DIGEST, change, member, plan

GET = ("GET", "/changes/42")


def step(second: int, text: str, person: str = "") -> dict[str, Any]:
    return {"at": AT + timedelta(seconds=second), "person": person, "text": text}


def seen(answer: Any) -> ChangeDetail:
    return read(ChangeDetail, answer.model_dump(mode="json"))


def test_apply_with_wait_prints_each_step_once_and_succeeds(world: World, run: Run) -> None:
    rolling = change("rolling", members=[member("sp05", "applying")], history=[step(1, "began", "ada")])
    world.answers[GET] = one_after_another(
        change("approved"),
        rolling,
        rolling,
        change(
            "rolling", members=[member("sp05", "applied")], history=[step(1, "began"), step(2, "applied")]
        ),
        change(
            "done",
            members=[member("sp05", "confirmed")],
            history=[step(1, "b"), step(2, "a"), step(3, "done")],
        ),
    )
    done = run("apply", "42", "--timeout", "45s", "--auto-confirm", "--wait")
    assert done.code == 0
    assert world.made("POST", "/changes/42/apply")[0].body == {
        "digest": DIGEST, "timeout_s": 45, "auto_confirm": True,
    }  # fmt: skip
    lines = done.out.splitlines()
    assert lines[:5] == [
        "sp05: applying",
        "2026-11-21 12:00:02 applied",
        "sp05: applied",
        "2026-11-21 12:00:03 done",
        "sp05: confirmed",
    ]
    assert "Change #42: SP - done" in done.out
    assert "2 of 2 good" in done.out


@pytest.mark.parametrize(
    ("state", "code"), [("rolled_back", 5), ("failed", 5), ("superseded", 1), ("done", 0)]
)
def test_change_result_is_the_exit_code(world: World, run: Run, state: Any, code: int) -> None:
    world.answers[GET] = one_after_another(change("approved"), change("rolling"), change(state))
    done = run("apply", "42", "--wait", "--json")
    assert done.code == code
    assert done.json["state"] == state


def test_modified_plan_is_not_applied(world: World, run: Run) -> None:
    world.answers[GET] = change("approved", plan=plan(digest="e" * 64))
    done = run("apply", "42", "--digest", DIGEST)
    assert done.code == 3
    assert not world.made("POST", "/changes/42/apply")


def test_unreachable_backend_is_retried_while_guards_act(world: World, run: Run) -> None:
    away = (503, {"code": "unavailable", "message": "The database is away.", "fields": {}})
    silences = [away] * 6
    world.answers[GET] = one_after_another(
        change("approved"), change("rolling"), *silences, change("rolled_back")
    )
    done = run("apply", "42", "--wait")
    assert done.code == 5
    assert done.err.count("Retrying; the guards need no connection.") == 1


def test_permanently_unreachable_backend_ends_following() -> None:
    now = iter(range(0, 1000, 50))
    tries: list[Unreachable] = []

    def away() -> str:
        raise Unreachable("away")

    with pytest.raises(Unreachable):
        polling.until(
            away,
            bool,
            show=lambda _: None,
            silent=tries.append,
            pause=lambda _: None,
            clock=lambda: next(now),
            patience_s=120,
        )
    assert len(tries) == 2


def test_news_mention_the_wait_and_the_guard_once() -> None:
    before = seen(change("rolling", members=[member("sp05", "applied")]))
    after = seen(change("confirming", members=[member("sp05", "applied"), member("sp06", "pending")]))
    assert list(progress.news(before, after)) == [
        "sp06: pending",
        "confirming; confirm by 2026-11-21 12:01:33: backstay confirm 42",
    ]
    back = seen(change("rolled_back", members=[member("sp05", "rolled_back", by="guard", reason="too late")]))
    assert list(progress.news(after, back)) == ["sp05: rolled back (by its guard): too late"]
    assert list(progress.news(back, back)) == []


def test_countdown_uses_the_backends_clock() -> None:
    assert seconds_left(seen(change("confirming"))) == 73
    assert seconds_left(seen(change("confirming", age_s=500))) == 0
    assert seconds_left(seen(change("rolling"))) is None


class Notes(follower.Silent):
    """Keeps the displayed messages."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


def press(world: World, key: str, state: Any = "confirming") -> list[str]:
    """The message after a key, with a change in that state."""
    notes = Notes()
    progress._act(Session("argonne"), seen(change(state)), key, notes)
    return notes.notes


def test_keys_confirm_the_wave_shown_and_roll_back(world: World) -> None:
    press(world, "c")
    press(world, "r")
    assert world.made("POST", "/changes/42/confirm")[0].body == {"wave": 0}
    assert world.made("POST", "/changes/42/roll-back")[0].body == {"reason": "requested at the terminal"}


def test_keys_do_nothing_without_permission(world: World) -> None:
    for key in ("c", "r", "x", ""):
        press(world, key, "rolling")
    assert not world.asked


def test_refused_key_is_shown_and_following_continues(world: World) -> None:
    world.answers["POST", "/changes/42/confirm"] = (
        409,
        {"code": "conflict", "message": "Too late.", "fields": {}},
    )
    assert press(world, "c") == ["Too late."]


def test_q_quits_and_the_change_continues(world: World) -> None:
    with pytest.raises(follower.Left):
        press(world, "q")
    assert not world.asked


def test_board_shows_countdown_and_only_available_keys(capsys: pytest.CaptureFixture[str]) -> None:
    console().print(
        progress.board(seen(change("confirming", members=[member("sp05", "applied")])), acts=True)
    )
    waits = capsys.readouterr().out
    assert "1 min 13 s until the guards roll back" in waits
    assert "c confirm  r roll back  q leave (it continues)" in waits
    console().print(progress.board(seen(change("confirming")), acts=True, old_s=9.6))
    assert "1 min 3 s until" in capsys.readouterr().out
    console().print(progress.board(seen(change("rolling")), "No answer.", acts=True))
    rolls = capsys.readouterr().out
    assert "c confirm" not in rolls
    assert "No answer." in rolls


def test_large_change_is_followed_by_wave() -> None:
    """Its answer lists the first nodes only: nothing may look as if these were all."""
    large = {"nodes": 950, "has_all_members": False}
    begun = seen(
        change(
            "rolling",
            members=[member("sp05", "applying")],
            progress=[{"wave": 0, "nodes": 950, "states": {"applying": 950}}],
            **large,
        )
    )
    later = seen(
        change(
            "rolling",
            members=[member("sp05", "applied")],
            progress=[{"wave": 0, "nodes": 950, "states": {"applied": 40, "rolling_back": 910}}],
            **large,
        )
    )
    assert list(progress.news(begun, later)) == ["wave 1: 40 applied, 910 rolling back of 950 nodes"]
    assert list(progress.news(later, later)) == []
