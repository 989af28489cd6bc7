"""Paths between two nodes: hops, rates, failures, loops, and agreement with the failure analysis of plans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backstay.core.model.plan import Observation
from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import NodeRouting
from backstay.core.planning.whatif.failure import analyse
from backstay.core.planning.whatif.forwarding_sim import FailureScenario
from backstay.core.planning.whatif.node_routes import NodeRoute, NodeRoutes, ReportedGateway, present_routes
from backstay.core.tests.planning.plan_sites import MEGA, Site, argonne, intent, planned, sdsc

ALL = ("sp01", "sp02")


def lab() -> Site:
    """Argonne with the server that the GigaRouter and the division router reach."""
    site = argonne(2)
    site.node("origin1", role="server")
    site.between("grf1:ga030", "origin1:at0", "atm-oc12", "10.3.0.1/30", "10.3.0.2/30")
    site.between("origin1:at1", "router:at2", "atm-oc12", "10.3.0.13/30", "10.3.0.14/30")
    return site


def routings(site: Site, *intents: FailoverIntent) -> dict[int, NodeRouting]:
    return {node.routing.node_id: node.routing for node in planned(site, *intents).nodes}


def managed(site: Site) -> dict[int, NodeRouting]:
    return routings(site, intent(site, ALL, ["grf1", "atmgw"], target="10.3.0.6"))


def between(
    site: Site,
    source: str,
    destination: str,
    *failed: str,
    routes: dict[int, NodeRouting] | None = None,
    reported: dict[tuple[str, str], str | None] | None = None,
) -> list[NodeRoute]:
    """The path without a failure, and under each: a node, or a link by its first port."""
    known = {
        (site.nodes[node].id, policy): ReportedGateway(None if gateway is None else site.nodes[gateway].id)
        for (node, policy), gateway in (reported or {}).items()
    }
    things = [
        ("link", site.links[name].id) if ":" in name else ("node", site.nodes[name].id) for name in failed
    ]
    paths = NodeRoutes(site.topology(), managed(site) if routes is None else routes, known)
    return paths.between(site.nodes[source].id, site.nodes[destination].id, [None, *things])


def trail(site: Site, route: NodeRoute) -> str:
    names = {("node", node.id): name for name, node in site.nodes.items()}
    names |= {("fabric", fabric.id): name for name, fabric in site.fabrics.items()}
    return " ".join([names[hop.start] for hop in route.hops[:1]] + [names[hop.end] for hop in route.hops])


def test_a_standby_that_is_dead_already_takes_no_traffic() -> None:
    site = lab()
    routes, atmgw = managed(site), site.nodes["atmgw"].id
    sp01 = site.nodes["sp01"].id
    dead = {(sp01, "sp-default"): ReportedGateway(atmgw, frozenset({"grf1"}))}
    (route,) = present_routes(site.topology(), routes, dead)[sp01].routes
    assert [hop.gateway for hop in route.hops] == ["atmgw"]
    both = {(sp01, "sp-default"): ReportedGateway(atmgw, frozenset({"grf1", "atmgw"}))}
    (kept,) = present_routes(site.topology(), routes, both)[sp01].routes
    assert [hop.gateway for hop in kept.hops] == ["atmgw"], "what the node uses stays"


def test_node_on_which_nothing_detects_a_failure_keeps_its_reported_gateway() -> None:
    site = lab()
    quiet = {
        node: replace(routing, routes=tuple(replace(route, is_detected=False) for route in routing.routes))
        for node, routing in managed(site).items()
    }
    intact, failed = between(site, "sp01", "router", "grf1", routes=quiet)
    assert intact.outcome == "delivered"
    assert (failed.outcome, failed.hops) == ("no_route", ())
    assert failed.reason == (
        "Nothing on sp01 detects that grf1 fails: it keeps it until sp-default is deployed."
    )
    (spare,) = between(site, "sp01", "router", "atmgw", routes=quiet)[1:]
    assert spare.outcome == "delivered"
    reported: dict[tuple[str, str], str | None] = {("sp01", "sp-default"): "atmgw"}
    on_fallback = between(site, "sp01", "router", "grf1", "atmgw", routes=quiet, reported=reported)
    assert [route.outcome for route in on_fallback] == ["delivered", "delivered", "no_route"]


def test_path_leads_through_the_preferred_gateway_and_names_its_narrowest_hop() -> None:
    site = lab()
    (route,) = between(site, "sp01", "origin1")
    assert trail(site, route) == "sp01 sp-switch grf1 origin1"
    assert (route.outcome, route.reason) == ("delivered", "")
    assert [(hop.start_port, hop.end_port) for hop in route.hops] == [
        ("css0", ""),
        ("", "gt000"),
        ("ga030", "at0"),
    ]
    assert [hop.usable_rate for hop in route.hops] == [960 * MEGA, 960 * MEGA, 538 * MEGA]
    assert [hop.arp for hop in route.hops] == ["on", "on", "on"]
    assert [(hop.basis, hop.policy) for hop in route.hops] == [
        ("policy", "sp-default"),
        ("policy", "sp-default"),
        ("topology", ""),
    ]
    assert route.narrowest == route.hops[2]
    assert (route.usable_rate, route.mtu) == (538 * MEGA, 9180)


def test_failed_gateway_moves_the_path_to_the_fallback() -> None:
    site = lab()
    _, route = between(site, "sp01", "origin1", "grf1")
    assert trail(site, route) == "sp01 sp-switch atmgw router origin1"
    assert route.narrowest is not None
    assert route.narrowest.usable_rate == 134_500_000
    assert route.failed == ("node", site.nodes["grf1"].id)


def test_lost_paths_say_why() -> None:
    site = lab()
    _, source, end, own, behind = between(
        site, "sp01", "origin1", "sp01", "origin1", "sp01:css0", "grf1:ga030"
    )
    assert source.reason == "sp01 itself has failed."
    assert end.reason == "origin1 itself has failed."
    assert own.reason == "sp01 reaches none of the gateways of sp-default: grf1 or atmgw."
    assert behind.reason == "grf1 has no path to origin1."  # the checker's target is still alive behind it
    assert {route.outcome for route in (source, end, own, behind)} == {"no_route"}


def test_reported_gateway_comes_before_the_order_of_the_policy() -> None:
    site = lab()
    now, failed = between(site, "sp01", "origin1", "atmgw", reported={("sp01", "sp-default"): "atmgw"})
    assert trail(site, now) == "sp01 sp-switch atmgw router origin1"
    assert now.hops[0].basis == "observed"
    assert trail(site, failed) == "sp01 sp-switch grf1 origin1"
    assert failed.hops[0].basis == "policy"


def test_gateway_outside_the_policy_is_shown_when_a_node_reports_it() -> None:
    site = lab()
    routes = routings(site, intent(site, ALL, ["grf1"]))
    (route,) = between(site, "sp01", "origin1", routes=routes, reported={("sp01", "sp-default"): "atmgw"})
    assert trail(site, route) == "sp01 sp-switch atmgw router origin1"
    assert route.hops[0].basis == "observed"


def test_node_without_a_route_is_said_to_have_none() -> None:
    site = lab()
    (route,) = between(site, "sp01", "origin1", reported={("sp01", "sp-default"): None})
    assert (route.outcome, route.reason) == ("no_route", "sp01 reports no route under sp-default.")
    assert (route.narrowest, route.usable_rate, route.mtu) == (None, None, None)


def test_policy_loop_is_named() -> None:
    """grf1 sends back to atmgw what atmgw sends to it."""
    site = lab()
    loop = [
        intent(site, ALL, ["grf1"]),
        intent(site, ["grf1"], ["atmgw"], "10.3.0.8/29", name="to-atm"),
        intent(site, ["atmgw"], ["grf1"], "10.3.0.8/29", name="to-grf"),
    ]
    site.node("far", role="server")
    site.port("far:at0", "atm-oc3", "10.3.0.12/32")
    (route,) = between(site, "sp01", "far", routes=routings(site, *loop))
    assert (route.outcome, route.reason) == ("loop", "Packets loop: grf1 to atmgw to grf1.")
    assert trail(site, route) == "sp01 sp-switch grf1 sp-switch atmgw sp-switch grf1"


def test_nodes_of_one_network_need_no_gateway() -> None:
    site = lab()
    route, failed, switch = between(site, "sp01", "sp02", "grf1", "sp02:css0")
    assert trail(site, route) == trail(site, failed) == "sp01 sp-switch sp02"
    assert {hop.basis for hop in route.hops} == {"network"}
    assert (switch.outcome, switch.reason) == (
        "no_route",
        "The network that sp01 and sp02 share is interrupted.",
    )


def test_a_node_reaches_itself_without_hops() -> None:
    (route,) = between(lab(), "sp01", "sp01")
    assert (route.outcome, route.hops, route.usable_rate) == ("delivered", (), None)


def test_nodes_without_policies_use_the_fewest_links() -> None:
    site = lab()
    (route,) = between(site, "origin1", "sp01", routes={})
    assert trail(site, route) == "origin1 grf1 sp-switch sp01"
    assert {hop.basis for hop in route.hops} == {"topology"}


def test_unknown_rate_of_one_hop_makes_the_rate_of_the_path_unknown() -> None:
    site = lab()
    known = site.fabrics["sp-switch"]
    site.fabrics["sp-switch"] = replace(known, usable_rate=0, mtu=0, arp="")
    (route,) = between(site, "sp01", "origin1")
    assert (route.usable_rate, route.mtu, route.hops[0].arp) == (None, None, None)
    assert route.narrowest is not None
    assert route.narrowest.usable_rate == 538 * MEGA


def test_node_without_an_address_has_no_path() -> None:
    site = lab()
    site.node("bare")
    (route,) = between(site, "sp01", "bare")
    assert route.reason == "bare has no address on a data port."


@pytest.mark.parametrize("target", ["10.3.0.6", None], ids=["probed", "gateways only"])
def test_every_single_failure_agrees_with_the_analysis_of_plans(target: str | None) -> None:
    """Same links and outcome as the simulation behind a plan, to the same destination."""
    site = lab()
    routes = routings(site, intent(site, ALL, ["grf1", "atmgw"], target=target))
    compared = agree(site, routes)
    assert compared >= 8


def test_every_single_failure_of_stripes_agrees_with_the_analysis_of_plans() -> None:
    site = sdsc(8)
    order = ["gw2", "gw1", "gw3", "gw4"]
    nodes = [f"bh{number:03}" for number in range(1, 9)]
    routes = routings(site, intent(site, nodes, order, target="10.2.0.11"))
    assert agree(site, routes) >= 12


def agree(site: Site, routes: dict[int, NodeRouting]) -> int:
    """Compare every failure of the analysis; returns how many."""
    topology = site.topology()
    analysis = analyse(topology, routes, {}, Observation())
    paths, compared = NodeRoutes(topology, routes, {}), 0
    for impact in (item.impact for item in analysis.consequences):
        failed = None if impact.kind == "none" else (impact.kind, impact.ident)
        for flow in analysis.flows:
            ends = [ident for kind, ident in flow.goal.vertices if kind == "node"]
            if len(ends) != 1 or failed == ("node", ends[0]):
                continue
            scene = FailureScenario(analysis.world, *([failed] if failed else []))
            choice, _ = scene.choose(flow.speaker, flow.steps, flow.goal, flow.probed)
            (route,) = paths.between(flow.speaker, ends[0], [failed])
            assert (route.outcome == "delivered") == choice.beyond.delivered, (failed, flow.speaker)
            if choice.beyond.delivered:
                segments = (choice.step, *choice.beyond.segments)
                links = [link for segment in segments for link in segment.links]
                assert [hop.link.id for hop in route.hops] == links, failed
            compared += 1
    return compared
