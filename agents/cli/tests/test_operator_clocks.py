"""`backstay clocks`: who is off, by how much, told by whom."""

from __future__ import annotations

from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.site import clock


def test_a_clock_that_is_wrong_is_told_with_its_source_and_its_reboot_and_is_exit_code_1(run: Run) -> None:
    done = run("clocks")
    assert done.code == 1
    assert "31 d behind" in done.out
    assert "hrSystemDate" in done.out
    assert "at its reboot" in done.out
    assert "+0.004 s" in done.out
    assert "+12 ± 3 ppm" in done.out


def test_only_wrong_ones_are_shown_when_asked_and_none_is_said(world: World, run: Run) -> None:
    assert "sp01" not in run("clocks", "--wrong").out
    world.answers["GET", "/clocks"] = [clock(node="sp01", wrong=False)]
    done = run("clocks", "--wrong", "--node", "sp01")
    assert (done.code, done.out.strip()) == (0, "All clocks are in sync.")
    assert [item.query["node"] for item in world.asked if "node" in item.query] == ["sp01"]
