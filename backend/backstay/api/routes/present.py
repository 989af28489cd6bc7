"""Paths between two nodes for clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from backstay.api.routes.schemas import NodeRouteOut, RouteEnd, RouteHopOut

if TYPE_CHECKING:
    from backstay.api.routes.schemas import ComponentKind
    from backstay.core.model.search import Component
    from backstay.core.model.state import LinkState
    from backstay.core.model.topology import Link, Topology, Vertex
    from backstay.core.planning.whatif.node_routes import NodeRoute, RouteHop


def node_routes_out(
    topology: Topology, routes: Sequence[NodeRoute], failed: Sequence[str], states: Mapping[int, LinkState]
) -> list[NodeRouteOut]:
    """`failed`: names of the failures, for all routes after the first; `states`: of all links by id."""
    intact = [hop.link.id for hop in routes[0].hops]
    return [
        NodeRouteOut(
            failed=name,
            failed_name=_component_name(topology, route.failed),
            failed_kind=None if route.failed is None else cast("ComponentKind", route.failed[0]),
            outcome=route.outcome,
            reason=route.reason,
            hops=[_hop(topology, hop, states) for hop in route.hops],
            usable_rate=route.usable_rate,
            narrowest=None if route.narrowest is None else _hop(topology, route.narrowest, states),
            mtu=route.mtu,
            is_moved=[hop.link.id for hop in route.hops] != intact,
        )
        for name, route in zip([None, *failed], routes, strict=True)
    ]


def _component_name(topology: Topology, failed: Component | None) -> str:
    match failed:
        case None:
            return ""
        case ("node", ident):
            return topology.nodes[ident].name
        case ("fabric", ident):
            return topology.fabrics[ident].name
        case (_, ident):
            return _link_name(topology, topology.links[ident])


def _hop(topology: Topology, hop: RouteHop, states: Mapping[int, LinkState]) -> RouteHopOut:
    return RouteHopOut(
        start=_end(topology, hop.start, hop.start_port),
        end=_end(topology, hop.end, hop.end_port),
        link=hop.link.id,
        link_name=_link_name(topology, hop.link),
        state=states[hop.link.id].state,
        state_text=states[hop.link.id].text,
        fabric=topology.fabrics[hop.fabric_id].name,
        usable_rate=hop.usable_rate,
        mtu=hop.mtu,
        arp=hop.arp or "unknown",
        basis=hop.basis,
        policy=hop.policy,
    )


def _end(topology: Topology, vertex: Vertex, port: str) -> RouteEnd:
    kind, ident = vertex
    if kind == "fabric":
        return RouteEnd(kind="fabric", id=ident, name=topology.fabrics[ident].name, port="")
    return RouteEnd(kind="node", id=ident, name=topology.nodes[ident].name, port=port)


def _link_name(topology: Topology, link: Link) -> str:
    """As `SiteSnapshot.link_name`."""
    ports = [topology.ports[port] for port in (link.a, link.b) if port is not None]
    names = [f"{topology.nodes[port.node_id].name}:{port.name}" for port in ports]
    return "-".join(names if link.b is not None else [*names, topology.fabrics[link.fabric_id].name])
