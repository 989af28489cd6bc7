"""Managed routes of a site as its nodes use them now: the input of paths between two nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from ipaddress import ip_address, ip_network

from django.db.models import Q

from backstay.core.errors import NotFound
from backstay.core.model.onlink import on_link
from backstay.core.model.routing import (
    FIRST_PREFERENCE,
    STEP,
    Detection,
    Engine,
    EngineKind,
    Hop,
    NodeRouting,
    PolicyRoute,
)
from backstay.core.model.search import Component
from backstay.core.model.topology import FORWARDING, Topology
from backstay.core.planning.whatif.node_routes import NodeRoutes, ReportedGateway, RouteKey
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.policy.models import Path
from backstay.policy.selectors import PathState, Policy, policies
from backstay.rollout.wire_codec import confirmed

_ENGINE = Engine(EngineKind.KERNEL, "")
"""Of nodes whose routes Backstay observes only: forwarding does not depend on it."""


def node_routes(site: Site, source: int, now: datetime) -> NodeRoutes:
    """Routes of a source node and of every forwarding node; five queries.

    Confirmed routes, and those of the site file's policies. A reported gateway counts while its report is
    recent.
    """
    topology = snapshot.load(site)
    nodes = [node.id for node in topology.nodes.values() if node.kind in FORWARDING] + [source]
    routes = confirmed(site, nodes)
    reported = add_paths(site, topology, routes, _paths(site, source), now)
    return NodeRoutes(topology, routes, reported)


def add_paths(
    site: Site,
    topology: Topology,
    routes: dict[int, NodeRouting],
    paths: Iterable[PathState],
    now: datetime,
) -> dict[RouteKey, ReportedGateway]:
    """Add to confirmed `routes` those of the site file's policies; returns the gateways of recent reports.

    Of a policy that the file declares not deployed, nodes detect nothing until a change confirms it.
    """
    known, reported = policies(site), dict[RouteKey, ReportedGateway]()
    for path in paths:
        policy = known.get(path.policy_id)
        if policy is None or not _is_in_force(policy, path, routes):
            continue
        if path.is_recent(policy, now):
            reported[path.node_id, policy.name] = ReportedGateway(path.active_id, path.dead_gateways)
        _add(topology, routes, path, policy)
    return reported


def _paths(site: Site, source: int) -> Iterator[PathState]:
    rows = Path.objects.filter(policy__site=site).filter(Q(node=source) | Q(node__kind__in=FORWARDING))
    return (PathState.of(row) for row in rows.order_by("pk"))


def _is_in_force(policy: Policy, path: PathState, routes: dict[int, NodeRouting]) -> bool:
    routing = routes.get(path.node_id)
    names = {route.policy for route in routing.routes} if routing else set()
    return policy.origin == "file" or policy.name in names


def _add(topology: Topology, routes: dict[int, NodeRouting], path: PathState, policy: Policy) -> None:
    """The route of a policy that no change has confirmed on the node."""
    name = topology.nodes[path.node_id].name
    routing = routes.get(path.node_id, NodeRouting(name, path.node_id, _ENGINE, ()))
    if any(route.policy == policy.name for route in routing.routes):
        return
    route = PolicyRoute(
        policy=policy.name,
        prefix=ip_network(policy.prefix),
        hops=tuple(_hops(topology, path, policy)),
        detection=Detection(policy.detection),
        timers=policy.timers,
        target=ip_address(policy.target) if policy.target else None,
        is_detected=policy.is_deployed,
    )
    routes[path.node_id] = replace(routing, routes=(*routing.routes, route))


def _hops(topology: Topology, path: PathState, policy: Policy) -> Iterator[Hop]:
    version = ip_network(policy.prefix).version
    for place, (gateway, name) in enumerate(path.gateways(policy).items()):
        adjacent = on_link(topology, path.node_id, gateway, version)
        if adjacent is not None:
            preference = FIRST_PREFERENCE + STEP * place
            yield Hop(name, gateway, adjacent.address, adjacent.own.name, preference)


def node_named(topology: Topology, name: str, parameter: str | None = None) -> int:
    """A node's id; raises NotFound, which names the request's `parameter`."""
    for node in topology.nodes.values():
        if node.name == name:
            return node.id
    fields = None if parameter is None else {parameter: "the name of a node"}
    raise NotFound(f"There is no node {name!r} at {topology.site}.", fields=fields)


def component_text(topology: Topology, component: Component) -> str:
    """A name that `component_named` reads: `node:grf1`, `fabric:sp-switch`, `link:grf1:ga030`."""
    kind, ident = component
    if kind == "node":
        return f"node:{topology.nodes[ident].name}"
    if kind == "fabric":
        return f"fabric:{topology.fabrics[ident].name}"
    port = topology.ports[topology.links[ident].a]
    return f"link:{topology.nodes[port.node_id].name}:{port.name}"


def component_named(topology: Topology, name: str) -> Component:
    """`node:grf1`, `fabric:sp-switch`, `link:grf1:ga030` (a port), or with an id: `link:12`; raises NotFound.

    A fabric without a shared medium is not one component: its switches and links are.
    """
    kind, _, rest = name.partition(":")
    if kind == "node":
        is_id = rest.isdecimal() and int(rest) in topology.nodes
        return "node", int(rest) if is_id else node_named(topology, rest)
    if kind == "fabric":
        return "fabric", _fabric(topology, rest)
    if kind == "link":
        return "link", _link(topology, rest)
    raise NotFound(f"{name!r} names no component: use node:NAME, link:NODE:PORT or fabric:NAME.")


def _fabric(topology: Topology, name: str) -> int:
    found = next(
        (fabric for fabric in topology.fabrics.values() if name in (fabric.name, str(fabric.id))), None
    )
    if found is None:
        raise NotFound(f"There is no fabric {name!r} at {topology.site}.")
    if ("fabric", found.id) not in topology.neighbours:
        raise NotFound(f"Fabric {found.name} has no shared medium that can fail: name its switches or links.")
    return found.id


def _link(topology: Topology, name: str) -> int:
    if name.isdecimal() and int(name) in topology.links:
        return int(name)
    node, _, port = name.partition(":")
    for link in topology.links.values():
        ends = [topology.ports[end] for end in (link.a, link.b) if end is not None]
        if any(end.name == port and topology.nodes[end.node_id].name == node for end in ends):
            return link.id
    raise NotFound(f"There is no link at {name!r}: use link:NODE:PORT, or link: and its number.")
