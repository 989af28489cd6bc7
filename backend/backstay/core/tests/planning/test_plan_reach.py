"""Plans that would capture a node's controller, DNS server or management network, or have no effect."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

import pytest

from backstay.core.model.host_network import (
    ControllerSession,
    HostNetwork,
    KernelRoute,
    PolicyRule,
    PortNetwork,
    best_route,
    covers,
)
from backstay.core.model.plan import Observation, Plan
from backstay.core.model.topology import Port
from backstay.core.tests.planning.plan_sites import Site, argonne, hosts, intent, levels, planned, seen, texts

PAIR = ["grf1", "atmgw"]
CONTROLLER = "10.255.0.1"
V6 = "2001:db8:ff::1"


def managed_site() -> Site:
    """Argonne with a management port on each SP node."""
    site = argonne()
    for number in range(1, 5):
        node = site.nodes[f"sp{number:02}"].id
        address = (f"10.255.0.{10 + number}/24", f"2001:db8:ff::{number + 16}/64")
        site.ports[f"sp{number:02}:en0"] = Port(900 + number, node, "en0", None, True, address)
    return site


def reported(
    site: Site, controller: str = CONTROLLER, resolver: str = "10.255.0.53"
) -> dict[int, HostNetwork]:
    """Each SP node's agent reports its session, its resolver and an on-link management network."""
    found = hosts(site, ("10.9.0.0/24", "10.3.0.6"), controller=controller)
    for number in range(1, 5):
        node = site.nodes[f"sp{number:02}"].id
        source = f"10.255.0.{10 + number}" if ":" not in controller else f"2001:db8:ff::{number + 16}"
        found[node] = replace(
            found[node],
            controllers=(ControllerSession(ip_address(controller), ip_address(source)),),
            resolvers=(ip_address(resolver),),
        )
    return found


def controller_plan(prefix: str, controller: str = CONTROLLER, nodes: tuple[str, ...] = ("sp01",)) -> Plan:
    site = managed_site()
    gateways = PAIR if ":" not in prefix else ["grf1"]
    policy = intent(site, nodes, gateways, prefix, "narrow")
    return planned(site, policy, observation=Observation(hosts=reported(site, controller)))


@pytest.mark.parametrize(
    ("prefix", "named"),
    [
        ("10.255.0.1/32", "the controller 10.255.0.1"),
        ("10.255.0.0/24", "the controller 10.255.0.1"),
        ("10.255.0.0/30", "the controller 10.255.0.1"),
        ("10.255.0.0/25", "the DNS server 10.255.0.53"),
        ("10.255.0.53/32", "the DNS server 10.255.0.53"),
        ("10.255.0.11/32", "its agent's own address 10.255.0.11"),
        ("10.255.0.128/25", "the management network 10.255.0.0/24"),
        ("10.255.0.12/32", "to the agent of sp02 via grf1"),
    ],
)
def test_prefix_that_captures_a_protected_address_is_refused_by_name(prefix: str, named: str) -> None:
    plan = controller_plan(prefix)
    assert plan.blocked
    assert named in texts(plan, "controller")
    assert "sp01 would" in texts(plan, "controller")
    assert prefix in texts(plan, "controller")


def test_answers_to_many_agents_are_one_finding() -> None:
    found = [item for item in controller_plan("10.255.0.0/24").findings if "send answers" in item.text]
    assert len(found) == 1
    assert "the agents of sp02, sp03 and sp04" in found[0].text


@pytest.mark.parametrize("prefix", ["2001:db8:ff::1/128", "2001:db8:ff::/64"])
def test_ipv6_controller_is_protected_too(prefix: str) -> None:
    plan = controller_plan(prefix, V6)
    assert f"the controller {V6}" in texts(plan, "controller")


@pytest.mark.parametrize(
    "prefix", ["0.0.0.0/0", "10.0.0.0/8", "10.254.0.0/15", "10.9.0.0/24", "10.255.1.0/24"]
)
def test_wider_or_other_prefix_leaves_the_management_network_alone(prefix: str) -> None:
    assert levels(controller_plan(prefix))["controller"] == "passed"


def test_ipv6_default_leaves_the_management_network_alone() -> None:
    assert levels(controller_plan("::/0", V6))["controller"] == "passed"


def test_node_that_reported_no_session_is_protected_by_what_others_report() -> None:
    site = managed_site()
    known = reported(site)
    del known[site.nodes["sp01"].id]
    plan = planned(site, intent(site, ["sp01"], PAIR, "10.255.0.1/32"), observation=Observation(hosts=known))
    assert "the controller 10.255.0.1" in texts(plan, "controller")
    assert "has not reported" in texts(plan, "table_choice")


def routed(gateway_routes: tuple[KernelRoute, ...] | None, *, via: str = "10.1.0.215") -> Plan:
    """sp01 reaches the controller 10.7.0.1 behind `via`; the plan sends 10.7.0.0/24 through grf1."""
    site = argonne()
    known = hosts(site, ("10.9.0.0/24", "10.3.0.6"), controller="10.7.0.1")
    sp01, grf1 = site.nodes["sp01"].id, site.nodes["grf1"].id
    present = KernelRoute(ip_network("0.0.0.0/0"), 0, ((ip_address(via), "css0"),))
    known[sp01] = replace(known[sp01], routes=(*(known[sp01].routes or ()), present))
    known[grf1] = replace(known[grf1], routes=gateway_routes)
    return planned(
        site, intent(site, ["sp01"], ["grf1"], "10.7.0.0/24", "far"), observation=Observation(hosts=known)
    )


def kernel_route(prefix: str, via: str = "10.3.0.6") -> KernelRoute:
    return KernelRoute(ip_network(prefix), 0, ((ip_address(via), "ga031"),))


def test_controller_behind_a_gateway_without_a_route_to_it_is_refused() -> None:
    plan = routed((kernel_route("10.9.0.0/24"), kernel_route("10.1.0.0/24")))
    assert "sp01 would lose the controller 10.7.0.1" in texts(plan, "controller")
    assert "grf1 has no route to 10.7.0.1" in texts(plan, "controller")


def test_gateway_without_a_route_back_to_the_node_is_refused() -> None:
    plan = routed((kernel_route("10.7.0.0/24"),))
    assert "grf1 has no route back to 10.1.0.1" in texts(plan, "controller")


def test_controller_behind_an_unknown_gateway_is_a_warning() -> None:
    plan = routed(None)
    assert levels(plan)["controller"] == "warning"
    assert "Nothing proves that sp01 would still reach the controller 10.7.0.1" in texts(plan, "controller")


def test_controller_behind_the_same_or_a_leading_gateway_passes() -> None:
    leading = (kernel_route("10.7.0.0/24"), kernel_route("10.1.0.0/24"))
    assert levels(routed(leading))["controller"] == "passed"
    assert levels(routed(None, via="10.1.0.216"))["controller"] == "passed"


def test_gateways_of_known_agents_are_proven() -> None:
    site = argonne()
    known = Observation(hosts=hosts(site, ("10.9.0.0/24", "10.3.0.6")))
    plan = planned(site, intent(site, ["sp01"], PAIR, "10.9.0.0/24", target="10.9.0.1"), observation=known)
    assert levels(plan)["gateway_forwards"] == "passed"


def forwarding(port: PortNetwork, *more: KernelRoute, target: str = "10.9.0.1") -> Plan:
    """The fallback atmgw reports this about its port towards the node, and these routes."""
    site = argonne()
    known = hosts(site, ("10.9.0.0/24", "10.3.0.6"))
    atmgw = site.nodes["atmgw"].id
    routes = more or known[atmgw].routes
    known[atmgw] = replace(known[atmgw], ports={"css0": port}, routes=routes)
    policy = intent(site, ["sp01"], PAIR, "10.9.0.0/24", target=target)
    return planned(site, policy, observation=Observation(hosts=known))


def test_fallback_with_forwarding_off_is_refused() -> None:
    plan = forwarding(PortNetwork(forwards_ipv4=False, forwards_ipv6=True, rp_filter=0))
    assert plan.blocked
    assert "atmgw cannot forward packets of sp01 to 10.9.0.1" in texts(plan, "gateway_forwards")
    assert "IPv4 forwarding is off on atmgw:css0" in texts(plan, "gateway_forwards")


def test_fallback_without_a_route_to_the_target_is_refused() -> None:
    plan = forwarding(PortNetwork("", True, True, 0), kernel_route("10.1.0.0/24"))
    assert "atmgw has no route to 10.9.0.1" in texts(plan, "gateway_forwards")


def test_fallback_that_sends_the_packets_back_is_refused() -> None:
    plan = forwarding(PortNetwork("", True, True, 0), kernel_route("0.0.0.0/0", "10.1.0.1"))
    assert "atmgw sends packets to 10.9.0.1 back to sp01" in texts(plan, "gateway_forwards")


def test_strict_rp_filter_towards_another_port_is_refused() -> None:
    routes = (kernel_route("10.9.0.0/24"), kernel_route("10.1.0.0/24"))
    plan = forwarding(PortNetwork("", True, True, 1), *routes)
    assert "atmgw:css0 has a strict rp_filter and reaches 10.1.0.1 through ga031" in texts(
        plan, "gateway_forwards"
    )
    assert levels(forwarding(PortNetwork("", True, True, 2), *routes))["gateway_forwards"] == "passed"


def test_gateway_without_an_agent_is_unproven_until_probes_are_answered_through_it() -> None:
    site = argonne()
    known = hosts(site, ("10.9.0.0/24", "10.3.0.6"))
    sp01, atmgw = site.ids("sp01", "atmgw")
    del known[atmgw]
    policy = intent(site, ["sp01"], PAIR, "10.9.0.0/24", target="10.9.0.1")
    plan = planned(site, policy, observation=Observation(hosts=known))
    assert not plan.blocked
    assert "Unproven: whether atmgw forwards packets of sp01 to 10.9.0.1" in texts(plan, "gateway_forwards")
    carried = frozenset({(sp01, atmgw, ip_address("10.9.0.1"))})
    probed = planned(site, policy, observation=Observation(hosts=known, carried=carried))
    assert levels(probed)["gateway_forwards"] == "passed"


@pytest.mark.parametrize(
    "change",
    [
        {"fresh": False},
        {"routes": None},
        {"ports": {"css0": PortNetwork("blue", True, True, 0)}},
        {"rules": (PolicyRule(4, 100, None, None, "iif css0", "lookup 7"),)},
    ],
)
def test_gateway_about_which_too_little_is_known_is_unproven(change: dict[str, object]) -> None:
    site = argonne()
    known = hosts(site, ("10.9.0.0/24", "10.3.0.6"))
    atmgw = site.nodes["atmgw"].id
    known[atmgw] = replace(known[atmgw], **change)  # type: ignore[arg-type]
    policy = intent(site, ["sp01"], PAIR, "10.9.0.0/24", target="10.9.0.1")
    plan = planned(site, policy, observation=Observation(hosts=known))
    assert levels(plan)["gateway_forwards"] == "warning"


def test_bad_gateway_of_a_kept_route_does_not_block_another_repair() -> None:
    site = argonne()
    known = hosts(site, ("10.9.0.0/24", "10.3.0.6"))
    atmgw = site.nodes["atmgw"].id
    policy = intent(site, ["sp01"], PAIR, "10.9.0.0/24", target="10.9.0.1")
    before = planned(site, policy, observation=Observation(hosts=known))
    confirmed = {node.routing.node_id: node.routing for node in before.nodes}
    known[atmgw] = replace(known[atmgw], ports={"css0": PortNetwork("", False, False, 0)})
    plan = planned(site, policy, observation=Observation(hosts=known), confirmed=confirmed)
    assert levels(plan)["gateway_forwards"] == "warning"


def decided(rule: PolicyRule | None = None, vrf: str = "", prefix: str = "10.9.0.0/24") -> Plan:
    site = argonne()
    known = hosts(site, ("10.9.0.0/24", "10.3.0.6"))
    sp01 = site.nodes["sp01"].id
    ports = {"css0": PortNetwork(vrf, True, True, 0)}
    known[sp01] = replace(known[sp01], ports=ports, rules=() if rule is None else (rule,))
    gateways = PAIR if ":" not in prefix else ["grf1"]
    policy = intent(site, ["sp01"], gateways, prefix, "far")
    return planned(site, policy, observation=Observation(hosts=known))


def net(text: str) -> IPv4Network | IPv6Network:
    return ip_network(text)


@pytest.mark.parametrize(
    ("rule", "prefix"),
    [
        (PolicyRule(4, 100, net("10.1.0.0/24"), None, "", "lookup 100"), "10.9.0.0/24"),
        (PolicyRule(4, 100, None, net("10.9.0.7/32"), "", "unreachable"), "10.9.0.0/24"),
        (PolicyRule(4, 32765, None, net("10.0.0.0/8"), "", "lookup 5"), "10.9.0.0/24"),
        (PolicyRule(4, 5, None, None, "suppress_prefixlength 0", "lookup main"), "0.0.0.0/0"),
        (PolicyRule(6, 50, None, None, "", "lookup 7"), "::/0"),
    ],
)
def test_policy_routing_is_refused_by_name(rule: PolicyRule, prefix: str) -> None:
    plan = decided(rule, prefix=prefix)
    assert plan.blocked
    assert f"sp01 uses policy routing (rule {rule.text})" in texts(plan, "table_choice")


@pytest.mark.parametrize(
    "rule",
    [
        PolicyRule(6, 100, None, None, "", "lookup 100"),
        PolicyRule(4, 100, None, net("10.8.0.0/16"), "", "lookup 100"),
        PolicyRule(4, 40000, None, None, "", "lookup 100"),
        PolicyRule(4, 100, None, None, "", "lookup main"),
    ],
)
def test_rules_about_other_packets_pass(rule: PolicyRule) -> None:
    assert levels(decided(rule))["table_choice"] == "passed"


def test_port_in_a_vrf_is_refused_by_name() -> None:
    assert "sp01 has css0 in VRF blue" in texts(decided(vrf="blue"), "table_choice")


def test_multipath_default_is_refused_until_it_is_managed() -> None:
    site = argonne()
    sp01 = site.nodes["sp01"].id
    both = {"0.0.0.0/0": [("10.1.0.215", 20), ("10.1.0.216", 20)]}
    policy = intent(site, ["sp01"], PAIR)
    known = Observation(hosts=hosts(site))
    plan = planned(site, policy, observed={sp01: seen(sp01, both)}, observation=known)
    assert "sp01 balances 0.0.0.0/0 over 2 equal next hops (ECMP: 10.1.0.215, 10.1.0.216)" in texts(
        plan, "table_choice"
    )
    confirmed = {node.routing.node_id: node.routing for node in planned(site, policy).nodes}
    again = planned(site, policy, observed={sp01: seen(sp01, both)}, observation=known, confirmed=confirmed)
    assert levels(again)["table_choice"] == "passed"


def test_ipv6_default_is_planned_with_its_ipv6_next_hop() -> None:
    site = argonne()
    known = Observation(hosts=hosts(site, ("::/0", "2001:db8:3::6")))
    plan = planned(site, intent(site, ["sp01"], ["grf1"], "::/0"), observation=known)
    (node,) = plan.nodes
    assert [str(hop.address) for hop in node.routing.routes[0].hops] == ["2001:db8:1::216"]
    assert levels(plan)["gateway_forwards"] == "passed"
    refused = planned(site, intent(site, ["sp01"], PAIR, "::/0"), observation=known)
    assert "atmgw has no IPv6 address in a network of sp01" in texts(refused, "gateway_on_link")


def test_longest_prefix_then_lowest_metric_wins() -> None:
    routes = [
        KernelRoute(ip_network("0.0.0.0/0"), 0, ()),
        KernelRoute(ip_network("10.0.0.0/8"), 70, ()),
        KernelRoute(ip_network("10.0.0.0/8"), 60, ()),
    ]
    assert best_route(routes, ip_address("10.1.1.1")) == routes[2]
    assert best_route(routes, ip_network("11.0.0.0/8")) == routes[0]
    assert best_route(routes, ip_address("::1")) is None
    assert covers(ip_network("10.0.0.0/8"), ip_network("10.1.0.0/16"))
    assert not covers(ip_network("10.1.0.0/16"), ip_network("10.0.0.0/8"))
