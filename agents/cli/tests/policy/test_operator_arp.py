"""`backstay arp`: fabrics, the address rule, and a plan."""

from __future__ import annotations

from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.network import arp_fabric


def test_mixed_fabric_gives_exit_code_1(world: World, run: Run) -> None:
    done = run("arp")
    assert done.code == 1
    assert "ARP is mixed" in done.out
    assert "not deployed" in done.out
    world.answers["GET", "/arp-policies/fabrics"] = [arp_fabric("on")]
    assert run("arp").code == 0


def test_rule_lists_violating_nodes(run: Run) -> None:
    done = run("arp", "sp-switch", "--rule")
    assert done.code == 1
    assert "sp02 is described in a sentence." in done.out
    assert "sp01 is told" not in done.out
    assert run("arp", "--rule").code == 2
    assert run("arp", "nowhere").code == 2


def test_arp_plan_is_a_change_of_the_fabrics_policy(world: World, run: Run) -> None:
    done = run("--site", "argonne", "arp", "sp-switch", "--plan", "--reason", "as the SDR says")
    assert done.code in {0, 1}
    (asked,) = world.made("POST", "/changes")
    assert asked.body["kind"] == "arp"
    assert asked.body["arp_policies"] == [7]
