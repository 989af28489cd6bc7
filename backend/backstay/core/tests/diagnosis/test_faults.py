"""One root cause per real fault, whatever the order of the observations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.diagnosis.faults.bfd import BfdPeer, bfd_evidence
from backstay.core.diagnosis.faults.fault import FaultKind
from backstay.core.diagnosis.faults.search import find_faults
from backstay.core.tests.diagnosis.fault_site import NOW, FaultSite


def test_healthy_site_has_no_fault() -> None:
    assert FaultSite().roots() == []


def test_cut_gateway_is_one_fault_with_its_dead_and_rerouted_paths() -> None:
    site = FaultSite()
    site.cut("grf1", static=["sp03", "sp04"])
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.GATEWAY_ISOLATED, "grf1")
    assert fault.dead_paths == site.path_ids(["sp03", "sp04"])
    assert fault.rerouted_paths == site.path_ids(["sp01", "sp02", "router", "origin1"])
    assert len(fault.links) == 4
    assert {item.source for item in fault.evidence} == {"snmp", "carrier", "report"}


def test_cut_is_found_before_the_gateway_is_polled_and_before_probes_fail() -> None:
    site = FaultSite(age=timedelta(seconds=2))
    site.cut("grf1", static=["sp03"])
    site.down -= {"grf1:gt000", "grf1:gh010", "grf1:ga030", "grf1:ga031"}
    site.unreachable.clear()
    assert site.roots() == [("gateway_isolated", "grf1")]


def test_three_cables_pulled_from_a_gateway_that_answers_on_its_switch_are_three_links() -> None:
    site = FaultSite()
    site.down |= {"onyx1:hip0", "origin1:at0", "router:at0"}
    assert [kind for kind, _ in site.roots()] == ["link_down"] * 3


def test_silent_gateway_is_one_fault() -> None:
    site = FaultSite()
    site.silence("grf1", static=["sp03", "sp04"])
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.GATEWAY_UNREACHABLE, "grf1")
    assert fault.dead_paths == site.path_ids(["sp03", "sp04"])
    assert fault.rerouted_paths == site.path_ids(["sp01", "sp02", "router", "origin1"])


def test_unreachable_gateway_that_still_reports_has_evidence_against_it() -> None:
    site = FaultSite()
    site.fail("grf1")
    (fault,) = site.faults()
    assert fault.kind == FaultKind.GATEWAY_UNREACHABLE
    assert [item.text for item in fault.evidence if not item.supports] == [
        "grf1 reports",
        "4 of 4 ports of grf1 have carrier",
    ]


def test_blackholed_gateway_is_one_fault() -> None:
    site = FaultSite()
    site.blackhole("grf1")
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.GATEWAY_NOT_FORWARDING, "grf1")
    assert len(fault.dead_paths) == len(site.policies())
    assert fault.rerouted_paths == ()


def test_gateway_that_checkers_left_one_by_one_is_not_forwarding() -> None:
    site = FaultSite()
    site.blackhole("grf1")
    moved = [*site.sp[1:], "router"]
    for node in moved:
        site.dead.discard(node)
        site.active[node] = "atmgw"
    site.dead.discard("origin1")
    site.active["origin1"] = "router"
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.GATEWAY_NOT_FORWARDING, "grf1")
    assert fault.dead_paths == site.path_ids(["sp01"])
    assert fault.rerouted_paths == site.path_ids([*moved, "origin1"])
    site = FaultSite()
    site.leave("grf1")
    (fault,) = site.faults()
    assert (fault.kind, fault.dead_paths) == (FaultKind.GATEWAY_NOT_FORWARDING, ())


@pytest.mark.parametrize("returning", [["router", "origin1"], []])
def test_gateway_that_nodes_reach_dead_is_not_accused_while_replies_take_the_other(
    returning: list[str],
) -> None:
    site = FaultSite(age=timedelta(seconds=60), moved=timedelta(seconds=20))
    site.targets |= {"sp03": "10.9.0.2", "sp04": "10.9.0.2"}
    site.blackhole("grf1")
    for node in site.sp:
        site.active[node] = "atmgw"
        site.blocked.add((node, "atmgw"))
    site.dead -= {"router", "origin1"} - set(returning)
    if returning:
        assert site.roots() == [("gateway_not_forwarding", "grf1")]
    else:
        assert ("gateway_not_forwarding", "atmgw") in site.roots()


def test_second_blackhole_is_a_root_once_replies_take_that_gateway_too() -> None:
    site = FaultSite(age=timedelta(seconds=60), moved=timedelta(seconds=20))
    site.targets |= {"sp03": "10.9.0.2", "sp04": "10.9.0.2"}
    site.blackhole("grf1")
    for node in [*site.sp, "router"]:
        site.active[node] = "atmgw"
        site.blocked.add((node, "atmgw"))
    assert ("gateway_not_forwarding", "atmgw") in site.roots()


def test_gateway_that_paths_have_just_left_may_have_stopped_to_answer() -> None:
    site = FaultSite(age=timedelta(seconds=3))
    site.leave("grf1")
    assert site.roots() == []


def test_failover_at_work_does_not_accuse_the_gateway_of_not_forwarding() -> None:
    site = FaultSite(age=timedelta(seconds=3))
    site.dead |= {"sp01", "sp02", "sp03", "router"}
    assert site.roots() == []


def test_dead_target_accuses_no_gateway() -> None:
    site = FaultSite()
    site.dead |= set(site.sp)
    for node in site.sp:
        site.blocked |= {(node, "grf1"), (node, "atmgw")}
    assert site.roots() == []


def test_results_of_standbys_from_before_a_recovery_accuse_nobody() -> None:
    site = FaultSite(age=timedelta(seconds=12))
    site.blocked |= {(node, gateway) for node in site.sp for gateway in ("grf1", "atmgw")}
    assert site.roots() == []


def test_blackholed_standby_is_found_while_all_paths_work() -> None:
    site = FaultSite()
    site.blackhole("atmgw")
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.GATEWAY_NOT_FORWARDING, "atmgw")
    assert (fault.dead_paths, fault.rerouted_paths) == ((), ())
    assert fault.standby_paths == site.path_ids([*site.sp, "router"])


@pytest.mark.parametrize("kind", ["cut", "silence"])
def test_dead_standby_gateway_is_one_fault_without_dead_paths(kind: str) -> None:
    site = FaultSite()
    getattr(site, kind)("atmgw")
    (fault,) = site.faults()
    assert (fault.subject, fault.dead_paths, fault.rerouted_paths) == ("atmgw", (), ())
    assert fault.standby_paths == site.path_ids([*site.sp, "router"])


def test_one_port_of_a_node_is_a_link_and_accuses_no_gateway() -> None:
    site = FaultSite()
    site.down.add("sp01:css0")
    site.dead.add("sp01")
    site.unreachable |= {("sp01", "grf1"), ("sp01", "atmgw")}
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.LINK_DOWN, "sp01:css0-sp-switch")
    assert fault.dead_paths == site.path_ids(["sp01"])


def test_port_of_the_gateway_is_the_link_that_explains_its_paths() -> None:
    site = FaultSite()
    site.down.add("grf1:gt000")
    for node in site.sp:
        site.unreachable.add((node, "grf1"))
        site.active[node] = "atmgw"
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.LINK_DOWN, "grf1:gt000-sp-switch")
    assert set(fault.rerouted_paths) == set(site.path_ids(site.sp))


def test_port_that_was_down_when_its_node_reported_last_explains_what_probes_still_show() -> None:
    site = FaultSite()
    site.down.add("grf1:gt000")
    for node in site.sp:
        site.unreachable.add((node, "grf1"))
        site.active[node] = "atmgw"
    site.late.add("grf1")
    assert [(fault.kind, fault.subject) for fault in site.faults() if fault.links] == [
        (FaultKind.LINK_DOWN, "grf1:gt000-sp-switch")
    ]
    site.unreachable.clear()
    assert not [fault for fault in site.faults() if fault.links]


def test_port_that_was_down_when_its_node_reported_last_is_down_until_its_other_end_has_carrier() -> None:
    site = FaultSite()
    site.down |= {"grf1:ga031", "router:at0"}
    site.late |= {"grf1", "router"}
    assert (FaultKind.LINK_DOWN, "grf1:ga031-router:at0") in [
        (fault.kind, fault.subject) for fault in site.faults()
    ]
    site.down.discard("router:at0")
    site.late.discard("router")
    assert not [fault for fault in site.faults() if fault.kind == FaultKind.LINK_DOWN]


def test_link_behind_the_gateway_explains_paths_that_it_breaks() -> None:
    site = FaultSite()
    site.down |= {"grf1:ga031", "router:at0"}
    site.dead |= set(site.sp)
    site.active["router"] = "atmgw"
    for node in site.sp:
        site.blocked.add((node, "grf1"))
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.LINK_DOWN, "grf1:ga031-router:at0")
    assert set(site.path_ids(site.sp)) <= set(fault.dead_paths)


def test_one_node_whose_probes_fail_does_not_accuse_the_gateway() -> None:
    site = FaultSite()
    site.unreachable.add(("sp01", "atmgw"))
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.STANDBY_DEAD, "atmgw")
    assert fault.standby_paths == site.path_ids(["sp01"])
    assert [item.supports for item in fault.evidence] == [True, False]


def test_gateway_that_fails_on_its_switch_only_names_the_fabric() -> None:
    site = FaultSite()
    for node in site.sp:
        site.unreachable.add((node, "grf1"))
        site.active[node] = "atmgw"
    (fault,) = site.faults()
    assert fault.kind == FaultKind.GATEWAY_UNREACHABLE
    assert fault.fabric_id == site.ids["sp-switch"]


def test_fabric_without_carrier_is_one_fault() -> None:
    site = FaultSite()
    site.down |= {f"{node}:css0" for node in (*site.sp, "atmgw")} | {"grf1:gt000"}
    site.dead |= {*site.sp, "router", "origin1"}
    for node in site.sp:
        site.unreachable |= {(node, "grf1"), (node, "atmgw")}
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.FABRIC_DOWN, "sp-switch")
    assert set(fault.dead_paths) == set(site.path_ids([*site.sp, "router", "origin1"]))


def test_fabric_that_carries_nothing_although_its_ports_are_up_is_one_fault() -> None:
    site = FaultSite()
    site.dead |= {*site.sp, "router", "origin1"}
    for node in site.sp:
        site.unreachable |= {(node, "grf1"), (node, "atmgw")}
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.FABRIC_DOWN, "sp-switch")


def test_lost_management_network_is_no_fault_of_the_data_network() -> None:
    site = FaultSite()
    site.silent |= {*site.sp, "grf1", "atmgw", "onyx1", "origin1", "router", "mgmt1"}
    assert [kind for kind, _ in site.roots()] == ["reporting_lost"]


def test_management_network_is_lost_as_soon_as_the_first_of_many_late_nodes_is_missing() -> None:
    site = FaultSite()
    site.silent, site.late = {"sp01"}, {"sp02", "sp03", "sp04", "atmgw", "router", "mgmt1"}
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.REPORTING_LOST, "7 nodes")
    site.silent = set()
    assert site.roots() == []


def test_standby_whose_own_paths_are_dead_has_no_fault_of_its_own() -> None:
    site = FaultSite()
    site.dead.add("router")
    site.blocked.add(("origin1", "router"))
    assert site.roots() == []


def test_bfd_sessions_read_since_the_fault_are_evidence() -> None:
    site = FaultSite()
    site.fail("grf1")
    seen = site.observations()
    (fault,) = find_faults(seen)
    peers = [
        BfdPeer(site.ids["sp01"], "10.1.0.16", False, NOW),
        BfdPeer(site.ids["sp02"], "10.1.0.16", True, NOW),
        BfdPeer(site.ids["sp03"], "10.1.0.16", True, NOW - timedelta(hours=1)),
        BfdPeer(site.ids["sp04"], "10.1.0.15", True, NOW),
    ]
    assert [(item.text, item.by, item.supports) for item in bfd_evidence(seen, fault, peers)] == [
        ("BFD sessions of 1 node with grf1 are down", "sp01", True),
        ("BFD sessions of 1 node with grf1 are up", "sp02", False),
    ]


def test_bfd_session_that_went_down_before_the_probes_failed_is_evidence() -> None:
    site = FaultSite()
    site.fail("grf1")
    seen = site.observations()
    (fault,) = find_faults(seen)
    peers = [
        BfdPeer(site.ids["sp01"], "10.1.0.16", False, fault.since - timedelta(seconds=3)),
        BfdPeer(site.ids["sp02"], "10.1.0.16", True, fault.since - timedelta(seconds=3)),
        BfdPeer(site.ids["sp03"], "10.1.0.16", False, fault.since - timedelta(hours=1)),
    ]
    assert [(item.by, item.supports) for item in bfd_evidence(seen, fault, peers)] == [("sp01", True)]


def test_gateway_that_only_stopped_reporting_is_still_reachable() -> None:
    site = FaultSite()
    site.silent.add("grf1")
    (fault,) = site.faults()
    assert (fault.kind, fault.subject) == (FaultKind.NODE_UNREACHABLE, "grf1")
    assert [item.text for item in fault.evidence if not item.supports] == ["grf1 answers probes of 6 nodes"]
    assert (fault.dead_paths, fault.rerouted_paths) == ((), ())


def test_two_faults_at_once_are_two_roots() -> None:
    site = FaultSite()
    site.cut("grf1", static=["sp03"])
    site.down.add("sp01:css0")
    site.dead.add("sp01")
    site.unreachable.add(("sp01", "atmgw"))
    assert site.roots() == [("gateway_isolated", "grf1"), ("link_down", "sp01:css0-sp-switch")]


def test_both_gateways_at_once_are_two_roots_and_all_compute_paths_are_dead() -> None:
    site = FaultSite()
    site.cut("grf1")
    site.silence("atmgw")
    site.dead |= {*site.sp, "router"}
    faults = site.faults()
    assert [(fault.kind.value, fault.subject) for fault in faults] == [
        ("gateway_isolated", "grf1"),
        ("gateway_unreachable", "atmgw"),
    ]
    assert all(set(site.path_ids([*site.sp, "router"])) <= set(fault.dead_paths) for fault in faults)


def test_moved_paths_alone_are_no_fault() -> None:
    site = FaultSite()
    site.active |= dict.fromkeys(site.sp, "atmgw")
    assert site.roots() == []


@settings(max_examples=60, deadline=None)
@given(
    kinds=st.lists(
        st.tuples(st.sampled_from(["cut", "silence", "blackhole"]), st.sampled_from(["grf1", "atmgw"])),
        max_size=2,
    ),
    ports=st.sets(st.sampled_from(["sp01:css0", "sp02:css0", "grf1:ga030", "router:at2"]), max_size=2),
    silent=st.sets(st.sampled_from(["sp01", "router", "onyx1"]), max_size=2),
)
def test_order_of_the_rows_never_matters(
    kinds: list[tuple[str, str]], ports: set[str], silent: set[str]
) -> None:
    site = FaultSite()
    for kind, gateway in kinds:
        getattr(site, kind)(gateway)
    site.down |= ports
    site.silent |= silent
    assert find_faults(site.observations()) == find_faults(site.observations(reverse=True))
