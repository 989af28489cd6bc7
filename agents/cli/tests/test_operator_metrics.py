"""`backstay metrics`: device metrics of a node."""

from __future__ import annotations

from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.network import device_metric


def test_metrics_are_listed_and_a_warning_gives_exit_code_1(run: Run) -> None:
    done = run("metrics", "sp01")
    assert done.code == 1
    rows = [line.split() for line in done.out.splitlines()]
    assert ["trap", "Kernel", "drops", "warning", "1200", "datagrams", "120/s", "notices", "4", "s"] in rows
    assert rows[-1] == ["2", "metrics"]


def test_metrics_without_a_warning_give_exit_code_0(world: World, run: Run) -> None:
    state = device_metric(
        "card 1", value=None, per_s=None, kind="state", reported_state="running", state="ok"
    )
    world.answers["GET", "/nodes/5/metrics"] = [state]
    done = run("metrics", "sp01")
    assert done.code == 0
    assert "running" in done.out


def test_search_and_state_are_filtered_by_the_server(world: World, run: Run) -> None:
    world.answers["GET", "/nodes/5/metrics"] = []
    assert run("metrics", "sp01", "--search", "drops", "--warnings").out.strip() == "0 metrics"
    (asked,) = [item for item in world.asked if item.path.endswith("/metrics")]
    assert (asked.query["q"], asked.query["state"]) == ("drops", "warning")
