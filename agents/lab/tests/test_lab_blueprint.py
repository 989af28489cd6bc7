"""Site `argonne` as a value: numbering, addressing, and invariants for any size."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address

import pytest

from backstay_lab.blueprint import Blueprint, NodeSpec, Parameters
from backstay_lab.errors import LabError
from backstay_lab.sites import site

SIZES = [1, 2, 8, 14, 15, 16, 30, 31, 64]


@pytest.fixture(params=SIZES)
def plan(request: pytest.FixtureRequest) -> Blueprint:
    return site("argonne", Parameters(nodes=request.param))


def test_host_part_minus_switch_node_number_is_one_constant(plan: Blueprint) -> None:
    for node in plan.nodes:
        for port in node.ports:
            if port.fabric == "sp-switch":
                assert node.switch_node_number is not None
                assert port.interface.ip.packed[3] - node.switch_node_number == 1


def test_gigarouter_has_the_16th_slot_above_all_other_nodes(plan: Blueprint) -> None:
    numbers = {node.name: node.node_number for node in plan.nodes if node.node_number is not None}
    assert numbers["grf1"] % 16 == 0
    assert max(numbers, key=lambda name: numbers[name]) == "grf1"
    assert numbers["atmgw"] == numbers["grf1"] - 1
    assert len(set(numbers.values())) == len(numbers)


def test_every_address_is_used_once(plan: Blueprint) -> None:
    addresses = [port.interface.ip for node in plan.nodes for port in node.ports]
    addresses += [node.loopback for node in plan.nodes if node.loopback] + [plan.relay.ip]
    assert len(set(addresses)) == len(addresses)


def test_both_ends_of_a_circuit_share_fabric_and_subnet(plan: Blueprint) -> None:
    for link in plan.links:
        if link.b is not None:
            a, b = (plan.node(end.node).port(end.port) for end in (link.a, link.b))
            assert a.fabric == b.fabric == link.fabric
            assert a.interface.network == b.interface.network


def test_every_next_hop_is_the_gateways_own_address_on_the_same_subnet(plan: Blueprint) -> None:
    for node in plan.nodes:
        for route in node.routes:
            for hop in route.hops:
                assert hop.address in {port.interface.ip for port in plan.node(hop.gateway).ports}
                assert hop.address in node.port(hop.port).interface.network


def test_no_single_dead_node_causes_a_loop(argonne: Blueprint) -> None:
    targets = [node.service for node in argonne.nodes if node.service and argonne.data_ports(node)]
    for dead in (None, *(node.name for node in argonne.nodes)):
        for source in argonne.nodes:
            for target in targets:
                path = list(hops(argonne, source, target, dead))
                assert len(set(path)) == len(path), (dead, path)


def hops(plan: Blueprint, source: NodeSpec, target: IPv4Address, dead: str | None) -> Iterator[str]:
    """The nodes visited by a packet; BFD removes a dead next hop if there is another."""
    node = source
    for _ in range(2 * len(plan.nodes)):
        if node.name == dead:
            return
        yield node.name
        following = next_node(plan, node, target, dead)
        if following is None:
            return
        node = plan.node(following)


def next_node(plan: Blueprint, node: NodeSpec, target: IPv4Address, dead: str | None) -> str | None:
    own = {port.interface.ip for port in node.ports} | {node.loopback}
    if target in own:
        return None
    for port in node.ports:
        if target in port.interface.network:
            return next(other.name for other in plan.nodes if target in addresses_of(other))
    matching = [route for route in node.routes if target in route.prefix]
    if not matching:
        return None
    best = max(matching, key=lambda route: route.prefix.prefixlen)
    alive = [hop.gateway for hop in best.hops if hop.gateway != dead]
    return alive[0] if alive else None


def addresses_of(node: NodeSpec) -> set[IPv4Address]:
    return {port.interface.ip for port in node.ports}


@pytest.mark.parametrize("dead", [None, "grf1", "atmgw"])
def test_nodes_reach_the_router_while_one_of_two_gateways_is_alive(dead: str | None) -> None:
    plan = site("argonne", Parameters(nodes=8))
    path = list(hops(plan, plan.node("sp01"), IPv4Address("10.9.0.1"), dead))
    assert path == ["sp01", "atmgw" if dead == "grf1" else "grf1", "router"]


def test_fallback_has_capacity_for_the_background_traffic(plan: Blueprint) -> None:
    narrow = plan.wire_rate(plan.fabric("atm-oc3"))
    outside = {"origin1", "router"}
    outward = sum(flow.rate for flow in plan.flows if flow.target in outside)
    inward = sum(flow.rate for flow in plan.flows if flow.source in outside)
    assert 0.3 * narrow < outward < 0.6 * narrow
    assert 0.3 * narrow < inward < 0.6 * narrow


@pytest.mark.parametrize("count", [0, -1, 65])
def test_invalid_number_of_nodes_is_refused_with_the_range(count: int) -> None:
    with pytest.raises(LabError, match="1 to 64"):
        site("argonne", Parameters(nodes=count))


def test_bird_nodes_and_static_route_nodes_have_separate_policies(plan: Blueprint) -> None:
    of = {policy.name: policy for policy in plan.policies}
    static = set(of["sp-static"].nodes) if "sp-static" in of else set()
    compute = {node.name for node in plan.nodes if node.role == "compute"}
    assert static == compute & {"sp05", "sp06", "sp07", "sp08"}
    assert set(of["sp-default"].nodes) == compute - static
    assert all(plan.node(name).engine != "bird" for name in static)


def test_without_frr_its_nodes_run_bird_and_belong_to_its_policy() -> None:
    plan = site("argonne", Parameters(nodes=8, settings={"frr": 0}))
    assert {node.engine for node in plan.nodes} == {"bird", "gated", "kernel"}
    assert plan.policies[0].nodes == ("sp01", "sp02", "sp03", "sp04", "sp05", "sp06")


def test_unknown_site_is_refused_with_the_existing_ones() -> None:
    with pytest.raises(LabError, match="argonne"):
        site("atlantis", Parameters())


def test_unknown_node_is_refused_with_the_existing_ones(argonne: Blueprint) -> None:
    with pytest.raises(LabError, match="grf1"):
        argonne.node("grf2")
