"""Forwarding simulation, hop by hop, without a failure or with one: delivered, lost, or looping.

A node with a managed route uses the first of its gateways that its detection does not consider dead; if
nothing on it detects a failure, it keeps its first gateway. Other routing nodes keep their shortest path
without failures: unmanaged routing is not expected to recover. The choices of managed forwarding nodes depend
on each other, so they are computed first in rounds, as their checkers would converge; the number of rounds is
limited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Literal

from backstay.core.model.prefixes import PrefixTable
from backstay.core.model.routing import Address, NodeRouting, PolicyRoute, Prefix
from backstay.core.model.search import Component, Failure, ForwardingPath, destination
from backstay.core.model.topology import FORWARDING, Topology, Vertex
from backstay.core.planning.detection import sees_beyond
from backstay.core.planning.whatif.segments import Segments

Outcome = Literal["delivered", "lost", "loop"]
_ROUNDS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Destination:
    """Destination of traffic. A world creates each once: they are compared by identity."""

    vertices: frozenset[Vertex]
    """Empty: nothing is known behind the gateways; reaching a gateway is enough."""
    network: Prefix


@dataclass(frozen=True, slots=True)
class ForwardingResult:
    """A packet's path as segments, and its outcome."""

    outcome: Outcome
    segments: tuple[ForwardingPath, ...] = ()

    @property
    def delivered(self) -> bool:
        return self.outcome == "delivered"


LOST = ForwardingResult("lost")


@dataclass(frozen=True, slots=True)
class ForwardingStep:
    """One gateway as a node reaches it; an empty segment means unreachable."""

    gateway: int
    segment: ForwardingPath


@dataclass(frozen=True, slots=True)
class Choice:
    """The index of the chosen gateway and the path behind it; place None: no gateway left."""

    place: int | None
    step: ForwardingPath
    beyond: ForwardingResult


NO_PATH = Choice(None, ForwardingPath(), LOST)


class NetworkState:
    """Topology and managed routes, shared by all scenarios of one plan."""

    def __init__(self, topology: Topology, routings: Mapping[int, NodeRouting]) -> None:
        self.topology = topology
        self.segments = Segments(topology)
        self._goals: dict[tuple[Address | None, Prefix], Destination] = {}
        self._destinations: dict[tuple[Address, frozenset[Vertex]], Destination] = {}
        self._steps: dict[tuple[int, str, Prefix], tuple[ForwardingStep, ...]] = {}
        self._transit = {
            node: PrefixTable((route.prefix, route) for route in routing.routes)
            for node, routing in sorted(routings.items())
            if topology.nodes[node].kind in FORWARDING
        }
        self._routed: dict[Destination, dict[int, PolicyRoute]] = {}

    def goal(self, route: PolicyRoute) -> Destination:
        """Destination of a route: the owner of its prefix; for a default route, its target."""
        return self._goal(route.prefix, None if route.prefix.prefixlen else route.target)

    def probed(self, route: PolicyRoute) -> Destination | None:
        """Destination that the route's checker probes through each gateway; None: it probes only the
        gateways.
        """
        return self._goal(route.prefix, route.target) if sees_beyond(route) else None

    def destination(self, address: Address, vertices: frozenset[Vertex]) -> Destination:
        """Hosts at these vertices; `address` is that of one of them."""
        key = (address, vertices)
        if key not in self._destinations:
            self._destinations[key] = Destination(vertices, ip_network(address))
        return self._destinations[key]

    def _goal(self, prefix: Prefix, target: Address | None) -> Destination:
        key = (target, prefix)
        if key not in self._goals:
            network = prefix if target is None else ip_network(target)
            vertices = destination(self.topology, None if target is None else str(target), str(prefix))
            self._goals[key] = Destination(vertices, network)
        return self._goals[key]

    def steps(self, node: int, route: PolicyRoute) -> tuple[ForwardingStep, ...]:
        """The route's gateways in order."""
        key = (node, route.policy, route.prefix)
        if key not in self._steps:
            self._steps[key] = tuple(
                ForwardingStep(hop.gateway_id, self.segments.to_hop(node, hop)) for hop in route.hops
            )
        return self._steps[key]

    def candidates(self, node: int, route: PolicyRoute) -> tuple[ForwardingStep, ...]:
        """The gateways that the node may use: only the first if nothing on it detects a dead one."""
        steps = self.steps(node, route)
        return steps if route.is_detected else steps[:1]

    def routed(self, goal: Destination) -> Mapping[int, PolicyRoute]:
        """Forwarding nodes with a managed route to the goal, and the most specific route of each."""
        if goal not in self._routed:
            found = {}
            for node, table in self._transit.items():
                best = next(table.covering(goal.network), None)
                if best is None or ("node", node) in goal.vertices:
                    continue
                if not self._connected(node, goal.network, best[0].prefix.prefixlen):
                    found[node] = best[0]
            self._routed[goal] = found
        return self._routed[goal]

    def _connected(self, node: int, network: Prefix, prefixlen: int) -> bool:
        """Whether a directly connected network leads to `network` before any route of that length."""
        own = (
            interface.network
            for port in self.topology.data_ports.get(node, ())
            for interface in self.topology.interfaces[port.id]
        )
        return any(
            item.prefixlen >= prefixlen and (covers(item, network) or (prefixlen and covers(network, item)))
            for item in own
        )


def covers(wide: Prefix, narrow: Prefix) -> bool:
    """Whether every address of `narrow` is in `wide`."""
    return wide.version == narrow.version and narrow.subnet_of(wide)  # type: ignore[arg-type]


class FailureScenario:
    """The network with the components `failed` down. Records the components that its results depend on."""

    def __init__(self, world: NetworkState, *failed: Component) -> None:
        self.world = world
        self.failed: Failure = frozenset(failed)
        self._tables: dict[Destination, dict[int, ForwardingPath]] = {}
        self._walks: dict[tuple[int, Destination], ForwardingResult] = {}
        self._dependencies: dict[tuple[int, Destination], frozenset[Component]] = {}
        self._touched: set[Component] = set()

    def choose(
        self, owner: int, steps: Sequence[ForwardingStep], goal: Destination, probed: Destination | None
    ) -> tuple[Choice, frozenset[Component]]:
        """The gateway that `owner` uses, the result of its traffic, and the components they depend on.

        `probed` must be reachable through a gateway for it to count as alive; None: only the gateway itself.
        """
        self._touched = set()
        choice = self._choose(owner, steps, probed, self._table(probed) if probed else {})
        if choice.place is not None and probed != goal:
            gateway = steps[choice.place].gateway
            beyond = self._beyond(owner, gateway, goal, self._table(goal))
            choice = Choice(choice.place, choice.step, beyond)
        return choice, frozenset(self._touched)

    def through(self, owner: int, step: ForwardingStep, goal: Destination) -> Choice:
        """The result if the owner used this gateway."""
        segment = self._alive(step.segment)
        if not segment.links:
            return NO_PATH
        return Choice(0, segment, self._beyond(owner, step.gateway, goal, self._table(goal)))

    def from_node(self, node: int, goal: Destination) -> ForwardingResult:
        """Forwarding from a node without a managed route of its own to the goal, or with one that transit
        traffic uses.
        """
        return self._walk(node, goal, self._table(goal), -1)

    def _choose(
        self,
        owner: int,
        steps: Sequence[ForwardingStep],
        probed: Destination | None,
        table: Mapping[int, ForwardingPath],
    ) -> Choice:
        """The first gateway that seems alive; otherwise the first that is connected."""
        nearest = NO_PATH
        for place, step in enumerate(steps):
            segment = self._alive(step.segment)
            if not segment.links:
                continue
            if probed is None:
                return Choice(place, segment, LOST)
            choice = Choice(place, segment, self._beyond(owner, step.gateway, probed, table))
            if choice.beyond.delivered:
                return choice
            nearest = nearest if nearest.place is not None else choice
        return nearest

    def _beyond(
        self, owner: int, gateway: int, goal: Destination, table: Mapping[int, ForwardingPath]
    ) -> ForwardingResult:
        """Forwarding from a gateway on. Hosts share the result: no packet can return through a host."""
        if self.world.topology.forwards(("node", owner)):
            return self._walk(gateway, goal, table, owner)
        key = (gateway, goal)
        if key not in self._walks:
            outer, self._touched = self._touched, set()
            self._walks[key] = self._walk(gateway, goal, table, owner)
            self._dependencies[key] = frozenset(self._touched)
            self._touched = outer
        self._touched |= self._dependencies[key]
        return self._walks[key]

    def _walk(
        self, start: int, goal: Destination, table: Mapping[int, ForwardingPath], owner: int
    ) -> ForwardingResult:
        here = start
        passed = {owner, start}
        trail: list[ForwardingPath] = []
        if start == owner:
            return ForwardingResult("loop")
        while goal.vertices and ("node", here) not in goal.vertices:
            segment = table.get(here)
            if segment is None:
                segment = self._alive(self.world.segments.onward(here, goal.vertices))
            if not segment.links:
                return ForwardingResult("lost", tuple(trail))
            trail.append(segment)
            if segment.hops[-1] in goal.vertices:
                break
            here = segment.hops[-1][1]
            if here in passed:
                return ForwardingResult("loop", tuple(trail))
            passed.add(here)
        return ForwardingResult("delivered", tuple(trail))

    def _table(self, goal: Destination) -> Mapping[int, ForwardingPath]:
        """Forwarding node -> the segment that it uses. Its dependencies are added to those of
        every result.
        """
        routed = self.world.routed(goal)
        if not routed:
            return {}
        key = (-1, goal)
        if goal not in self._tables:
            outer, self._touched = self._touched, set()
            self._tables[goal] = self._settle(goal, routed)
            self._dependencies[key] = frozenset(self._touched)
            self._touched = outer
        self._touched |= self._dependencies[key]
        return self._tables[goal]

    def _settle(self, goal: Destination, routed: Mapping[int, PolicyRoute]) -> dict[int, ForwardingPath]:
        steps = {node: self.world.candidates(node, route) for node, route in routed.items()}
        table = {
            node: next((path for step in mine if (path := self._alive(step.segment)).links), ForwardingPath())
            for node, mine in steps.items()
        }
        for _ in range(_ROUNDS):
            before = dict(table)
            for node, route in routed.items():
                if sees_beyond(route):
                    table[node] = self._choose(node, steps[node], goal, table).step
            if table == before:
                break
        return table

    def _alive(self, segment: ForwardingPath) -> ForwardingPath:
        if segment.links:
            self._touched |= self.world.segments.things(segment)
        return self.world.segments.under(segment, self.failed)
