"""Loads and verdicts of failures: compared with a packet-by-packet calculation on random small networks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.routing import NodeRouting
from backstay.core.model.search import INTACT, Component, Failure
from backstay.core.planning.whatif.fallback_failures import FallbackFailures
from backstay.core.planning.whatif.fallback_loads import FallbackLoads
from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome, MeasuredLoad, sentence
from backstay.core.tests.planning.plan_sites import MEGA, Site, argonne, intent, planned

SP = ("sp01", "sp02", "sp03", "sp04")


def routings(site: Site, *policies: tuple[tuple[str, ...], tuple[str, ...]]) -> dict[int, NodeRouting]:
    """Routes of (nodes, gateways in order), with a checker whose target is the router."""
    wanted = [
        replace(intent(site, nodes, gateways, name=f"p{at}", target="10.9.0.1"), id=at)
        for at, (nodes, gateways) in enumerate(policies, 1)
    ]
    return {item.routing.node_id: item.routing for item in planned(site, *wanted).nodes}


def sp_loads(sent: int = 45 * MEGA, growth: float = 0.0, **measured: object) -> FallbackLoads:
    site = argonne()
    demand = {site.nodes[name].id: (sent, 0) for name in SP}
    links: dict[int, tuple[int | None, int | None]] = dict.fromkeys(site.topology().links, (0, 0))
    loads = replace(MeasuredLoad(demand, links), **measured)  # type: ignore[arg-type]
    structure = FallbackFailures(site.topology(), routings(site, (SP, ("grf1", "atmgw"))))
    return FallbackLoads(structure, loads, growth)


def kill(*things: Component) -> Failure:
    return frozenset(things)


GRF1 = ("node", argonne().nodes["grf1"].id)
ATMGW = ("node", argonne().nodes["atmgw"].id)


def test_fallback_that_is_too_small_would_not_hold() -> None:
    outcome = sp_loads().outcome(kill(GRF1))
    assert outcome.verdict == "would_not_hold"
    assert sentence("grf1", outcome.reason) == "If grf1 fails, atmgw:at0 would carry 134 % of 134.5 Mb/s."
    assert outcome.has_fallback
    (move,) = outcome.moves
    assert (move.start, move.end, len(move.nodes), move.out) == (GRF1[1], ATMGW[1], 4, 180 * MEGA)
    assert outcome.growth_percent == pytest.approx(-25.3)
    assert len(outcome.redundancy_lost) == 4


def test_growth_at_which_it_fails_is_the_growth_that_fills_it() -> None:
    limit = sp_loads(20 * MEGA).outcome(kill(GRF1)).growth_percent
    assert limit == pytest.approx(68.1)
    assert sp_loads(20 * MEGA, growth=0.67).outcome(kill(GRF1)).verdict == "holds"
    grown = sp_loads(20 * MEGA, growth=0.69).outcome(kill(GRF1))
    assert grown.verdict == "would_not_hold"
    assert grown.growth_percent == pytest.approx(68.1)


def test_unknown_demand_or_load_is_never_said_to_hold() -> None:
    site = argonne()
    some = {site.nodes[name].id: (MEGA, 0) for name in SP[:3]}
    outcome = sp_loads(demand=some).outcome(kill(GRF1))
    assert (outcome.verdict, outcome.reason) == ("unknown", "The load of sp04 is unknown or stale.")
    assert outcome.growth_percent is None
    unmeasured = sp_loads(MEGA, links={}).outcome(kill(GRF1))
    assert (unmeasured.verdict, unmeasured.growth_percent) == ("unknown", None)


def test_known_excess_is_certain_whatever_else_is_unknown() -> None:
    site = argonne()
    some = {site.nodes[name].id: (60 * MEGA, 0) for name in SP[:3]}
    assert sp_loads(demand=some).outcome(kill(GRF1)).verdict == "would_not_hold"


def test_unknown_capacity_is_never_said_to_hold() -> None:
    site = argonne()
    site.fabrics["atm-oc3"] = replace(site.fabrics["atm-oc3"], usable_rate=0)
    topology = site.topology()
    demand = {site.nodes[name].id: (MEGA, 0) for name in SP}
    structure = FallbackFailures(topology, routings(site, (SP, ("grf1", "atmgw"))))
    measured = MeasuredLoad(demand, dict.fromkeys(topology.links, (0, 0)))
    outcome = FallbackLoads(structure, measured).outcome(kill(GRF1))
    assert (outcome.verdict, outcome.reason) == ("unknown", "The usable rate of atmgw:at0 is unknown.")


def test_demand_that_is_cut_off_is_counted() -> None:
    outcome = sp_loads().outcome(kill(GRF1, ATMGW))
    assert outcome.verdict == "would_not_hold"
    assert outcome.cut_off_bps == 180 * MEGA
    assert len(outcome.cut_off) == 4
    assert "sp01, sp02, sp03 and sp04 would be cut off." in outcome.reason


def test_failed_host_takes_its_own_traffic_away_only() -> None:
    site = argonne()
    outcome = sp_loads().outcome(kill(("node", site.nodes["sp01"].id)))
    assert outcome.cut_off == (site.nodes["sp01"].id,)
    uplink = {lane.link_id: lane for lane in outcome.lanes}
    assert all(lane.after <= 135 * MEGA for lane in uplink.values())
    assert len(uplink) == 3


def test_load_that_no_flow_explains_is_stated() -> None:
    site = argonne()
    links = dict.fromkeys(site.topology().links, (0, 0))
    gt000 = next(link.id for link in site.topology().links.values() if link.a == site.ports["grf1:gt000"].id)
    links[gt000] = (0, 200 * MEGA)
    loads = sp_loads(links=links)
    assert loads.unattributed() == (20 * MEGA, 200 * MEGA)
    assert loads.outcome(kill(GRF1)).unattributed_bps == 20 * MEGA


def test_policy_loop_is_found_and_its_nodes_are_named() -> None:
    site = argonne()
    found = routings(site, (SP, ("grf1", "atmgw")), (("grf1",), ("atmgw",)), (("atmgw",), ("grf1",)))
    loads = FallbackLoads(FallbackFailures(site.topology(), found), MeasuredLoad())
    outcome = loads.outcome(INTACT)
    assert any("grf1" in text and "atmgw" in text for text in outcome.loops), outcome.loops
    assert outcome.verdict == "would_not_hold"


def undeployed(found: dict[int, NodeRouting], *nodes: int) -> dict[int, NodeRouting]:
    """The routes with nothing that detects a failure on these nodes, else on all."""
    quiet = nodes or tuple(found)
    return {
        node: replace(
            routing, routes=tuple(replace(route, is_detected=node not in quiet) for route in routing.routes)
        )
        for node, routing in found.items()
    }


def test_nodes_on_which_nothing_detects_a_failure_keep_their_gateway() -> None:
    site = argonne()
    topology = site.topology()
    quiet = [site.nodes[name].id for name in SP[2:]]
    found = undeployed(routings(site, (SP, ("grf1", "atmgw"))), *quiet)
    demand = {site.nodes[name].id: (45 * MEGA, 0) for name in SP}
    measured = MeasuredLoad(demand, dict.fromkeys(topology.links, (0, 0)))
    loads = FallbackLoads(FallbackFailures(topology, found), measured)
    outcome = loads.outcome(kill(GRF1))
    assert (outcome.verdict, outcome.has_fallback) == ("would_not_hold", True)
    assert outcome.reason == "Nothing detects the failure for sp03 and sp04."
    assert {move.outcome: len(move.nodes) for move in outcome.moves} == {"moved": 2, "undetected": 2}
    assert max(lane.after for lane in outcome.lanes if lane.grows) == 90 * MEGA
    spare = loads.outcome(kill(ATMGW))
    assert spare.redundancy_lost == tuple(sorted(site.nodes[name].id for name in SP[:2]))


def test_nodes_on_which_nothing_detects_a_failure_stay_with_a_gateway_that_does_not_forward() -> None:
    site = argonne()
    found = undeployed(routings(site, (SP, ("grf1", "atmgw"))))
    uplink = next(link.id for link in site.topology().links.values() if link.a == site.ports["grf1:ga031"].id)
    outcome = FallbackLoads(FallbackFailures(site.topology(), found), MeasuredLoad()).outcome(
        kill(("link", uplink))
    )
    assert [(move.outcome, len(move.nodes)) for move in outcome.moves] == [("undetected", 4)]
    assert outcome.reason == "Nothing detects the failure for sp01, sp02, sp03 and sp04."


@dataclass(frozen=True)
class Net:
    """Hosts on one switched network, gateways from it to one router by links of their own."""

    hosts: int
    orders: tuple[tuple[int, ...], tuple[int, ...]]
    """Gateways in order, of even and odd hosts."""
    rates: tuple[int, ...]
    """Mb/s of each gateway's uplink; 0: unknown."""
    sent: tuple[int, ...]

    def site(self) -> Site:
        site = Site("net")
        site.fabric("lan", 1000 * MEGA, 9000)
        for at, mbps in enumerate(self.rates):
            site.fabric(f"up{at}", mbps * MEGA, 9000)
        for host in range(self.hosts):
            site.node(f"h{host}", role="compute")
            site.on(f"h{host}:e0", "lan", f"10.1.0.{host + 1}/24")
        site.node("router", "router", "router")
        for at in range(len(self.rates)):
            site.node(f"g{at}", "gateway", "gateway")
            site.on(f"g{at}:lan", "lan", f"10.1.0.{at + 100}/24")
            site.between(f"g{at}:up", f"router:r{at}", f"up{at}", f"10.3.{at}.1/30", f"10.3.{at}.2/30")
        return site


@st.composite
def nets(draw: st.DrawFn) -> Net:
    gateways = draw(st.integers(1, 4))
    order = st.permutations(range(gateways)).flatmap(
        lambda known: st.integers(1, gateways).map(lambda many: tuple(known[:many]))
    )
    hosts = draw(st.integers(2, 5))
    return Net(
        hosts,
        (draw(order), draw(order)),
        tuple(draw(st.lists(st.sampled_from([0, 50, 100, 155]), min_size=gateways, max_size=gateways))),
        tuple(draw(st.lists(st.integers(0, 90), min_size=hosts, max_size=hosts))),
    )


def carried(net: Net, dead: set[str]) -> tuple[dict[str, int], set[int]]:
    """Mb/s by uplink, and the hosts that are cut off: each host takes its first gateway that works."""
    loads: dict[str, int] = {}
    cut: set[int] = set()
    for host in range(net.hosts):
        usable = [
            at
            for at in net.orders[host % 2]
            if not dead & {"lan", "router", f"h{host}", f"h{host}:e0", f"g{at}", f"g{at}:lan", f"g{at}:up"}
        ]
        if usable:
            loads[f"g{usable[0]}:up"] = loads.get(f"g{usable[0]}:up", 0) + net.sent[host]
        else:
            cut.add(host)
    return loads, cut


@settings(max_examples=60, deadline=None)
@given(nets(), st.integers(0, 10_000))
def test_every_failure_and_pair_is_as_packets_go(net: Net, chosen: int) -> None:
    site = net.site()
    topology = site.topology()
    hosts = [tuple(f"h{host}" for host in range(net.hosts) if host % 2 == odd) for odd in range(2)]
    orders = [tuple(f"g{at}" for at in order) for order in net.orders]
    structure = FallbackFailures(topology, routings(site, *zip(hosts, orders, strict=True)))
    demand = {site.nodes[f"h{host}"].id: (mbps * MEGA, 0) for host, mbps in enumerate(net.sent)}
    loads = FallbackLoads(structure, MeasuredLoad(demand, dict.fromkeys(topology.links, (0, 0))))
    things: dict[Component, str] = {("fabric", site.fabrics["lan"].id): "lan"}
    things |= {("node", node.id): node.name for node in topology.nodes.values()}
    things |= {
        ("link", link.id): structure.failures.name(("link", link.id)) for link in topology.links.values()
    }
    pairs = list(combinations(sorted(things), 2))
    before, _ = carried(net, set())
    for failed in [*((thing,) for thing in things), pairs[chosen % len(pairs)]]:
        expected, cut = carried(net, {things[thing] for thing in failed})
        outcome = loads.outcome(frozenset(failed))
        assert set(outcome.cut_off) == {site.nodes[f"h{host}"].id for host in cut}, failed
        _compare(net, structure, outcome, before, expected)


def _compare(
    net: Net,
    structure: FallbackFailures,
    outcome: FallbackOutcome,
    before: dict[str, int],
    expected: dict[str, int],
) -> None:
    forward = [lane for lane in outcome.lanes if not lane.is_back]
    lanes = {structure.failures.name(("link", lane.link_id)): lane for lane in forward}
    for at, mbps in enumerate(net.rates):
        name = f"g{at}:up"
        old, new = before.get(name, 0), expected.get(name, 0)
        if old == new:
            assert name not in lanes
        else:
            assert (lanes[name].before, lanes[name].after) == (old * MEGA, new * MEGA)
        if new > old and mbps == 0:
            assert outcome.verdict != "holds"
        if new > old and 0 < mbps < new:
            assert outcome.verdict == "would_not_hold"
    fits = all(
        expected[name] <= old or 0 < expected[name] <= rate
        for at, rate in enumerate(net.rates)
        if (name := f"g{at}:up") in expected
        for old in [before.get(name, 0)]
    )
    if fits and not outcome.cut_off:
        assert outcome.verdict == "holds"
