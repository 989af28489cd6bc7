"""`backstay clocks`: offsets and their sources."""

from __future__ import annotations

from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.network import clock


def test_wrong_clock_is_shown_with_source_and_reboot_and_gives_exit_code_1(run: Run) -> None:
    done = run("clocks")
    assert done.code == 1
    assert "31 d behind" in done.out
    assert "hrSystemDate" in done.out
    assert "at its reboot" in done.out
    assert "+0.004 s" in done.out
    assert "+12 ± 3 ppm" in done.out


def test_only_wrong_clocks_are_shown_on_request(world: World, run: Run) -> None:
    assert "sp01" not in run("clocks", "--wrong").out
    world.answers["GET", "/clocks"] = [clock(node="sp01", wrong=False)]
    done = run("clocks", "--wrong", "--node", "sp01")
    assert (done.code, done.out.strip()) == (0, "All clocks are in sync.")
    assert [item.query["node"] for item in world.asked if "node" in item.query] == ["sp01"]
