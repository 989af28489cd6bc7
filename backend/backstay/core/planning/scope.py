"""The nodes that a plan may change, their confirmed or earlier routing as targets, and what it depends on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import Engine, NodeRouting, ObservedRouting, RunningRoute
from backstay.core.model.topology import Topology
from backstay.core.planning.resolve import Desired


@dataclass(frozen=True, slots=True)
class Original:
    """What a node had before a change took prefixes under management: the result of its undo."""

    before: str
    """Its boot file."""
    after: str
    """The boot file as the change left it."""
    routes: tuple[RunningRoute, ...]
    """The operator's routes of these prefixes, without hops where there was none."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Nodes that a plan may change."""

    only: frozenset[int] | None = None
    """None: every node of the policies. A stripe is always distributed over all of its nodes."""
    restored: frozenset[int] = frozenset()
    """Additional nodes to restore to the confirmed routing, whatever they run now."""
    targets: Mapping[int, NodeRouting] = field(default_factory=dict)
    """Node id -> routing to bring the node to instead of its confirmed one (undo)."""
    originals: Mapping[int, Original] = field(default_factory=dict)
    """Node id -> the state to which prefixes return that the target no longer has (undo)."""


EVERYTHING = Scope()


def within(
    wanted: Desired, scope: Scope, engines: Mapping[int, Engine], confirmed: Mapping[int, NodeRouting]
) -> Desired:
    """`wanted` reduced to the scope, plus the restored nodes and those with a target."""
    routings = {node: routing for node, routing in wanted.routings.items() if _inside(scope, node)}
    again = {
        node: replace(confirmed[node], engine=engines[node])
        for node in sorted(scope.restored)
        if node in confirmed and node in engines and node not in routings
    }
    earlier = {
        node: replace(routing, engine=engines[node])
        for node, routing in sorted(scope.targets.items())
        if node in engines
    }
    return Desired(
        routings={**routings, **again, **earlier},
        off_link=tuple(item for item in wanted.off_link if _inside(scope, item.node_id)),
        unmanaged=tuple(item for item in wanted.unmanaged if _inside(scope, item[1])),
    )


def _inside(scope: Scope, node: int) -> bool:
    return scope.only is None or node in scope.only


def concerned(
    topology: Topology,
    intents: Iterable[FailoverIntent],
    scope: Scope,
    confirmed: Mapping[int, NodeRouting],
    observed: Mapping[int, ObservedRouting],
) -> frozenset[int]:
    """Ids of the nodes that a plan depends on: those that it may change, and their gateways.

    A gateway is the owner of a next hop that a node has confirmed or shall have; of nodes to restore or adopt
    also of one that they run.
    """
    wanted = tuple(intents)
    own = {*scope.restored, *scope.targets}
    for intent in wanted:
        members = _members(intent, confirmed)
        own |= members if scope.only is None or intent.stripe is not None else members & scope.only
    routings = [*scope.targets.values(), *(confirmed[node] for node in own if node in confirmed)]
    gateways = {gateway for intent in wanted for gateway in intent.gateways}
    gateways |= {hop.gateway_id for routing in routings for route in routing.routes for hop in route.hops}
    running = (route for node in scope.restored if node in observed for route in observed[node].routes)
    addresses = {hop.address for route in running for hop in route.hops}
    gateways |= {port.node_id for address, port in topology.addresses if address in addresses}
    return frozenset(own | gateways)


def _members(intent: FailoverIntent, confirmed: Mapping[int, NodeRouting]) -> set[int]:
    """Nodes that have the policy's routes, or shall have them."""
    back = () if intent.back is None else intent.back.routers
    deployed = {
        node
        for node, routing in confirmed.items()
        if any(route.policy == intent.name for route in routing.routes)
    }
    return {*intent.nodes, *back} | deployed


def topology_of(topology: Topology, nodes: Set[int]) -> Topology:
    """These nodes with their ports, and the links and fabrics of those ports."""
    ports = {ident: port for ident, port in topology.ports.items() if port.node_id in nodes}
    fabrics = {port.fabric_id for port in ports.values()}
    return Topology(
        topology.site,
        fabrics={ident: fabric for ident, fabric in topology.fabrics.items() if ident in fabrics},
        nodes={ident: node for ident, node in topology.nodes.items() if ident in nodes},
        ports=ports,
        links={ident: link for ident, link in topology.links.items() if link.a in ports or link.b in ports},
    )
