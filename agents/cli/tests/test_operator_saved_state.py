"""`backstay saved-state`: effects of a reboot, and manual steps."""

from __future__ import annotations

import json

import pytest

from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.network import by_hand, saved
from backstay_testing.cli.rollout import change


def test_node_with_unsaved_state_is_named_and_gives_exit_code_1(run: Run) -> None:
    done = run("saved-state")
    assert done.code == 1
    assert "1 setting of its ports would change at a reboot." in done.out
    assert "1 node would change at a reboot: sp01" in done.out
    assert "To be saved manually: grf1" in done.out


def test_unreadable_state_is_not_a_difference(world: World, run: Run) -> None:
    world.answers["GET", "/saved-state"] = [saved("sp02"), by_hand("grf1")]
    done = run("saved-state")
    assert done.code == 0
    assert "0 nodes would change at a reboot\n" in done.out


def test_one_node_is_shown_setting_by_setting(world: World, run: Run) -> None:
    world.answers["GET", "/saved-state"] = [saved("sp01", differs=True)]
    done = run("saved-state", "--node", "sp01")
    assert world.asked[-1].query["node"] == "sp01"
    assert (done.code, "Read at boot: /etc/network/interfaces" in done.out) == (1, True)
    (line,) = [line for line in done.out.splitlines() if line.startswith("css0")]
    assert line.split() == ["css0", "mtu", "65520", "1500", "would", "change", "at", "a", "reboot"]


def test_device_lists_its_manual_steps(world: World, run: Run) -> None:
    world.answers["GET", "/saved-state"] = [by_hand("grf1")]
    done = run("saved-state", "--node", "grf1")
    assert done.code == 0
    assert "last operation of its backup group: done" in done.out
    assert "grwrite" in done.out


def test_json_output_is_the_unchanged_response(run: Run) -> None:
    done = run("saved-state", "--json")
    assert done.code == 1
    assert [load["node"] for load in json.loads(done.out)["items"]] == ["sp01", "sp02", "grf1"]


def test_unmonitored_node_is_named(world: World, run: Run) -> None:
    world.answers["GET", "/saved-state"] = []
    done = run("saved-state", "--node", "sp99")
    assert (done.code, done.out) == (2, "")
    assert "No node named sp99" in done.err
    known = run("saved-state", "--node", "sp01")
    assert (known.code, known.out.split()[0]) == (0, "sp01")


@pytest.mark.parametrize(
    "verb", ["circuits", "clocks", "extension-nodes", "neighbours", "arp", "drift", "paths", "saved-state"]
)
def test_waiting_wave_is_printed_with_every_list(world: World, run: Run, verb: str) -> None:
    world.answers["GET", "/changes"] = [change("confirming")]
    assert "Change #42 is rolled back in" in run(verb).err
