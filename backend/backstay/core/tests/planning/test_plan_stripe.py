"""Stripes: even, repeatable, few moves, distributed backups; San Diego's quadrants."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from ipaddress import ip_address, ip_network

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.policy import Group, Stripe
from backstay.core.planning.groups import select
from backstay.core.planning.resolve import split
from backstay.core.planning.stripes import assignment
from backstay.core.planning.stripes.balanced_partition import quotas
from backstay.core.planning.stripes.metrics import evaluate, passes_on
from backstay.core.tests.planning.plan_sites import Site, sdsc

QUADRANTS = Group(names=("bh*",), role="compute")


def clients(many: int, labels: tuple[int, ...] = ()) -> tuple[Site, tuple[int, ...]]:
    site = Site()
    for number in range(1, many + 1):
        label = {"rack": str(labels[number - 1])} if labels else {}
        site.node(f"n{number}", **label)
    return site, tuple(node.id for node in site.nodes.values())


def firsts(assigned: dict[int, tuple[int, ...]]) -> dict[int, int]:
    return {node: order[0] for node, order in assigned.items()}


def test_san_diego_quadrants_have_36_nodes_and_distinct_backups() -> None:
    site = sdsc()
    topology = site.topology()
    nodes = select(topology, QUADRANTS)
    wanted = Stripe(site.ids("gw1", "gw2", "gw3", "gw4"), 1, by_label="quadrant")
    assigned = assignment.assign(topology, nodes, wanted, {}, {})
    reported = evaluate(wanted, assigned, {})
    assert [len(share.nodes) for share in reported.shares] == [36, 36, 36, 36]
    assert reported.imbalance == 0
    backups = [list(share.if_lost) for share in reported.shares]
    assert backups == [[item] for item in site.ids("gw2", "gw3", "gw4", "gw1")]
    assert {dict(topology.nodes[node].labels)["quadrant"] for node in reported.shares[0].nodes} == {"1"}


def test_quadrant_needs_few_return_prefixes() -> None:
    site = sdsc()
    topology = site.topology()
    wanted = Stripe(site.ids("gw1", "gw2", "gw3", "gw4"), 1, by_label="quadrant")
    assigned = assignment.assign(topology, select(topology, QUADRANTS), wanted, {}, {})
    addresses = {
        interface.ip: assigned[port.node_id]
        for port in topology.ports.values()
        if port.node_id in assigned
        for interface in topology.interfaces[port.id]
    }
    parts = split(ip_network("10.1.0.0/16"), addresses)
    assert [str(prefix) for prefix, _ in parts] == [
        "10.1.0.0/23",
        "10.1.2.0/24",
        "10.1.3.0/24",
        "10.1.4.0/22",
    ]
    for address, order in addresses.items():
        assert [given for prefix, given in parts if address in prefix] == [order]


def test_lost_gateway_is_shared_by_all_others() -> None:
    site, nodes = clients(144)
    wanted = Stripe((1001, 1002, 1003, 1004), 2)
    reported = evaluate(wanted, assignment.assign(site.topology(), nodes, wanted, {}, {}), {})
    assert [share.if_lost for share in reported.shares] == [
        {1002: 12, 1003: 12, 1004: 12},
        {1003: 12, 1004: 12, 1001: 12},
        {1004: 12, 1001: 12, 1002: 12},
        {1001: 12, 1002: 12, 1003: 12},
    ]


def test_weights_determine_the_shares() -> None:
    site, nodes = clients(100)
    wanted = Stripe((7, 8, 9), 1, "weight", (5.0, 3.0, 2.0))
    reported = evaluate(wanted, assignment.assign(site.topology(), nodes, wanted, {}, {}), {})
    assert [len(share.nodes) for share in reported.shares] == [50, 30, 20]
    assert reported.imbalance == 0


def test_gateway_with_weight_0_loses_its_nodes() -> None:
    site, nodes = clients(10)
    wanted = Stripe((7, 8), 1, "weight", (1.0, 0.0))
    assigned = assignment.assign(site.topology(), nodes, wanted, {}, dict.fromkeys(nodes, 8))
    assert set(firsts(assigned).values()) == {7}


def test_measured_load_is_balanced() -> None:
    site, nodes = clients(8)
    demand = {node: (8_000_000 if node == nodes[0] else 1_000_000, 0) for node in nodes}
    wanted = Stripe((7, 8), 1, "load")
    reported = evaluate(wanted, assignment.assign(site.topology(), nodes, wanted, demand, {}), demand)
    assert [share.bps for share in reported.shares] == [8_000_000, 7_000_000]


def test_small_imbalance_moves_no_node() -> None:
    site, nodes = clients(8)
    wanted = Stripe((7, 8), 1, "load")
    even = dict.fromkeys(nodes, (1_000_000, 0))
    now = firsts(assignment.assign(site.topology(), nodes, wanted, even, {}))
    uneven = even | {nodes[0]: (1_500_000, 0)}
    assert firsts(assignment.assign(site.topology(), nodes, wanted, uneven, now)) == now
    heavy = even | {nodes[0]: (4_000_000, 0)}
    assert firsts(assignment.assign(site.topology(), nodes, wanted, heavy, now)) != now


def test_new_gateway_takes_its_share_without_other_moves() -> None:
    site, nodes = clients(120)
    three = Stripe((1, 2, 3))
    now = firsts(assignment.assign(site.topology(), nodes, three, {}, {}))
    after = firsts(assignment.assign(site.topology(), nodes, replace(three, gateways=(1, 2, 3, 4)), {}, now))
    moved = [node for node in nodes if after[node] != now[node]]
    assert len(moved) == 30
    assert {after[node] for node in moved} == {4}


def test_removed_gateway_moves_only_its_nodes() -> None:
    site, nodes = clients(120)
    four = Stripe((1, 2, 3, 4))
    now = firsts(assignment.assign(site.topology(), nodes, four, {}, {}))
    after = firsts(assignment.assign(site.topology(), nodes, replace(four, gateways=(1, 2, 3)), {}, now))
    assert all(after[node] == now[node] for node in nodes if now[node] != 4)
    assert sorted(Counter(after.values()).values()) == [40, 40, 40]


def test_stripe_without_gateways_is_empty() -> None:
    site, nodes = clients(2)
    assert assignment.assign(site.topology(), nodes, Stripe(()), {}, {}) == {1: (), 2: ()}


@settings(max_examples=100, deadline=None)
@given(
    labels=st.lists(st.integers(1, 9), min_size=1, max_size=60),
    gateways=st.integers(1, 7),
    before=st.lists(st.integers(1, 8), min_size=60, max_size=60),
    started=st.booleans(),
)
def test_stripes_are_even_and_stable(
    labels: list[int], gateways: int, before: list[int], started: bool
) -> None:
    site, nodes = clients(len(labels), tuple(labels))
    topology = site.topology()
    wanted = Stripe(tuple(range(1, gateways + 1)), 1, by_label="rack")
    now = dict(zip(nodes, before, strict=False)) if started else {}
    assigned = assignment.assign(topology, nodes, wanted, {}, now)
    share = Counter(firsts(assigned).values())
    sizes = [share[gateway] for gateway in wanted.gateways]
    assert max(sizes) - min(sizes) <= max(Counter(labels).values())
    for rack in set(labels):
        assert len({assigned[n] for n, label in zip(nodes, labels, strict=True) if label == rack}) == 1
    assert all(order[0] not in order[1:] for order in assigned.values())
    again = assignment.assign(topology, tuple(reversed(nodes)), wanted, {}, firsts(assigned))
    assert firsts(again) == firsts(assigned)


@given(st.integers(0, 500), st.lists(st.floats(0, 100), min_size=1, max_size=9))
def test_quotas_are_within_one_of_the_exact_share(many: int, capacities: list[float]) -> None:
    found = quotas(many, capacities)
    assert sum(found) == many
    total = sum(capacities)
    for got, capacity in zip(found, capacities, strict=True):
        due = many * capacity / total if total else many / len(capacities)
        assert abs(got - due) <= 1 + 1e-6


@given(st.dictionaries(st.integers(0, 255), st.sampled_from([(1, 2), (2, 1), (3,)]), max_size=40))
def test_return_prefixes_cover_every_address(orders: dict[int, tuple[int, ...]]) -> None:
    by_address = {ip_address(f"10.1.0.{last}"): order for last, order in orders.items()}
    parts = split(ip_network("10.1.0.0/24"), by_address)
    for address, order in by_address.items():
        assert [given for prefix, given in parts if address in prefix] == [order]
    assert len(parts) <= max(len(by_address), 1)


def archive(load: int) -> tuple[Site, tuple[int, ...], dict[int, tuple[int, int]]]:
    site = sdsc()
    nodes = select(site.topology(), QUADRANTS)
    return site, nodes, dict.fromkeys(nodes, (load, load // 2))


def test_backup_carries_its_own_and_the_lost_quadrant() -> None:
    site, nodes, demand = archive(1_000_000)
    wanted = Stripe(site.ids("gw1", "gw2", "gw3", "gw4"), 1, by_label="quadrant")
    room = dict.fromkeys(wanted.gateways, 100_000_000)
    assigned = assignment.assign(site.topology(), nodes, wanted, demand, {})
    reported = evaluate(wanted, assigned, demand, room)
    assert [share.utilisation for share in reported.shares] == [0.36] * 4
    assert [item.utilisation for share in reported.shares for item in share.takes_over] == [0.72] * 4
    heavy = evaluate(wanted, assigned, archive(2_000_000)[2], room)
    assert [item.utilisation for share in heavy.shares for item in share.takes_over] == [1.44] * 4


def test_unmeasured_load_is_unknown() -> None:
    site, nodes, demand = archive(1_000_000)
    wanted = Stripe(site.ids("gw1", "gw2", "gw3", "gw4"), 1, by_label="quadrant")
    assigned = assignment.assign(site.topology(), nodes, wanted, demand, {})
    silent = {node: load for node, load in demand.items() if node != nodes[0]}
    reported = evaluate(wanted, assigned, silent, dict.fromkeys(wanted.gateways, 100_000_000))
    assert [share.utilisation is None for share in reported.shares] == [True, False, False, False]
    assert [share.takes_over[0].utilisation is None for share in reported.shares] == [
        True,
        False,
        False,
        True,
    ]


def test_forwarding_rate_is_the_narrower_side() -> None:
    site = sdsc()
    topology = site.topology()
    wanted = Stripe(site.ids("gw1", "gw2"), 1)
    nodes = select(topology, QUADRANTS)
    rates = {
        topology.fabrics[port.fabric_id].usable_rate
        for port in topology.data_ports[wanted.gateways[0]]
        if port.fabric_id is not None
    }
    assert passes_on(topology, wanted, nodes) == dict.fromkeys(wanted.gateways, min(rates))


def test_144_clients_by_count_weight_and_load_are_even_to_within_one_node() -> None:
    site, nodes, demand = archive(1_000_000)
    gateways = site.ids("gw1", "gw2", "gw3", "gw4")
    for wanted, due in (
        (Stripe(gateways, 1), [36, 36, 36, 36]),
        (Stripe(gateways, 1, "weight", (3.0, 3.0, 2.0, 1.0)), [48, 48, 32, 16]),
        (Stripe(gateways, 1, "load"), [36, 36, 36, 36]),
    ):
        reported = evaluate(wanted, assignment.assign(site.topology(), nodes, wanted, demand, {}), demand)
        sizes = [len(share.nodes) for share in reported.shares]
        assert all(abs(size - want) <= 1 for size, want in zip(sizes, due, strict=True)), sizes
        for share in reported.shares:
            assert sum(share.if_lost.values()) == len(share.nodes), "one backup for each node"
            assert share.gateway not in share.if_lost
