"""`backstay hold-time`: results, unstable queues and unknown values."""

from __future__ import annotations

import json

from backstay_testing.cli.blocking import hold_time_model
from backstay_testing.cli.fake_server import Run, World


def test_results_recommendations_and_limits_are_shown(run: Run) -> None:
    done = run("hold-time", "--blocking", "20")
    assert done.code == 0
    for text in ("26 ms", "61 %", "78.3 Mb/s", "(not as published)", "unlimited", "Limits of the model"):
        assert text in done.out
    lines = done.out.splitlines()
    (unknown,) = [line.split() for line in lines if line.startswith("hsg-cit")]
    assert unknown[1:] == ["unlimited", *["unknown"] * 6]
    (measured,) = [line.split() for line in lines if line.startswith("hsg-sdsc")]
    assert measured[1:] == ["10", "ms", "25", "20", "ms", "20", "%", "stable", "11", "ms", "61", "%"]


def test_an_unstable_queue_gives_exit_code_1_and_a_time(world: World, run: Run) -> None:
    world.answers["GET", "/models/hippi"] = hold_time_model(100)
    done = run("hold-time", "--pps", "100")
    assert done.code == 1
    assert "unstable, buffer full after 1 s" in done.out
    assert [item.query for item in world.asked if item.path == "/models/hippi"] == [{"rate_pps": "100.0"}]


def test_json_is_the_answer_itself(run: Run) -> None:
    answer = json.loads(run("hold-time", "--json").out)
    assert answer == hold_time_model().model_dump(mode="json")
