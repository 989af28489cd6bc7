"""Packet rates of gateways under failures: against limits, and as packets go on random small networks."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.load import PortRates
from backstay.core.planning.whatif.ecmp_loads import EcmpLoads
from backstay.core.planning.whatif.fallback_failures import FallbackFailures
from backstay.core.planning.whatif.fallback_loads import FallbackLoads
from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome, MeasuredLoad, sentence
from backstay.core.planning.whatif.packet_rates import MeasuredPackets
from backstay.core.tests.capacity.test_ecmp_loads import AT, fabric
from backstay.core.tests.capacity.test_fallback_loads import (
    ATMGW,
    GRF1,
    SP,
    Net,
    carried,
    kill,
    nets,
    routings,
    sp_loads,
)
from backstay.core.tests.planning.plan_sites import MEGA, argonne

NODES = tuple(argonne().nodes[name].id for name in SP)
EACH = (30_000.0, 2_000.0)


def packets(limit: float = 100_000, measured: float | None = 1_000, known: int = 4) -> MeasuredPackets:
    """atmgw with a limit; of the first `known` nodes the packet rate is known."""
    gateways = {} if measured is None else {ATMGW[1]: measured}
    return MeasuredPackets({ATMGW[1]: limit}, gateways, dict.fromkeys(NODES[:known], EACH))


def outcome(of: MeasuredPackets, sent: int = 20 * MEGA, growth: float = 0.0) -> FallbackOutcome:
    return sp_loads(sent, growth, packets=of).outcome(kill(GRF1))


def test_gateway_above_its_limit_would_not_hold_although_no_link_is_full() -> None:
    found = outcome(packets())
    assert found.verdict == "would_not_hold"
    assert sentence("grf1", found.reason) == (
        "If grf1 fails, atmgw would forward 129\u202f000 of 100\u202f000 packets/s."
    )
    (gateway,) = found.gateways
    assert (gateway.before, gateway.after, gateway.is_known) == (1_000, 129_000, True)
    assert found.growth_percent == pytest.approx(-22.5)


def test_growth_counts_packets_too() -> None:
    held = outcome(packets(200_000))
    assert held.verdict == "holds"
    assert held.growth_percent == pytest.approx(55.0)
    assert held.reason == "atmgw would forward 129\u202f000 of 200\u202f000 packets/s."
    assert outcome(packets(200_000), growth=0.54).verdict == "holds"
    grown = outcome(packets(200_000), growth=0.56)
    assert grown.verdict == "would_not_hold"
    assert grown.growth_percent == pytest.approx(55.0)


def test_link_and_gateway_that_are_too_small_are_both_named() -> None:
    found = outcome(packets(), sent=45 * MEGA)
    assert found.reason == (
        "atmgw:at0 would carry 134 % of 134.5 Mb/s."
        " atmgw would forward 129\u202f000 of 100\u202f000 packets/s."
    )
    assert outcome(packets(1e9), sent=45 * MEGA).reason == "atmgw:at0 would carry 134 % of 134.5 Mb/s."


@pytest.mark.parametrize("of", [packets(200_000, None), packets(200_000, known=3)])
def test_unknown_packet_rate_is_never_said_to_hold_where_a_limit_is_declared(of: MeasuredPackets) -> None:
    found = outcome(of)
    assert (found.verdict, found.growth_percent) == ("unknown", None)
    assert found.reason == "The packet rate of atmgw is unknown or stale."


def test_known_excess_of_packets_is_certain_whatever_else_is_unknown() -> None:
    found = outcome(packets(90_000, None))
    assert (found.verdict, found.gateways[0].is_known) == ("would_not_hold", False)


def test_limit_of_a_gateway_that_gains_nothing_changes_nothing() -> None:
    plain = sp_loads(20 * MEGA).outcome(kill(ATMGW))
    limited = sp_loads(20 * MEGA, packets=packets(1, None, 0)).outcome(kill(ATMGW))
    assert limited == plain


@settings(max_examples=40, deadline=None)
@given(nets(), st.lists(st.floats(0, 1e6), min_size=8, max_size=8))
def test_without_a_known_limit_nothing_changes(net: Net, rates: list[float]) -> None:
    structure, measured = _net(net)
    site = net.site()
    counted = MeasuredPackets(
        {},
        {site.nodes[f"g{at}"].id: rates[at] for at in range(len(net.rates))},
        {site.nodes[f"h{host}"].id: (rates[host], rates[0]) for host in range(net.hosts)},
    )
    plain, with_packets = (
        FallbackLoads(structure, replace(measured, packets=of)) for of in (MeasuredPackets(), counted)
    )
    for thing in structure.components():
        assert plain.outcome(kill(thing)) == with_packets.outcome(kill(thing))


@settings(max_examples=40, deadline=None)
@given(nets(), st.integers(1, 20_000), st.integers(0, 10_000))
def test_every_gateway_that_gains_traffic_has_the_packets_of_its_nodes(
    net: Net, limit: int, chosen: int
) -> None:
    """100 packets/s of each Mb/s, so that the links' calculation says what every gateway forwards."""
    structure, measured = _net(net)
    nodes = net.site().nodes
    before, _ = carried(net, set())
    gateways = {at: nodes[f"g{at}"].id for at in range(len(net.rates))}
    counted = MeasuredPackets(
        dict.fromkeys(gateways.values(), float(limit)),
        {node: 100.0 * before.get(f"g{at}:up", 0) for at, node in gateways.items()},
        {nodes[f"h{host}"].id: (100.0 * mbps, 0.0) for host, mbps in enumerate(net.sent)},
    )
    found = FallbackLoads(structure, replace(measured, packets=counted))
    names = {thing: structure.failures.name(thing) for thing in structure.components()}
    pairs = list(combinations(sorted(names), 2))
    for failed in [*((thing,) for thing in names), *(pairs[chosen % len(pairs) :][:1] if pairs else ())]:
        after, _ = carried(net, {names[thing] for thing in failed})
        expected = {
            node: 100 * after[name]
            for at, node in gateways.items()
            if after.get(name := f"g{at}:up", 0) > before.get(name, 0)
        }
        result = found.outcome(frozenset(failed))
        assert {item.node_id: round(item.after) for item in result.gateways} == expected
        if any(rate > limit for rate in expected.values()):
            assert result.verdict == "would_not_hold"


def _net(net: Net) -> tuple[FallbackFailures, MeasuredLoad]:
    site = net.site()
    hosts = [tuple(f"h{host}" for host in range(net.hosts) if host % 2 == odd) for odd in range(2)]
    orders = [tuple(f"g{at}" for at in order) for order in net.orders]
    topology = site.topology()
    structure = FallbackFailures(topology, routings(site, *zip(hosts, orders, strict=True)))
    demand = {site.nodes[f"h{host}"].id: (mbps * MEGA, 0) for host, mbps in enumerate(net.sent)}
    return structure, MeasuredLoad(demand, dict.fromkeys(topology.links, (0, 0)))


def test_equal_cost_paths_bring_packets_to_the_router_that_is_left() -> None:
    site = fabric()
    site.nodes["spine2"] = replace(site.nodes["spine2"], kind="router")
    spine1, spine2 = (site.nodes[name].id for name in ("spine1", "spine2"))
    ports = {
        site.ports[f"h{number}:e0"].id: (0.0, 5_000.0) if number < 3 else (5_000.0, 0.0)
        for number in range(1, 5)
    }

    def under(of: MeasuredPackets) -> FallbackOutcome:
        rates = {
            port: PortRates(AT, int(8000 * into), int(8000 * out)) for port, (into, out) in ports.items()
        }
        topology = site.topology()
        measured = MeasuredLoad({}, dict.fromkeys(topology.links, (0, 0)), packets=of)
        return EcmpLoads(topology, measured, rates).outcome(kill(("node", spine1)))

    full = under(MeasuredPackets({spine2: 8_000.0}, {spine2: 5_000.0}, {}, ports))
    assert full.verdict == "would_not_hold"
    assert full.reason == "spine2 would forward 10\u202f000 of 8\u202f000 packets/s."
    unmeasured = under(MeasuredPackets({spine2: 80_000.0}, {}, {}, ports))
    assert (unmeasured.verdict, unmeasured.gateways[0].is_known) == ("unknown", False)
    assert under(MeasuredPackets({spine2: 80_000.0}, {spine2: 5_000.0}, {}, ports)).verdict == "holds"
    assert under(MeasuredPackets()).gateways == ()
