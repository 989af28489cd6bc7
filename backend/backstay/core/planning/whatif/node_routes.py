"""Path between any two nodes, hop by hop, without a failure and under each given one.

The path starts from the present state: a gateway that a node reports to use is its first choice, then the
policy's order. A node without a managed route sends over a network that it shares with the destination,
otherwise over the fewest links. The forwarding is that of `FailureScenario`, as in plans.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from ipaddress import ip_network
from typing import Literal

from backstay.core.model.onlink import on_link
from backstay.core.model.prefixes import PrefixTable
from backstay.core.model.routing import FIRST_PREFERENCE, Address, Hop, NodeRouting, PolicyRoute
from backstay.core.model.search import Component, ForwardingPath
from backstay.core.model.topology import Link, Topology, Vertex
from backstay.core.planning.whatif.forwarding_sim import Destination, FailureScenario, NetworkState

RouteOutcome = Literal["delivered", "no_route", "loop"]
HopBasis = Literal["observed", "policy", "network", "topology"]
"""Why a node sends to the next one: a gateway that it reports to use; the first working gateway of its
policy; a network that both share; the fewest links."""
RouteKey = tuple[int, str]
"""Node and policy."""


@dataclass(frozen=True, slots=True)
class RouteHop:
    """One link of a path, in the direction of the path. A shared medium is a vertex between two hops."""

    link: Link
    start: Vertex
    end: Vertex
    start_port: str
    """Empty: the shared medium."""
    end_port: str
    fabric_id: int
    usable_rate: int | None
    """bit/s; None: unknown."""
    mtu: int | None
    """Bytes, of the fabric; None: unknown."""
    arp: str | None
    """ARP mode of the fabric; None: unknown."""
    basis: HopBasis
    policy: str
    """Empty: no policy chose the hop."""


@dataclass(frozen=True, slots=True)
class NodeRoute:
    """Path of a node's packets to another node, and its outcome."""

    failed: Component | None
    outcome: RouteOutcome
    reason: str
    """Why it is not delivered: one sentence; empty if it is."""
    hops: tuple[RouteHop, ...]

    @property
    def narrowest(self) -> RouteHop | None:
        """The first hop with the lowest known rate; None: no rate is known."""
        known = [hop for hop in self.hops if hop.usable_rate is not None]
        return min(known, key=lambda hop: hop.usable_rate or 0, default=None)

    @property
    def usable_rate(self) -> int | None:
        """Lowest rate of all hops, bit/s; None: there is no path, or a hop's rate is unknown."""
        return _lowest([hop.usable_rate for hop in self.hops])

    @property
    def components(self) -> tuple[Component, ...]:
        """What can fail on the path, in its order: links, shared media, and nodes but the two ends."""
        found: list[Component] = []
        for hop in self.hops:
            found += [("link", hop.link.id), hop.end]
        return tuple(dict.fromkeys(found[:-1]))

    @property
    def mtu(self) -> int | None:
        """Largest packet that all hops carry, bytes; None: there is no path, or a hop's MTU is unknown."""
        return _lowest([hop.mtu for hop in self.hops])


def _lowest(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return min(known) if known and len(known) == len(values) else None


@dataclass(frozen=True, slots=True)
class ReportedGateway:
    """The gateway that a node reports to use under a policy; None: it reports that it has no route."""

    gateway: int | None
    dead: frozenset[str] = frozenset()
    """Standby gateways that do not answer the node, or forward nothing: it would not use them."""


def present_routes(
    topology: Topology, routes: Mapping[int, NodeRouting], reported: Mapping[RouteKey, ReportedGateway]
) -> dict[int, NodeRouting]:
    """The routes with each reported gateway first and without dead ones; a node that reports no route has
    none of that policy.
    """
    return {
        node: replace(
            routing, routes=tuple(_present(topology, node, route, reported) for route in routing.routes)
        )
        for node, routing in routes.items()
    }


def _present(
    topology: Topology, node: int, route: PolicyRoute, reported: Mapping[RouteKey, ReportedGateway]
) -> PolicyRoute:
    known = reported.get((node, route.policy))
    if known is None:
        return route
    if known.gateway is None:
        return replace(route, hops=())
    active = _led(topology, node, route, known.gateway)
    alive = tuple(hop for hop in active.hops[1:] if hop.gateway not in known.dead)
    return active if len(alive) == len(active.hops) - 1 else replace(active, hops=(*active.hops[:1], *alive))


def _led(topology: Topology, node: int, route: PolicyRoute, gateway: int) -> PolicyRoute:
    """With this gateway first, which the route may not name."""
    names = {hop.gateway_id: hop.gateway for hop in route.hops}
    if gateway in names:
        return route.led_by(names[gateway])
    adjacent = on_link(topology, node, gateway, route.prefix.version)
    if adjacent is None:
        return route
    name = topology.nodes[gateway].name
    hop = Hop(name, gateway, adjacent.address, adjacent.own.name, FIRST_PREFERENCE)
    return replace(route, hops=(hop, *route.hops))


class NodeRoutes:
    """Paths of one site from its present state; caches each search."""

    def __init__(
        self,
        topology: Topology,
        routes: Mapping[int, NodeRouting],
        reported: Mapping[RouteKey, ReportedGateway],
    ) -> None:
        self._topology = topology
        self._reported = reported
        self._routes = present_routes(topology, routes, reported)
        self._world = NetworkState(topology, self._routes)

    def between(
        self, source: int, destination: int, failures: Iterable[Component | None] = (None,)
    ) -> list[NodeRoute]:
        """The path from one node to another under each failure (None: without one)."""
        return [self._between(source, destination, failed) for failed in failures]

    def _between(self, source: int, destination: int, failed: Component | None) -> NodeRoute:
        for node in (source, destination):
            if failed == ("node", node):
                return NodeRoute(failed, "no_route", f"{self._name(node)} itself has failed.", ())
        if source == destination:
            return NodeRoute(failed, "delivered", "", ())
        search = _Search(self._topology, self._world, self._reported, source, destination, failed)
        address, route = self._address(source, destination)
        if address is None:
            reason = f"{self._name(destination)} has no address on a data port."
            return NodeRoute(failed, "no_route", reason, ())
        return search.found(address, route)

    def _address(self, source: int, destination: int) -> tuple[Address | None, PolicyRoute | None]:
        """The destination's address that the most specific route of the source covers, and that route."""
        routing = self._routes.get(source)
        table = PrefixTable((route.prefix, route) for route in (routing.routes if routing else ()))
        addresses = [
            interface.ip
            for port in self._topology.data_ports.get(destination, ())
            for interface in self._topology.interfaces[port.id]
        ]
        best: tuple[Address | None, PolicyRoute | None] = (addresses[0] if addresses else None, None)
        for address in addresses:
            covering = next(table.covering(ip_network(address)), None)
            if covering is not None and (
                best[1] is None or covering[0].prefix.prefixlen > best[1].prefix.prefixlen
            ):
                best = (address, covering[0])
        return best

    def _name(self, node: int) -> str:
        return self._topology.nodes[node].name


@dataclass(frozen=True, slots=True)
class _Search:
    """One path under one failure."""

    topology: Topology
    world: NetworkState
    reported: Mapping[RouteKey, ReportedGateway]
    source: int
    destination: int
    failed: Component | None

    def found(self, address: Address, route: PolicyRoute | None) -> NodeRoute:
        down = () if self.failed is None else (self.failed,)
        scene = FailureScenario(self.world, *down)
        direct = self._direct()
        if direct is not None:
            segment = self.world.segments.under(direct, scene.failed)
            if segment.links or self.failed != ("link", direct.links[0]):
                return self._over_network(segment)
        goal = Destination(frozenset({("node", self.destination)}), ip_network(address))
        if route is None:
            result = scene.from_node(self.source, goal)
            return self._route(goal, None, result.segments, result.outcome)
        if not route.hops:
            return self._nothing(f"{self._name(self.source)} reports no route under {route.policy}.")
        steps = self.world.candidates(self.source, route)
        choice, _ = scene.choose(self.source, steps, goal, self.world.probed(route))
        if choice.place is None:
            return self._nothing(self._unreachable(self.source, route))
        return self._route(goal, route, (choice.step, *choice.beyond.segments), choice.beyond.outcome)

    def _direct(self) -> ForwardingPath | None:
        """Over a network that both nodes share; None: they share none that links join."""
        for version in (4, 6):
            adjacent = on_link(self.topology, self.source, self.destination, version)
            if adjacent is not None:
                hop = Hop("", self.destination, adjacent.address, adjacent.own.name, FIRST_PREFERENCE)
                segment = self.world.segments.to_hop(self.source, hop)
                if segment.links:
                    return segment
        return None

    def _over_network(self, segment: ForwardingPath) -> NodeRoute:
        if not segment.links:
            names = f"{self._name(self.source)} and {self._name(self.destination)}"
            return self._nothing(f"The network that {names} share is interrupted.")
        return NodeRoute(self.failed, "delivered", "", self._hops(segment, "network", ""))

    def _nothing(self, reason: str) -> NodeRoute:
        return NodeRoute(self.failed, "no_route", reason, ())

    def _route(
        self, goal: Destination, route: PolicyRoute | None, segments: Sequence[ForwardingPath], outcome: str
    ) -> NodeRoute:
        routed = dict(self.world.routed(goal)) | ({} if route is None else {self.source: route})
        hops: list[RouteHop] = []
        nodes = [self.source]
        for segment in segments:
            start = segment.hops[0][1]
            basis, policy = self._basis(start, routed.get(start), segment)
            hops += self._hops(segment, basis, policy)
            nodes.append(segment.hops[-1][1])
        if outcome == "delivered":
            return NodeRoute(self.failed, "delivered", "", tuple(hops))
        if outcome == "loop":
            around = nodes[nodes.index(nodes[-1]) :]
            text = " to ".join(self._name(node) for node in around)
            return NodeRoute(self.failed, "loop", f"Packets loop: {text}.", tuple(hops))
        reason = self._lost(nodes[-1], routed.get(nodes[-1]))
        return NodeRoute(self.failed, "no_route", reason, tuple(hops))

    def _lost(self, node: int, route: PolicyRoute | None) -> str:
        name, goal = self._name(node), self._name(self.destination)
        if route is None:
            return f"{name} has no path to {goal}."
        if not route.hops:
            return f"{name} reports no route under {route.policy}."
        return self._unreachable(node, route)

    def _unreachable(self, node: int, route: PolicyRoute) -> str:
        name = self._name(node)
        if not route.is_detected and len(route.hops) > 1:
            first = route.hops[0].gateway
            return (
                f"Nothing on {name} detects that {first} fails: it keeps it until {route.policy} is deployed."
            )
        names = " or ".join(hop.gateway for hop in route.hops)
        return f"{name} reaches none of the gateways of {route.policy}: {names}."

    def _basis(self, node: int, route: PolicyRoute | None, segment: ForwardingPath) -> tuple[HopBasis, str]:
        if route is None:
            return "topology", ""
        reported = self.reported.get((node, route.policy))
        is_reported = reported is not None and segment.hops[-1] == ("node", reported.gateway)
        return ("observed" if is_reported else "policy"), route.policy

    def _hops(self, segment: ForwardingPath, basis: HopBasis, policy: str) -> tuple[RouteHop, ...]:
        ends = zip(segment.hops, segment.hops[1:], segment.links, strict=False)
        return tuple(self._hop(start, end, link, basis, policy) for start, end, link in ends)

    def _hop(self, start: Vertex, end: Vertex, ident: int, basis: HopBasis, policy: str) -> RouteHop:
        link = self.topology.links[ident]
        fabric = self.topology.fabrics.get(link.fabric_id)
        return RouteHop(
            link=link,
            start=start,
            end=end,
            start_port=self._port(link, start),
            end_port=self._port(link, end),
            fabric_id=link.fabric_id,
            usable_rate=(fabric.usable_rate or None) if fabric else None,
            mtu=(fabric.mtu or None) if fabric else None,
            arp=(fabric.arp or None) if fabric else None,
            basis=basis,
            policy=policy,
        )

    def _port(self, link: Link, vertex: Vertex) -> str:
        ports = [self.topology.ports[port] for port in (link.a, link.b) if port is not None]
        return next((port.name for port in ports if ("node", port.node_id) == vertex), "")

    def _name(self, node: int) -> str:
        return self.topology.nodes[node].name
