"""Confirmed nodes of policies, counted by equal routes, are those that a comparison of each path finds."""

from __future__ import annotations

import random
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db.models import QuerySet

from backstay.inventory.models import Node, Site
from backstay.policy.models import FailoverPolicy, Path, PolicyGateway
from backstay.policy.selectors import PathState, Policy, paths, read_policies
from backstay.policy.selectors import policies as known_policies
from backstay.rollout.models import Intended
from backstay.rollout.policy_progress import progress_by_policy, with_confirmed
from backstay.rollout.selectors import confirmed

NOW = datetime(2026, 3, 1, tzinfo=UTC)
TARGETS = (None, "10.9.0.1", "2001:db8::1")
TIMERS: tuple[dict[str, Any], ...] = (
    {},
    {"fail_after": 5},
    {"hold_down_s": 2, "revert": "after"},
    {"interval_ms": 200},
)
INTERVALS_MS = (50, 200)


@pytest.fixture
def nodes(db: None) -> list[Node]:
    """Of two sites with the same names; the first site's."""
    for name in ("b", "a"):
        site = Site.objects.create(name=name, title=name, interval_s=2, imported_at=NOW)
        found = [Node.objects.create(site=site, name=f"sp{number}", role="compute") for number in range(1, 9)]
    return found


def add_policy(chance: random.Random, number: int, nodes: list[Node]) -> None:
    policy = FailoverPolicy.objects.create(
        site=nodes[0].site,
        name=f"policy{number}",
        prefix=chance.choice(("0.0.0.0/0", "10.1.0.0/16")),
        detection=chance.choice(("checker", "bfd")),
        target=chance.choice(TARGETS),
        probe_interval_ms=chance.choice(INTERVALS_MS),
        timers=chance.choice(TIMERS),
        stripe=chance.choice((None, None, {"gateways": [], "backups": 1})),
    )
    gateways = chance.sample(nodes, chance.randrange(4))
    for place, node in enumerate(gateways):
        PolicyGateway.objects.create(policy=policy, node=node, order=place)
    for node in chance.sample(nodes, chance.randrange(len(nodes))):
        own = chance.sample([gateway.pk for gateway in gateways], chance.randrange(len(gateways) + 1))
        order: list[int] | None = chance.choice((None, [], own, [*own, 0]))
        Path.objects.create(policy=policy, node=node, order=order)


def add_intended(chance: random.Random, site: Site) -> None:
    """Each node's routes as its policies are now, some of them altered or missing."""
    known, routes = read_policies(site), dict[int, list[dict[str, Any]]]()
    for path in paths(site):
        route = route_of(known[path.policy_id], path)
        if chance.random() < 0.4:
            route |= chance.choice(
                (
                    {"policy": "another"},
                    {"prefix": "192.0.2.0/24"},
                    {"detection": "protocol"},
                    {"target": chance.choice(TARGETS)},
                    {"timers": {**route["timers"], "fail_after": 5}},
                    {"timers": {}},
                    {"hops": route["hops"][1:]},
                    {"hops": route["hops"][::-1]},
                    {"hops": [*route["hops"], {"gateway": "sp3"}]},
                )
            )
        if chance.random() < 0.9:
            routes.setdefault(path.node_id, []).append(route)
    for node_id, mine in routes.items():
        Intended.objects.create(node_id=node_id, revision=1, routing={"routes": mine}, at=NOW)
    for node in site.nodes.exclude(pk__in=routes)[:1]:
        Intended.objects.create(node=node, revision=1, routing=None, at=NOW)


def route_of(policy: Policy, path: PathState) -> dict[str, Any]:
    """The wire's route of a path as its policy is now."""
    gateways = [name for node, name in path.gateways(policy).items() if node != path.node_id]
    return {
        "policy": policy.name,
        "prefix": policy.prefix,
        "hops": [{"gateway": name, "address": "10.1.0.1"} for name in gateways],
        "detection": policy.detection,
        "timers": asdict(policy.timers),
        "target": policy.target,
    }


def counted(site: Site) -> dict[str, int]:
    """Policy -> nodes whose confirmed route equals the current one; a stripe also needs its backups."""
    known = read_policies(site)
    counts = dict.fromkeys((policy.name for policy in known.values()), 0)
    stored = dict(Intended.objects.exclude(routing=None).values_list("node_id", "routing"))
    for path in paths(site):
        policy = known[path.policy_id]
        wanted = route_of(policy, path)
        for route in (stored.get(path.node_id) or {"routes": []})["routes"]:
            fits = policy.stripe is None or len(route["hops"]) == 1 + policy.stripe["backups"]
            counts[policy.name] += fits and route == wanted
    return counts


@pytest.mark.parametrize("seed", range(8))
def test_grouped_count_and_comparison_of_each_path_find_the_same_nodes(nodes: list[Node], seed: int) -> None:
    chance, site = random.Random(seed), nodes[0].site
    other = list(Node.objects.filter(site__name="b"))
    for number in range(12):
        add_policy(chance, number, nodes)
        add_policy(chance, number, other)
    add_intended(chance, site)
    add_intended(chance, other[0].site)
    expected = counted(site)
    assert len(set(expected.values())) > 2, expected

    ranked: QuerySet[Any] = with_confirmed(FailoverPolicy.objects.filter(site=site), site)
    rows = ranked.order_by("confirmed", "pk")
    assert dict(rows.values_list("name", "confirmed")) == expected
    assert [row.name for row in rows] == sorted(
        expected, key=lambda name: (expected[name], int(name.removeprefix("policy")))
    )
    known = read_policies(site)
    progress = progress_by_policy(site, known.values())
    deployed = confirmed(site)
    for ident, policy in known.items():
        assert progress[ident].confirmed == expected[policy.name]
        has = {node for node, name, _ in deployed if name == policy.name}
        assert progress[ident].outdated == len(has & set(policy.nodes)) - expected[policy.name]
        assert progress[ident].gone == tuple(sorted(has - set(policy.nodes)))


def test_count_follows_every_change_of_what_is_confirmed(nodes: list[Node]) -> None:
    chance, site = random.Random(3), nodes[0].site
    for number in range(6):
        add_policy(chance, number, nodes)
    add_intended(chance, site)
    for row in Intended.objects.filter(node__site=site).order_by("pk"):
        assert confirmed_counts(site) == counted(site)
        row.routing = None
        row.save()
    assert set(confirmed_counts(site).values()) == {0} == set(counted(site).values())


def confirmed_counts(site: Site) -> dict[str, int]:
    known = read_policies(site)
    progress = progress_by_policy(site, known.values())
    return {known[ident].name: item.confirmed for ident, item in progress.items()}


@pytest.mark.parametrize("policies", [1, 6])
def test_count_of_any_number_of_policies_needs_the_same_queries(
    nodes: list[Node], policies: int, django_assert_max_num_queries: Any
) -> None:
    for number in range(policies):
        add_policy(random.Random(number), number, nodes)
    known_policies(nodes[0].site)  # Kept by each process.
    with django_assert_max_num_queries(4):
        rows: QuerySet[Any] = with_confirmed(FailoverPolicy.objects.all(), nodes[0].site)
        assert len(rows.order_by("-confirmed", "-pk")) == policies
