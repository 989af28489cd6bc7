"""`backstay extension-nodes`: the list, the comparison, and the check of a new gateway."""

from __future__ import annotations

from backstay.api.changes.schemas import CheckOut
from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.network import extension_check, extension_node


def test_differing_router_is_shown_and_gives_exit_code_1(world: World, run: Run) -> None:
    done = run("extension-nodes")
    assert done.code == 1
    assert "frame 1 slot 16" in done.out
    world.answers["GET", "/extension-nodes"] = [extension_node(state="ok")]
    assert run("extension-nodes").code == 0


def test_extension_node_is_shown_with_its_routers_row(run: Run) -> None:
    done = run("extension-nodes", "grf1")
    assert done.code == 1
    assert "ibmSPDepSwNodeNumber" in done.out
    assert "packets go to another port." in done.out
    assert run("extension-nodes", "sp01").code == 2


def test_new_gateway_is_checked_with_its_steps(world: World, run: Run) -> None:
    done = run("--site", "argonne", "extension-nodes", "--attach", "grf2", "--place", "1/16")
    assert done.code == 0
    assert "frame 1 slot 16, node 16, switch node 15, 10.1.0.16/24." in done.out
    assert "endefnode" in done.out
    assert "- name: grf2" in done.out
    asked = world.asked[-1].body
    assert asked == {"site": "argonne", "node": "grf2", "port": "gt000", "frame": 1, "slot": 16}


def test_conflicting_gateway_names_the_owner_and_gives_exit_code_1(world: World, run: Run) -> None:
    text = "grf2 and sp07 would both have node number 7."
    clash = CheckOut(check="node_number", level="failed", text=text, nodes=["grf2", "sp07"])
    world.answers["POST", "/extension-nodes/check"] = extension_check(
        attachable=False, checks=[clash], steps=[], site_file=""
    )
    done = run("--site", "argonne", "extension-nodes", "--attach", "grf2", "--number", "7")
    assert done.code == 1
    assert text in done.out


def test_invalid_switch_port_and_conflicting_options_are_usage_errors(run: Run) -> None:
    assert run("extension-nodes", "--attach", "grf2", "--place", "16").code == 2
    assert run("extension-nodes", "grf1", "--attach", "grf2").code == 2
