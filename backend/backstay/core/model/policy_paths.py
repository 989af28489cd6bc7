"""Paths under failover policies, hop by hop from a node via a gateway to the destination.

Observation names only the first gateway; the rest of the path follows the link graph. If a gateway has its
own policy towards the same destination, its active gateway is the next hop; otherwise the path with the
fewest hops is used. Hosts never forward.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network

from backstay.core.model.search import ForwardingPath, StepsTowards, destination, shortest
from backstay.core.model.state import GatewayUse
from backstay.core.model.topology import Topology, Vertex

_MOST_GATEWAYS = 8
"""Maximum number of consecutive gateways; more indicates a policy loop."""


@dataclass(frozen=True, slots=True)
class PathView:
    """One node's path under one policy, as observed. Gateways are node ids in order of preference."""

    id: int
    node_id: int
    prefix: str
    gateways: tuple[int, ...]
    active: int | None
    target: str | None = None
    uses: Mapping[int, GatewayUse] = field(default_factory=dict)
    """Gateway -> the use that the path makes of it; missing: unknown."""


class PolicyPaths:
    """Paths of one topology under the current observations; caches each search."""

    def __init__(self, topology: Topology, paths: Iterable[PathView]) -> None:
        self._topology = topology
        self._paths = list(paths)
        self._by_node: dict[int, list[PathView]] = {}
        for path in self._paths:
            self._by_node.setdefault(path.node_id, []).append(path)
        self._searches: dict[tuple[Vertex, frozenset[Vertex]], ForwardingPath] = {}
        self._switched: dict[Vertex, StepsTowards] = {}
        """By gateway, over switches."""
        self._targets: dict[tuple[str | None, str], frozenset[Vertex]] = {}
        self._onwards: dict[tuple[int, str | None, str], ForwardingPath] = {}

    def route(self, path: PathView, gateway: int) -> ForwardingPath:
        """From the path's node via `gateway` to the destination; empty if they share no fabric."""
        first = self._step(path.node_id, gateway)
        if not first.hops:
            return first
        return first.then(self._onward(gateway, path))

    def _onward(self, gateway: int, path: PathView) -> ForwardingPath:
        """From the gateway to the destination: computed once for all nodes that are none of its hops."""
        key = (gateway, path.target, path.prefix)
        if key not in self._onwards:
            self._onwards[key] = self._beyond(gateway, path, set())
        known = self._onwards[key]
        is_hop = ("node", path.node_id) in known.hops
        return self._beyond(gateway, path, {path.node_id}) if is_hop else known

    def active(self, path: PathView) -> ForwardingPath:
        """The active path; empty if there is none."""
        return ForwardingPath() if path.active is None else self.route(path, path.active)

    def standby_links(self, path: PathView) -> list[int]:
        """Links that only the inactive gateways use, ascending."""
        used = set(self.active(path).links)
        others = (self.route(path, gateway).links for gateway in path.gateways if gateway != path.active)
        return sorted({link for links in others for link in links} - used)

    def _beyond(self, gateway: int, path: PathView, passed: set[int]) -> ForwardingPath:
        here: Vertex = ("node", gateway)
        targets = self._destination(path)
        if here in targets:
            return ForwardingPath((here,))
        onward = self._policy_of(gateway, path)
        if onward is not None and onward not in passed and len(passed) < _MOST_GATEWAYS:
            step = self._step(gateway, onward)
            if step.hops:
                return step.then(self._beyond(onward, path, passed | {gateway}))
        onwards = self._search(here, targets)
        return onwards if onwards.hops else ForwardingPath((here,))

    def _policy_of(self, gateway: int, path: PathView) -> int | None:
        for other in self._by_node.get(gateway, ()):
            if other.active is not None and _covers(other.prefix, path):
                return other.active
        return None

    def _destination(self, path: PathView) -> frozenset[Vertex]:
        key = (path.target, path.prefix)
        if key not in self._targets:
            self._targets[key] = destination(self._topology, *key)
        return self._targets[key]

    def _step(self, node: int, gateway: int) -> ForwardingPath:
        """To an adjacent gateway: over a link between the two, otherwise over a shared fabric or switches."""
        here, there = ("node", node), ("node", gateway)
        adjacent = self._topology.neighbours
        for vertex, link in adjacent.get(here, ()):
            if vertex == there:
                return ForwardingPath((here, there), (link,))
        shared = {vertex: link for vertex, link in reversed(adjacent.get(there, ())) if vertex[0] == "fabric"}
        for vertex, link in adjacent.get(here, ()):
            if vertex in shared:
                return ForwardingPath((here, vertex, there), (link, shared[vertex]))
        return self._over_switches(here, there)

    def _over_switches(self, here: Vertex, there: Vertex) -> ForwardingPath:
        """Over switches with a cable per port, such as HIPPI crossbars; empty if none is between the two."""
        if there not in self._switched:
            self._switched[there] = StepsTowards(self._topology, there, self._is_switch)
        hops, links = [here], list[int]()
        while (step := self._switched[there].step(hops[-1])) is not None:
            hops.append(step[0])
            links.append(step[1])
        return ForwardingPath(tuple(hops), tuple(links)) if links else ForwardingPath()

    def _is_switch(self, vertex: Vertex) -> bool:
        kind, ident = vertex
        return kind == "node" and self._topology.nodes[ident].kind == "switch"

    def _search(self, start: Vertex, goals: frozenset[Vertex]) -> ForwardingPath:
        key = (start, goals)
        if key not in self._searches:
            self._searches[key] = shortest(self._topology, start, goals)
        return self._searches[key]


def _covers(prefix: str, path: PathView) -> bool:
    wanted = ip_network(prefix, strict=False)
    goal = ip_network(path.target or path.prefix, strict=False)
    return wanted.version == goal.version and goal.subnet_of(wanted)  # type: ignore[arg-type]
