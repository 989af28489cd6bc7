"""Which single improvement removes most failing fallbacks: a deployment, other stripes, another gateway,
capacity. Pure.

Each option is a change of the topology or of the routes; its effect is that of the same study with the same
loads. An option is worth something if links that a failure would overload can carry their load with it, or if
nodes that a failure would cut off keep a path.

Limits: the divided demand of nodes is estimated again under other routes; loads that no flow explains stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from backstay.core.model.onlink import on_link
from backstay.core.model.policy import Stripe
from backstay.core.model.routing import STEP, Hop, NodeRouting, PolicyRoute
from backstay.core.model.search import Failure
from backstay.core.model.topology import Topology
from backstay.core.planning.stripes.assignment import assign
from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome

ImprovementKind = Literal["deployment", "stripes", "gateway", "capacity"]
"""The least effort first. deployment: of a policy that no change has deployed yet."""
GATEWAY_KINDS = frozenset({"gateway", "router"})
HEADROOM = 1.05
"""Of a proposed capacity over the load that it has to carry."""
MOST_GATEWAYS = 8
"""Candidates of one policy, in the order of their names."""
_DIGITS = 2
"""Significant digits of a proposed capacity, rounded up."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """One change, before it is judged."""

    kind: ImprovementKind
    topology: Topology
    routes: Mapping[int, NodeRouting]
    fabric: int | None = None
    """Of more capacity."""
    usable_rate: int | None = None
    """Least usable rate of the fabric, bit/s."""
    policy: str = ""
    gateways: tuple[int, ...] = ()
    """Of the policy in order, or of its stripe."""
    gateway: int | None = None
    """The one that is added."""


@dataclass(frozen=True, slots=True)
class Benefit:
    """What an improvement changes for the fallbacks of a site."""

    improvement: Improvement
    holds: tuple[Failure, ...]
    """Failing fallbacks that hold with it."""
    eased: tuple[Failure, ...]
    """Failing fallbacks without overloaded links with it; other reasons remain."""
    worse: tuple[Failure, ...]
    """Fallbacks that hold, and would not with it."""
    remaining: int
    """Fallbacks that still would not hold."""

    @property
    def is_useful(self) -> bool:
        """Whether it removes more than it adds."""
        return len(self.holds) + len(self.eased) > len(self.worse)


Study = Callable[[Improvement, Sequence[Failure]], Iterable[FallbackOutcome]]
"""The outcomes of these failures, in order, with an improvement and the loads of the present."""


def judged(
    improvement: Improvement, base: Sequence[FallbackOutcome], outcomes: Iterable[FallbackOutcome]
) -> Benefit:
    """Compare the same failures with and without it."""
    pairs = list(zip(base, outcomes, strict=True))
    failing = [(before, after) for before, after in pairs if before.verdict == "would_not_hold"]
    holds = [before for before, after in failing if after.verdict == "holds"]
    eased = [
        before
        for before, after in failing
        if after.verdict == "would_not_hold" and is_overloaded(before) and not is_overloaded(after)
    ]
    worse = [
        before for before, after in pairs if before.verdict == "holds" and after.verdict == "would_not_hold"
    ]
    return Benefit(
        improvement,
        _failures(holds),
        _failures(eased),
        _failures(worse),
        sum(after.verdict == "would_not_hold" for _, after in pairs),
    )


def _failures(outcomes: Iterable[FallbackOutcome]) -> tuple[Failure, ...]:
    return tuple(frozenset(outcome.failed) for outcome in outcomes)


def ranked(benefits: Iterable[Benefit]) -> list[Benefit]:
    """The useful ones, the most useful first; equal ones by the least effort."""
    effort = {kind: place for place, kind in enumerate(get_args(ImprovementKind))}
    useful = [item for item in benefits if item.is_useful]
    return sorted(
        useful,
        key=lambda item: (
            len(item.worse) - len(item.holds),
            -len(item.eased),
            item.remaining,
            effort[item.improvement.kind],
            item.improvement.policy,
            item.improvement.gateways,
        ),
    )


def is_overloaded(outcome: FallbackOutcome) -> bool:
    """Whether a link that gains load has too much."""
    return any(lane.grows and lane.is_exceeded for lane in outcome.lanes)


def improvements(
    topology: Topology,
    routes: Mapping[int, NodeRouting],
    demand: Mapping[int, tuple[int, int]],
    base: Sequence[FallbackOutcome],
) -> Iterator[Improvement]:
    """All options for failing fallbacks, the cheapest kind first."""
    failing = [outcome for outcome in base if outcome.verdict == "would_not_hold"]
    moves = [move for outcome in failing for move in outcome.moves if move.policy]
    for policy in sorted({move.policy for move in moves if move.outcome == "undetected"}):
        yield _deployment(topology, routes, policy)
    policies = sorted({move.policy for move in moves})
    for policy in policies:
        yield from _stripes(topology, routes, demand, policy)
    for policy in policies:
        yield from _gateways(topology, routes, policy)
    yield from _capacities(topology, routes, failing)


def _deployment(topology: Topology, routes: Mapping[int, NodeRouting], policy: str) -> Improvement:
    """Its nodes detect failures once a change has deployed it."""
    changed = {
        node: replace(
            routing,
            routes=tuple(
                replace(route, is_detected=True) if route.policy == policy else route
                for route in routing.routes
            ),
        )
        for node, routing in routes.items()
    }
    return Improvement("deployment", topology, changed, policy=policy)


def _capacities(
    topology: Topology, routes: Mapping[int, NodeRouting], failing: Sequence[FallbackOutcome]
) -> Iterator[Improvement]:
    """Of each fabric with overloaded links: enough for all failures."""
    needed: dict[int, int] = {}
    for outcome in failing:
        for lane in outcome.lanes:
            if lane.grows and lane.is_exceeded:
                fabric = topology.links[lane.link_id].fabric_id
                needed[fabric] = max(needed.get(fabric, 0), lane.after)
    for ident, load in sorted(needed.items()):
        rate = rounded_up(load * HEADROOM)
        fabrics = {**topology.fabrics, ident: replace(topology.fabrics[ident], usable_rate=rate)}
        yield Improvement(
            "capacity", replace(topology, fabrics=fabrics), routes, fabric=ident, usable_rate=rate
        )


def rounded_up(rate: float) -> int:
    """To two significant digits: a proposal is no measurement."""
    scale = int(10 ** max(math.floor(math.log10(max(rate, 1.0))) - _DIGITS + 1, 0))
    return math.ceil(rate / scale) * scale


def _members(routes: Mapping[int, NodeRouting], policy: str) -> dict[int, PolicyRoute]:
    """Node -> its route of the policy, if it has a gateway."""
    return {
        node: route
        for node, routing in sorted(routes.items())
        for route in routing.routes
        if route.policy == policy and route.hops
    }


def _gateways(topology: Topology, routes: Mapping[int, NodeRouting], policy: str) -> Iterator[Improvement]:
    """Each node that could forward for all members: as first fallback, and as last one."""
    members = _members(routes, policy)
    used = {hop.gateway_id for route in members.values() for hop in route.hops}
    candidates = [
        node
        for node in sorted(topology.nodes.values(), key=lambda node: node.name)
        if node.kind in GATEWAY_KINDS and node.id not in used and node.id not in members
    ]
    for candidate in [node for node in candidates if _reaches(topology, members, node.id)][:MOST_GATEWAYS]:
        order = _order(members.values())
        for place in dict.fromkeys((1, len(order))):
            changed = {
                node: _with_gateway(topology, node, route, candidate.id, place)
                for node, route in members.items()
            }
            yield Improvement(
                "gateway",
                topology,
                _replaced(routes, changed),
                policy=policy,
                gateways=(*order[:place], candidate.id, *order[place:]),
                gateway=candidate.id,
            )


def _reaches(topology: Topology, members: Mapping[int, PolicyRoute], gateway: int) -> bool:
    """Whether every member shares a network with it."""
    return bool(members) and all(
        on_link(topology, node, gateway, route.prefix.version) is not None for node, route in members.items()
    )


def _order(routes: Collection[PolicyRoute]) -> tuple[int, ...]:
    """Gateways in the order of the first member; further ones of others at the end."""
    found = (hop.gateway_id for route in routes for hop in sorted(route.hops, key=lambda hop: hop.preference))
    return tuple(dict.fromkeys(found))


def _with_gateway(topology: Topology, node: int, route: PolicyRoute, gateway: int, place: int) -> PolicyRoute:
    adjacent = on_link(topology, node, gateway, route.prefix.version)
    assert adjacent is not None
    hop = Hop(topology.nodes[gateway].name, gateway, adjacent.address, adjacent.own.name, 0)
    hops = [*route.hops[:place], hop, *route.hops[place:]]
    return replace(route, hops=_preferred(hops, route))


def _preferred(hops: Sequence[Hop], route: PolicyRoute) -> tuple[Hop, ...]:
    """With preferences in their order, from the first one of the route on."""
    first = min(hop.preference for hop in route.hops)
    return tuple(replace(hop, preference=first + STEP * place) for place, hop in enumerate(hops))


def _stripes(
    topology: Topology,
    routes: Mapping[int, NodeRouting],
    demand: Mapping[int, tuple[int, int]],
    policy: str,
) -> Iterator[Improvement]:
    """Its nodes distributed over its gateways by load; nothing if they are so already."""
    members = _members(routes, policy)
    gateways = _order(members.values())
    movable = {node: route for node, route in members.items() if len(route.hops) == len(gateways)}
    if len(gateways) < 2 or len(movable) < 2 or len(movable) < len(members):
        return
    stripe = Stripe(gateways, backups=len(gateways) - 1, balance="load")
    now = {node: route.hops[0].gateway_id for node, route in members.items()}
    orders = assign(topology, list(members), stripe, demand, now)
    changed = {node: _in_order(route, orders[node]) for node, route in members.items() if orders.get(node)}
    if all(route.hops == members[node].hops for node, route in changed.items()):
        return
    yield Improvement("stripes", topology, _replaced(routes, changed), policy=policy, gateways=gateways)


def _in_order(route: PolicyRoute, order: Sequence[int]) -> PolicyRoute:
    known = {hop.gateway_id: hop for hop in route.hops}
    hops = [known[gateway] for gateway in order if gateway in known]
    return replace(route, hops=_preferred(hops, route)) if len(hops) == len(known) else route


def _replaced(
    routes: Mapping[int, NodeRouting], changed: Mapping[int, PolicyRoute]
) -> dict[int, NodeRouting]:
    found = dict(routes)
    for node, route in changed.items():
        own = tuple(
            route if (other.policy, other.prefix) == (route.policy, route.prefix) else other
            for other in routes[node].routes
        )
        found[node] = replace(routes[node], routes=own)
    return found
