"""Following a run: queue, cells, remaining time, keys, an unreachable backend, and the exit code."""

from __future__ import annotations

import os
from typing import Any

import pytest

from backstay_cli import follower, polling
from backstay_cli.models import TestRunDetail
from backstay_cli.output import console
from backstay_cli.reading import read
from backstay_cli.session import Session
from backstay_cli.throughput import run_follower
from backstay_testing.cli import throughput as known
from backstay_testing.cli.fake_server import Asked, Run, World, one_after_another
from backstay_testing.cli.terminal import at_terminal, read_until

GET = ("GET", "/test-runs/12")
QUEUE = "waits for run #11 on router: at2"


def seen(answer: Any) -> TestRunDetail:
    return read(TestRunDetail, answer.model_dump(mode="json"))


def test_wait_prints_queue_cells_and_final_run_once(world: World, run: Run) -> None:
    first, second = known.runs(0, "0 of 4 cells done, about 1 min left"), known.runs(2, "2 of 4 cells done")
    world.answers[GET] = one_after_another(
        known.waits(QUEUE), known.waits(QUEUE), first, second, second, known.run()
    )
    done = run("tests", "run", "nightly", "--wait")
    assert done.code == 0
    assert done.out.splitlines()[:6] == [
        f"Run #12 {QUEUE}",
        "Run #12 runs: 0 of 4 cells done, about 1 min left",
        "1 of 4: sp01 to sp02, 1 stream: 40 Mb/s, 74 % of usable, window",
        "2 of 4: sp01 to sp02, 2 streams: 40 Mb/s, 74 % of usable, window",
        "3 of 4: sp01 to sp02, 3 streams: 40.3 Mb/s, 75 % of usable, window",
        "4 of 4: sp01 to sp02, 4 streams: 46.8 Mb/s, 87 % of usable, window",
    ]
    assert "Remedy: Let both ends use larger windows." in done.out


@pytest.mark.parametrize(
    ("state", "more", "code"),
    [("done", {}, 0), ("done", {"cells_bad": 1}, 1), ("cancelled", {}, 1), ("failed", {"cells_bad": 4}, 5)],
)
def test_run_result_is_the_exit_code(
    world: World, run: Run, state: str, more: dict[str, Any], code: int
) -> None:
    world.answers[GET] = one_after_another(known.waits(QUEUE), known.run(state, **more))
    done = run("tests", "run", "nightly", "--wait", "--json")
    assert done.code == code
    assert done.json["state"] == state


def test_unfinished_run_is_not_a_failure(world: World, run: Run) -> None:
    world.answers[GET] = known.waits(QUEUE)
    done = run("tests", "show", "12")
    assert done.code == 0
    assert f"Run #12 of nightly - {QUEUE}" in done.out
    assert "Next: backstay tests show 12 --wait" in done.out


def test_unreachable_backend_is_retried(world: World, run: Run) -> None:
    away = (503, {"code": "unavailable", "message": "The database is away.", "fields": {}})
    world.answers[GET] = one_after_another(known.waits(QUEUE), *[away] * 4, known.run())
    done = run("tests", "show", "12", "--wait")
    assert done.code == 0
    assert done.err.count("Retrying; the run does not need this connection.") == 1


def test_unmeasured_cell_is_listed_with_its_reason() -> None:
    after = seen(known.run("running", [known.cell(0, None, state="missing_tool", detail="sp01: no iperf3")]))
    assert list(run_follower.news(None, after))[1:] == [
        "1 of 4: sp01 to sp02, 1 stream: no tool, sp01: no iperf3"
    ]
    assert list(run_follower.news(after, after)) == []


def test_runs_with_many_cells_are_polled_less_often() -> None:
    few, many = seen(known.run()), seen(known.run(cells_total=512))
    assert run_follower.each_s(few) < 3 * polling.EACH_S
    assert run_follower.each_s(many) == 10 * polling.EACH_S


def test_board_shows_the_queue_then_the_remaining_time(capsys: pytest.CaptureFixture[str]) -> None:
    console().print(run_follower.board(seen(known.waits(QUEUE)), acts=True, old_s=20))
    waits = capsys.readouterr().out
    assert f"Run #12 of nightly - {QUEUE}" in waits
    assert "about 1 min 2 s once it starts" in waits
    assert "x cancel the run  q leave (it continues)" in waits
    console().print(
        run_follower.board(seen(known.runs(2, "2 of 4 cells done")), "No answer.", acts=True, old_s=20)
    )
    running = capsys.readouterr().out
    assert "about 42 s left" in running
    assert "No answer." in running
    console().print(run_follower.board(seen(known.run()), acts=True))
    assert "cancel the run" not in capsys.readouterr().out


def press(world: World, key: str, answer: Any) -> list[str]:
    """The message after a key."""
    notes: list[str] = []

    class Notes(follower.Silent):
        def note(self, text: str) -> None:
            notes.append(text)

    run_follower._act(Session("argonne"), seen(answer), key, Notes())
    return notes


def test_key_x_cancels_only_cancellable_runs_and_shows_a_refusal(world: World) -> None:
    press(world, "x", known.run())
    press(world, "c", known.waits(QUEUE))
    assert not world.asked
    press(world, "x", known.waits(QUEUE))
    assert len(world.made("POST", "/test-runs/12/cancel")) == 1
    conflict = {"code": "conflict", "message": "Run #12 is over.", "fields": {}}
    world.answers["POST", "/test-runs/12/cancel"] = (409, conflict)
    assert press(world, "x", known.waits(QUEUE)) == ["Run #12 is over."]


def test_key_q_quits_and_the_run_continues(world: World) -> None:
    def waits(_: Asked) -> object:
        return known.waits(QUEUE).model_dump(mode="json")

    world.answers[GET] = waits

    def act(handle: int, _: int) -> None:
        assert QUEUE in read_until(handle, "q leave")
        os.write(handle, b"q")
        read_until(handle, "The run continues. To follow it again: backstay tests show 12 --wait")

    assert at_terminal(["tests", "show", "12", "--wait"], act) == 0
    assert {item.method for item in world.asked} == {"GET"}
