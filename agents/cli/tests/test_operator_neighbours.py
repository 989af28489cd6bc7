"""`backstay neighbours`: tables, owners of an address, duplicates."""

from __future__ import annotations

from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.network import neighbour_table


def test_tables_show_usage_and_source_and_a_flood_gives_exit_code_1(world: World, run: Run) -> None:
    done = run("neighbours")
    assert done.code == 1
    assert "grf1:gh010" in done.out
    assert "79%" in done.out
    assert "300/s" in done.out
    assert "grf1:gh010: broadcasts of onyx1:hip0" in done.out
    world.answers["GET", "/neighbours/tables"] = [neighbour_table(state="ok", incidents=[])]
    assert run("neighbours", "--node", "grf1").code == 0
    assert [item.query["node"] for item in world.asked if "node" in item.query] == ["grf1"]


def test_owners_of_an_address_are_listed_newest_first(world: World, run: Run) -> None:
    done = run("neighbours", "10.1.0.7", "--at", "now-1h")
    assert done.code == 0
    assert done.out.index("02:00:00:00:00:02") < done.out.index("02:00:00:00:00:01")
    assert "sp07:css0" in done.out
    assert world.asked[-1].query["at"] == "now-1h"
    assert run("neighbours", "--at", "now-1h").code == 2


def test_duplicate_address_gives_exit_code_1(run: Run) -> None:
    done = run("neighbours", "--duplicates")
    assert done.code == 1
    assert "1 duplicate address." in done.out
