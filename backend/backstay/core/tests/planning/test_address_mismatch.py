"""Nodes that run another address than the site file gives them: found, blocked, and never led to."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address, ip_interface

from hypothesis import given
from hypothesis import strategies as st

from backstay.core.model.address_mismatch import AddressMismatch, RunningAddresses, address_mismatches
from backstay.core.model.arp import ArpIntent
from backstay.core.model.plan import Observation, Plan
from backstay.core.planning.arp.plan import make_arp_plan
from backstay.core.planning.arp.rule import rule
from backstay.core.tests.planning.arp_sites import FABRIC, OFF, Complex, failing, found
from backstay.core.tests.planning.plan_sites import Site, argonne, intent, levels, planned, texts

PAIR = ("grf1", "atmgw")


def reported(site: Site, runs: dict[str, list[str]]) -> RunningAddresses:
    """`node:port` -> addresses, as the agents tell."""
    running: dict[int, dict[int, tuple[object, ...]]] = {}
    for name, addresses in runs.items():
        port = site.ports[name]
        running.setdefault(port.node_id, {})[port.id] = tuple(map(ip_interface, addresses))
    return running  # type: ignore[return-value]


def lost(site: Site, runs: dict[str, list[str]]) -> dict[int, AddressMismatch]:
    return address_mismatches(site.topology(), reported(site, runs))


def test_another_address_in_place_of_its_own_is_a_mismatch_and_both_are_named() -> None:
    site = argonne()
    (item,) = lost(site, {"atmgw:css0": ["10.1.0.20/24", "fe80::1/64"]}).values()
    assert item.text == "atmgw has 10.1.0.20 on css0, the site file assigns 10.1.0.215"
    assert item.instead == (ip_address("10.1.0.20"),), "what every kernel makes by itself is left out"


def test_no_address_at_all_is_a_mismatch_too() -> None:
    (item,) = lost(argonne(), {"atmgw:css0": []}).values()
    assert item.text == "atmgw has no 10.1.0.215 on css0, which the site file assigns"
    assert item.remedy == "Give atmgw:css0 10.1.0.215, or correct the site file"


def test_more_addresses_than_its_own_and_its_own_on_a_bridge_are_no_fault() -> None:
    site = argonne()
    assert not lost(site, {"atmgw:css0": ["10.1.0.215/24", "10.1.0.20/24"]})
    bridge = {
        site.nodes["atmgw"].id: {site.ports["atmgw:css0"].id: (), 9999: (ip_interface("10.1.0.215/24"),)}
    }
    assert not address_mismatches(site.topology(), bridge)


def test_nobody_judges_a_port_of_which_no_agent_tells() -> None:
    site = argonne()
    assert not lost(site, {})
    assert not lost(site, {"atmgw:at0": ["10.3.0.9/30"]}), "css0 was not told of"


@given(st.sets(st.sampled_from(["10.1.0.1/24", "2001:db8:1::1/64", "10.1.0.9/24", "192.0.2.1/24"])))
def test_missing_is_exactly_what_is_given_and_not_run(runs: set[str]) -> None:
    site = argonne()
    given = site.ports["sp01:css0"].addresses
    missing = [item for item in given if item not in runs]
    found_ = lost(site, {"sp01:css0": sorted(runs)})
    assert [f"{item}" for one in found_.values() for item in one.missing] == [
        item.partition("/")[0] for item in missing
    ]


def test_the_rule_names_the_arithmetic_of_the_address_that_runs() -> None:
    site = Complex(4, runs={"sp03": ("10.1.0.77/16",)})
    checked = rule(site.site().members[FABRIC])
    (line,) = checked.broken
    assert (line.verdict, line.difference, checked.constant) == ("address_mismatch", 75, 1)
    assert line.text == (
        "sp03 has 10.1.0.77 on css0, the site file assigns 10.1.0.3: host part 77 minus switch node number 2"
        " is 75, and 1 for the others, so a computed address does not reach it. Give sp03:css0 10.1.0.3, or"
        " correct the site file, then plan again."
    )


def test_an_address_outside_the_network_and_none_at_all_break_the_rule_too() -> None:
    site = Complex(4, runs={"sp02": ("192.0.2.7/24",), "sp03": ()})
    texts_ = {
        line.member.name: (line.text, line.difference) for line in rule(site.site().members[FABRIC]).broken
    }
    assert "192.0.2.7 is not in 10.1.0.0/16, so it cannot be computed" in texts_["sp02"][0]
    assert "the address computed from its switch node number does not exist" in texts_["sp03"][0]
    assert texts_["sp02"][1] is texts_["sp03"][1] is None


def test_an_address_that_obeys_where_the_site_files_does_not_is_still_not_led_to() -> None:
    site = Complex(4, addresses={"sp03": ("10.1.0.77/16",)}, runs={"sp03": ("10.1.0.3/16",)})
    (line,) = rule(site.site().members[FABRIC]).broken
    assert "host part 3 minus switch node number 2 is 1 as for the others, but every static" in line.text


def test_arp_off_is_blocked_by_name_and_no_entry_leads_to_what_nobody_runs() -> None:
    plan = Complex(4, runs={"sp03": ("10.1.0.77/16",)}).plan()
    assert failing(plan) >= {"address_rule", "running_address"}
    (finding,) = found(plan, "running_address")
    assert finding.nodes == ("sp03",)
    assert "a static entry for 10.1.0.3 would drop traffic" in finding.text
    entries = {str(e.address) for n in plan.nodes for p in n.arp.ports.values() for e in p.neighbours}
    assert "10.1.0.2" in entries
    assert not entries & {"10.1.0.3", "10.1.0.77"}
    assert "10.1.0.3" not in {str(entry.address) for over in plan.hand_overs for entry in over.entries}


def test_on_another_fabric_than_a_switch_it_blocks_as_well_without_arithmetic() -> None:
    plan = Complex(3, kind="hippi", runs={"sp03": ("10.1.0.77/16",)}).plan()
    assert failing(plan) == {"running_address"}


def test_with_arp_on_a_wrong_address_is_found_by_asking_and_blocks_nothing() -> None:
    plan = Complex(3, runs={"sp03": ("10.1.0.77/16",)}).plan(ArpIntent(1, FABRIC, "on"))
    assert not failing(plan)


def test_an_address_of_somebody_elses_that_a_node_runs_is_found_twice() -> None:
    plan = Complex(3, runs={"sp03": ("10.1.0.2/16",)}).plan()
    (finding,) = found(plan, "unique_addresses")
    assert finding.text.startswith("sp02:css0 and sp03:css0 both have 10.1.0.2")


def test_entries_that_are_restored_for_an_address_that_nobody_runs_are_told() -> None:
    before = Complex(3)
    plan = before.plan()
    confirmed = {node.arp.node_id: node.arp for node in plan.nodes}
    after = Complex(3, confirmed=confirmed, runs={"sp03": ("10.1.0.77/16",)}).site()
    restored = make_arp_plan(replace(after, members={}), (), frozenset(confirmed))
    (finding,) = found(restored, "running_address")
    assert (finding.level, set(finding.nodes)) == ("warning", {"sp01", "sp02"})


def test_what_a_node_runs_is_an_input_of_the_plan_only_where_it_differs() -> None:
    first = Complex(3).site().inputs((OFF,))
    assert Complex(3, runs={"sp03": ("10.1.0.3/16",)}).site().inputs((OFF,)) == first
    wrong = Complex(3, runs={"sp03": ("10.1.0.77/16",)}).site()
    assert wrong.inputs((OFF,)) != first
    assert "the running addresses" in wrong.parts((OFF,))


def routes(site: Site, runs: dict[str, list[str]], *nodes: str) -> Plan:
    seen = Observation(address_mismatches=lost(site, runs))
    return planned(site, intent(site, nodes or ("sp01", "sp02"), PAIR), observation=seen)


def test_a_standby_that_runs_another_address_than_the_site_files_blocks_the_plan() -> None:
    site = argonne()
    plan = routes(site, {"atmgw:css0": ["10.1.0.20/24"]})
    assert levels(plan)["known_address"] == "failed"
    assert texts(plan, "known_address") == (
        "atmgw does not have 10.1.0.215: it runs 10.1.0.20 on css0. sp01 and sp02 would use it for"
        " sp-default and fail. Give atmgw:css0 10.1.0.215, or correct the site file, then plan"
        " again."
    )


def test_an_address_that_no_next_hop_is_for_blocks_no_route() -> None:
    site = argonne()
    plan = routes(site, {"sp03:css0": ["10.1.0.77/24"], "atmgw:at0": ["10.3.0.66/30"]})
    assert levels(plan)["known_address"] == "passed"


def test_routes_that_the_plan_leaves_alone_only_warn_of_it() -> None:
    site = argonne()
    before = planned(site, intent(site, ("sp03",), PAIR))
    confirmed = {node.routing.node_id: node.routing for node in before.nodes}
    other = intent(site, ("sp01",), ("grf1",), "10.9.0.0/16", "archive")
    seen = Observation(address_mismatches=lost(site, {"atmgw:css0": ["10.1.0.20/24"]}))
    plan = planned(site, other, confirmed=confirmed, observation=seen)
    assert levels(plan)["known_address"] == "warning"
    assert "sp03 reaches it there for sp-default, which fails." in texts(plan, "known_address")
