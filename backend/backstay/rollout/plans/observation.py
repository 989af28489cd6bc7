"""Observed state for the planner: current loads, gateway liveness, routes of agents to the controller.

A node's demand through its gateway is not measured directly: its port also carries traffic to neighbours.
The gateway's port on the shared network carries exactly the demand of all its nodes, so its load is divided
among them in proportion to what each node sends and receives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from backstay.core.model.freshness import is_fresh
from backstay.core.model.host_network import HostNetwork
from backstay.core.model.load import Load, PortRates
from backstay.core.model.onlink import OnLink, on_link
from backstay.core.model.plan import Observation
from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import Address, NodeRouting, PolicyRoute, Prefix
from backstay.core.model.topology import FORWARDING, Topology
from backstay.inventory.models import Node, Site
from backstay.policy.selectors import PathState, paths, recent_paths
from backstay.telemetry.selectors.host_networks import covering_routes, host_networks
from backstay.telemetry.selectors.link_ends import ends_now
from backstay.telemetry.selectors.loads import loads, port_ids

Demand = dict[int, tuple[int, int]]


def read(
    site: Site, topology: Topology, policies: Mapping[int, FailoverIntent], now: datetime
) -> Observation:
    """Fresh observations at `now`; `controller` adds the routes to the controller."""
    ends = ends_now(port_ids(topology.links.values()))
    measured = loads(topology, topology.links.values(), ends, now, site.interval_s)
    known_paths = recent_paths(site, paths(site), now)
    fresh = {
        port: end.reading
        for port, end in ends.items()
        if end.reading is not None and is_fresh(end.reading.at, now, site.interval_s)
    }
    return Observation(
        demand=demand(topology, uses(topology, known_paths, policies), fresh),
        link_load={
            link: (_bps(forward), _bps(back))
            for link, (forward, back) in measured.items()
            if forward is not None or back is not None
        },
        alive=_alive(topology, known_paths),
        carried=_carried(known_paths, policies),
    )


def _bps(load: Load | None) -> int:
    return load.bps if load is not None and load.fresh else 0


@dataclass(frozen=True, slots=True)
class GatewayUser:
    """A host and its adjacency with its active gateway."""

    node_id: int
    adjacency: OnLink


def uses(
    topology: Topology, known_paths: Iterable[PathState], policies: Mapping[int, FailoverIntent]
) -> list[GatewayUser]:
    """One per host, for its shortest prefix."""
    widest: dict[int, tuple[int, GatewayUser]] = {}
    for path in known_paths:
        node, intent = topology.nodes.get(path.node_id), policies.get(path.policy_id)
        if node is None or intent is None or path.active_id is None or node.kind in FORWARDING:
            continue
        adjacency = on_link(topology, node.id, path.active_id, intent.prefix.version)
        length = intent.prefix.prefixlen
        if adjacency is not None and (node.id not in widest or length < widest[node.id][0]):
            widest[node.id] = (length, GatewayUser(node.id, adjacency))
    return [use for _, use in widest.values()]


def demand(topology: Topology, uses: Collection[GatewayUser], ends: Mapping[int, PortRates]) -> Demand:
    """Node id -> (bit/s out, in) through its gateway; a node whose port is not measured is missing."""
    sums: dict[int, list[int]] = {}
    for use in uses:
        own = ends.get(use.adjacency.own.id)
        if own is not None:
            total = sums.setdefault(use.adjacency.theirs.id, [0, 0])
            total[0] += own.out_bps or 0
            total[1] += own.in_bps or 0
    found: Demand = {}
    for use in uses:
        own, theirs = ends.get(use.adjacency.own.id), ends.get(use.adjacency.theirs.id)
        if own is not None:
            out, back = sums[use.adjacency.theirs.id]
            found[use.node_id] = (
                _part(own.out_bps, out, None if theirs is None else theirs.in_bps),
                _part(own.in_bps, back, None if theirs is None else theirs.out_bps),
            )
    return found


def _part(own: int | None, all_of_them: int, through: int | None) -> int:
    """This node's part of the gateway's load; at most its own load."""
    mine = own or 0
    if through is None or all_of_them <= through:
        return mine
    return round(mine * through / all_of_them)


def _alive(topology: Topology, known_paths: Iterable[PathState]) -> dict[tuple[int, int], bool]:
    numbers = {node.name: node.id for node in topology.nodes.values()}
    return {
        (path.node_id, numbers[name]): alive
        for path in known_paths
        for name in path.liveness
        if name in numbers and (alive := path.alive(name)) is not None
    }


def _carried(
    known_paths: Iterable[PathState], policies: Mapping[int, FailoverIntent]
) -> frozenset[tuple[int, int, Address]]:
    return frozenset(
        (path.node_id, path.active_id, target)
        for path in known_paths
        if path.target_alive and path.active_id is not None and path.policy_id in policies
        if (target := policies[path.policy_id].target) is not None
    )


def hosts(
    site: Site,
    topology: Topology,
    policies: Mapping[int, FailoverIntent],
    confirmed: Mapping[int, NodeRouting],
    now: datetime,
) -> dict[int, HostNetwork]:
    """Node id -> network of each host with an agent, with the routes that the checks of a plan look up."""
    known = host_networks(site, now)
    concerned = set(confirmed)
    wanted: set[Address | Prefix] = set()
    for intent in policies.values():
        back = () if intent.back is None else intent.back.routers
        striped = () if intent.stripe is None else intent.stripe.gateways
        concerned.update(intent.nodes, back, intent.gateways, striped)
        wanted.update([intent.prefix] if intent.back is None else [intent.prefix, intent.back.prefix])
        targets = (intent.target, None if intent.back is None else intent.back.target)
        wanted.update(target for target in targets if target is not None)
    for host in known.values():
        wanted.update(host.resolvers)
        wanted.update(session.address for session in host.controllers)
        wanted.update(session.source for session in host.controllers if session.source is not None)
    wanted.update(address for address, port in topology.addresses if port.node_id in concerned)
    routes = covering_routes(concerned & known.keys(), wanted)
    return {node: replace(host, routes=routes.get(node)) for node, host in known.items()}


def controller(
    site: Site, wanted: Iterable[FailoverIntent], confirmed: Mapping[int, NodeRouting]
) -> dict[int, tuple[PolicyRoute, ...]]:
    """Default routes (confirmed, else `wanted`) of nodes whose agent has no management port."""
    rows = Node.objects.filter(site=site, agent__isnull=False).exclude(ports__management=True)
    alone = set(rows.values_list("id", flat=True))
    found = {
        node: [route for route in routing.routes if route.prefix.prefixlen == 0]
        for node, routing in confirmed.items()
        if node in alone
    }
    for intent in wanted:
        for node in intent.nodes if intent.prefix.prefixlen == 0 else ():
            if node in alone and not found.get(node):
                found[node] = [PolicyRoute(intent.name, intent.prefix, (), intent.detection)]
    return {node: tuple(routes) for node, routes in found.items() if routes}
