"""Resolve policies to routes per node: next hops on shared networks, ports, preferences and return paths."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from backstay.core.model.onlink import on_link
from backstay.core.model.plan import Observation
from backstay.core.model.policy import FailoverIntent, ReturnPath
from backstay.core.model.routing import (
    FIRST_PREFERENCE,
    STEP,
    Address,
    Engine,
    Hop,
    NodeRouting,
    PolicyRoute,
    Prefix,
)
from backstay.core.model.topology import Topology
from backstay.core.planning.groups import in_order
from backstay.core.planning.stripes import assignment


@dataclass(frozen=True, slots=True)
class OffLink:
    """A gateway that a node should use but shares no network with."""

    policy: str
    prefix: Prefix
    node_id: int
    gateway_id: int


@dataclass(frozen=True, slots=True)
class Desired:
    """The routing that the policies require."""

    routings: Mapping[int, NodeRouting]
    """Node id -> its complete managed routing: these policies and earlier confirmed ones."""
    off_link: tuple[OffLink, ...]
    unmanaged: tuple[tuple[str, int], ...]
    """(policy, node id) for nodes without an engine in the site file."""


@dataclass(frozen=True, slots=True)
class _Request:
    """One prefix of one policy on one node, before its next hops are resolved."""

    node_id: int
    policy: FailoverIntent
    prefix: Prefix
    gateways: Order
    target: Address | None


_NextHop = tuple[int, Address, str]
"""A gateway, its on-link address, and the node's port to it."""


def desired(
    topology: Topology,
    intents: Sequence[FailoverIntent],
    engines: Mapping[int, Engine],
    observation: Observation,
    confirmed: Mapping[int, NodeRouting],
) -> Desired:
    """Routing of each node that any of the policies concerns, in node order; routes by policy and prefix.

    Confirmed routes of other policies are kept. A node that a policy no longer includes loses that policy's
    routes.
    """
    requests = [
        request for intent in intents for request in _requests(topology, intent, observation, confirmed)
    ]
    names = {intent.name for intent in intents}
    routes: dict[int, list[PolicyRoute]] = {}
    off_link: list[OffLink] = []
    made: dict[object, PolicyRoute] = {}
    for request in requests:
        next_hops, missing = _next_hops(topology, request)
        off_link += missing
        wanted = routes.setdefault(request.node_id, [])
        if next_hops:
            wanted.append(_route(topology, request, next_hops, made))
    for node, routing in confirmed.items():
        theirs = {route.policy for route in routing.routes}
        if node in topology.nodes and (node in routes or theirs & names):
            kept = [route for route in routing.routes if route.policy not in names]
            routes.setdefault(node, []).extend(kept)
    return Desired(
        routings={
            node: NodeRouting(topology.nodes[node].name, node, engines[node], _sorted(routes[node]))
            for node in in_order(topology, list(routes))
            if node in engines
        },
        off_link=tuple(off_link),
        unmanaged=tuple(
            dict.fromkeys(
                (request.policy.name, request.node_id)
                for request in requests
                if request.node_id not in engines
            )
        ),
    )


def orders(
    topology: Topology,
    intent: FailoverIntent,
    observation: Observation,
    confirmed: Mapping[int, NodeRouting],
) -> dict[int, Order]:
    """Node -> the policy's gateways in order, for existing nodes; a node is never its own gateway."""
    nodes = [node for node in intent.nodes if node in topology.nodes]
    if intent.stripe is None:
        return {node: tuple(gateway for gateway in intent.gateways if gateway != node) for node in nodes}
    now = {
        node: route.hops[0].gateway_id
        for node, routing in confirmed.items()
        for route in routing.routes
        if route.policy == intent.name and route.prefix == intent.prefix
    }
    return assignment.assign(topology, nodes, intent.stripe, observation.demand, now)


def _requests(
    topology: Topology,
    intent: FailoverIntent,
    observation: Observation,
    confirmed: Mapping[int, NodeRouting],
) -> Iterator[_Request]:
    wanted = orders(topology, intent, observation, confirmed)
    for node, gateways in wanted.items():
        yield _Request(node, intent, intent.prefix, gateways, intent.target)
    if intent.back is None:
        return
    for prefix, gateways, target in _back(topology, intent, intent.back, wanted):
        for router in intent.back.routers:
            if router in topology.nodes:
                yield _Request(router, intent, prefix, gateways, target)


def _back(
    topology: Topology, intent: FailoverIntent, back: ReturnPath, wanted: Mapping[int, Order]
) -> list[tuple[Prefix, Order, Address | None]]:
    """(prefix, gateways, target) of each return route; a part without the target is probed at a node's
    address.
    """
    if intent.stripe is None:
        return [(back.prefix, intent.gateways, back.target)]
    addresses = {
        address: order
        for node, order in wanted.items()
        for address in _addresses(topology, node, back.prefix)
    }
    found: list[tuple[Prefix, Order, Address | None]] = []
    for prefix, order in split(back.prefix, addresses):
        target = back.target
        if target is not None and target not in prefix:
            target = next(address for address in addresses if address in prefix)
        found.append((prefix, order, target))
    return found


def _addresses(topology: Topology, node: int, prefix: Prefix) -> Iterator[Address]:
    for port in topology.data_ports.get(node, ()):
        yield from (interface.ip for interface in topology.interfaces[port.id] if interface.ip in prefix)


def _next_hops(topology: Topology, request: _Request) -> tuple[list[_NextHop], list[OffLink]]:
    found: list[_NextHop] = []
    missing: list[OffLink] = []
    for gateway in request.gateways:
        seen = on_link(topology, request.node_id, gateway, request.prefix.version)
        if seen is None:
            missing.append(OffLink(request.policy.name, request.prefix, request.node_id, gateway))
        else:
            found.append((gateway, seen.address, seen.own.name))
    return found, missing


def _route(
    topology: Topology, request: _Request, next_hops: Sequence[_NextHop], made: dict[object, PolicyRoute]
) -> PolicyRoute:
    """Reuse an equal route from `made`: nodes of a group share their routes."""
    intent = request.policy
    key = (intent.name, request.prefix, request.target, *next_hops)
    if key not in made:
        hops = tuple(
            Hop(topology.nodes[gateway].name, gateway, address, port, FIRST_PREFERENCE + STEP * place)
            for place, (gateway, address, port) in enumerate(next_hops)
        )
        made[key] = PolicyRoute(
            intent.name, request.prefix, hops, intent.detection, intent.timers, request.target
        )
    return made[key]


def _sorted(routes: Iterable[PolicyRoute]) -> tuple[PolicyRoute, ...]:
    return tuple(
        sorted(
            routes,
            key=lambda route: (
                route.policy,
                route.prefix.version,
                int(route.prefix.network_address),
                route.prefix.prefixlen,
            ),
        )
    )


Order = tuple[int, ...]


def split(prefix: Prefix, orders: Mapping[Address, Order]) -> list[tuple[Prefix, Order]]:
    """Split `prefix` where the gateways of its addresses differ; parts without addresses are omitted."""
    return list(
        _parts(prefix, sorted((int(item), order) for item, order in orders.items() if item in prefix))
    )


def _parts(prefix: Prefix, inside: Sequence[tuple[int, Order]]) -> Iterator[tuple[Prefix, Order]]:
    if len({order for _, order in inside}) > 1:
        lower, upper = prefix.subnets()
        middle = bisect_left(inside, (int(upper.network_address),))
        yield from _parts(lower, inside[:middle])
        yield from _parts(upper, inside[middle:])
    elif inside:
        yield prefix, inside[0][1]
