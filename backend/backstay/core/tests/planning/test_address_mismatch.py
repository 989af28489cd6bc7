"""Nodes that run another address than the site file assigns."""

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
    """`node:port` -> addresses, as the agents report."""
    running: dict[int, dict[int, tuple[object, ...]]] = {}
    for name, addresses in runs.items():
        port = site.ports[name]
        running.setdefault(port.node_id, {})[port.id] = tuple(map(ip_interface, addresses))
    return running  # type: ignore[return-value]


def lost(site: Site, runs: dict[str, list[str]]) -> dict[int, AddressMismatch]:
    return address_mismatches(site.topology(), reported(site, runs))


def test_mismatch_names_assigned_and_running_address() -> None:
    site = argonne()
    (item,) = lost(site, {"atmgw:css0": ["10.1.0.20/24", "fe80::1/64"]}).values()
    assert item.text == "atmgw has 10.1.0.20 on css0, the site file assigns 10.1.0.215"
    assert item.instead == (ip_address("10.1.0.20"),), "what every kernel makes by itself is left out"


def test_missing_address_is_a_mismatch() -> None:
    (item,) = lost(argonne(), {"atmgw:css0": []}).values()
    assert item.text == "atmgw has no 10.1.0.215 on css0, which the site file assigns"
    assert item.remedy == "Give atmgw:css0 10.1.0.215, or correct the site file"


def test_additional_addresses_and_bridges_are_not_a_mismatch() -> None:
    site = argonne()
    assert not lost(site, {"atmgw:css0": ["10.1.0.215/24", "10.1.0.20/24"]})
    bridge = {
        site.nodes["atmgw"].id: {site.ports["atmgw:css0"].id: (), 9999: (ip_interface("10.1.0.215/24"),)}
    }
    assert not address_mismatches(site.topology(), bridge)


def test_unreported_port_has_no_mismatch() -> None:
    site = argonne()
    assert not lost(site, {})
    assert not lost(site, {"atmgw:at0": ["10.3.0.9/30"]}), "css0 was not told of"


@given(st.sets(st.sampled_from(["10.1.0.1/24", "2001:db8:1::1/64", "10.1.0.9/24", "192.0.2.1/24"])))
def test_missing_is_assigned_minus_running(runs: set[str]) -> None:
    site = argonne()
    given = site.ports["sp01:css0"].addresses
    missing = [item for item in given if item not in runs]
    found_ = lost(site, {"sp01:css0": sorted(runs)})
    assert [f"{item}" for one in found_.values() for item in one.missing] == [
        item.partition("/")[0] for item in missing
    ]


def test_rule_explains_the_running_address() -> None:
    site = Complex(4, runs={"sp03": ("10.1.0.77/16",)})
    checked = rule(site.site().members[FABRIC])
    (line,) = checked.broken
    assert (line.verdict, line.difference, checked.constant) == ("address_mismatch", 75, 1)
    assert line.text == (
        "sp03 has 10.1.0.77 on css0, the site file assigns 10.1.0.3: host part 77 minus switch node number 2"
        " is 75, and 1 for the others, so a computed address does not reach it. Give sp03:css0 10.1.0.3, or"
        " correct the site file, then plan again."
    )


def test_address_outside_the_network_or_missing_breaks_the_rule() -> None:
    site = Complex(4, runs={"sp02": ("192.0.2.7/24",), "sp03": ()})
    texts_ = {
        line.member.name: (line.text, line.difference) for line in rule(site.site().members[FABRIC]).broken
    }
    assert "192.0.2.7 is not in 10.1.0.0/16, so it cannot be computed" in texts_["sp02"][0]
    assert "the address computed from its switch node number does not exist" in texts_["sp03"][0]
    assert texts_["sp02"][1] is texts_["sp03"][1] is None


def test_running_address_that_obeys_the_rule_is_still_a_mismatch() -> None:
    site = Complex(4, addresses={"sp03": ("10.1.0.77/16",)}, runs={"sp03": ("10.1.0.3/16",)})
    (line,) = rule(site.site().members[FABRIC]).broken
    assert "host part 3 minus switch node number 2 is 1 as for the others, but every static" in line.text


def test_mismatch_blocks_arp_off_and_gets_no_entry() -> None:
    plan = Complex(4, runs={"sp03": ("10.1.0.77/16",)}).plan()
    assert failing(plan) >= {"address_rule", "running_address"}
    (finding,) = found(plan, "running_address")
    assert finding.nodes == ("sp03",)
    assert "a static entry for 10.1.0.3 would drop traffic" in finding.text
    entries = {str(e.address) for n in plan.nodes for p in n.arp.ports.values() for e in p.neighbours}
    assert "10.1.0.2" in entries
    assert not entries & {"10.1.0.3", "10.1.0.77"}
    assert "10.1.0.3" not in {str(entry.address) for over in plan.hand_overs for entry in over.entries}


def test_mismatch_blocks_arp_off_on_other_fabrics() -> None:
    plan = Complex(3, kind="hippi", runs={"sp03": ("10.1.0.77/16",)}).plan()
    assert failing(plan) == {"running_address"}


def test_mismatch_does_not_block_with_arp_on() -> None:
    plan = Complex(3, runs={"sp03": ("10.1.0.77/16",)}).plan(ArpIntent(1, FABRIC, "on"))
    assert not failing(plan)


def test_running_address_of_another_node_is_a_duplicate() -> None:
    plan = Complex(3, runs={"sp03": ("10.1.0.2/16",)}).plan()
    (finding,) = found(plan, "unique_addresses")
    assert finding.text.startswith("sp02:css0 and sp03:css0 both have 10.1.0.2")


def test_restored_entries_for_a_missing_address_warn() -> None:
    before = Complex(3)
    plan = before.plan()
    confirmed = {node.arp.node_id: node.arp for node in plan.nodes}
    after = Complex(3, confirmed=confirmed, runs={"sp03": ("10.1.0.77/16",)}).site()
    restored = make_arp_plan(replace(after, members={}), (), frozenset(confirmed))
    (finding,) = found(restored, "running_address")
    assert (finding.level, set(finding.nodes)) == ("warning", {"sp01", "sp02"})


def test_running_addresses_are_plan_inputs_only_on_mismatch() -> None:
    first = Complex(3).site().inputs((OFF,))
    assert Complex(3, runs={"sp03": ("10.1.0.3/16",)}).site().inputs((OFF,)) == first
    wrong = Complex(3, runs={"sp03": ("10.1.0.77/16",)}).site()
    assert wrong.inputs((OFF,)) != first
    assert "the running addresses" in wrong.parts((OFF,))


def routes(site: Site, runs: dict[str, list[str]], *nodes: str) -> Plan:
    seen = Observation(address_mismatches=lost(site, runs))
    return planned(site, intent(site, nodes or ("sp01", "sp02"), PAIR), observation=seen)


def test_standby_with_mismatch_blocks_the_plan() -> None:
    site = argonne()
    plan = routes(site, {"atmgw:css0": ["10.1.0.20/24"]})
    assert levels(plan)["known_address"] == "failed"
    assert texts(plan, "known_address") == (
        "atmgw does not have 10.1.0.215: it runs 10.1.0.20 on css0. sp01 and sp02 would use it for"
        " sp-default and fail. Give atmgw:css0 10.1.0.215, or correct the site file, then plan"
        " again."
    )


def test_mismatch_of_an_unused_address_does_not_block() -> None:
    site = argonne()
    plan = routes(site, {"sp03:css0": ["10.1.0.77/24"], "atmgw:at0": ["10.3.0.66/30"]})
    assert levels(plan)["known_address"] == "passed"


def test_unchanged_routes_to_a_missing_address_warn() -> None:
    site = argonne()
    before = planned(site, intent(site, ("sp03",), PAIR))
    confirmed = {node.routing.node_id: node.routing for node in before.nodes}
    other = intent(site, ("sp01",), ("grf1",), "10.9.0.0/16", "archive")
    seen = Observation(address_mismatches=lost(site, {"atmgw:css0": ["10.1.0.20/24"]}))
    plan = planned(site, other, confirmed=confirmed, observation=seen)
    assert levels(plan)["known_address"] == "warning"
    assert "sp03 reaches it there for sp-default, which fails." in texts(plan, "known_address")
