"""Shortest paths (fewest links) through a site, and the destination of a prefix or target.

Ties are broken by link id, so every search is repeatable. Only forwarding vertices are passed through.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Literal, get_args

from backstay.core.model.topology import Topology, Vertex

Component = tuple[str, int]
"""A component that can fail: a vertex, or `("link", id)`."""
Failure = frozenset[Component]
"""Components that fail together; empty: none fails."""
INTACT: Failure = frozenset()
RiskKind = Literal["chassis", "power", "fibre", "card"]
"""What components share that fail together."""
RISK_KINDS: tuple[RiskKind, ...] = get_args(RiskKind)


@dataclass(frozen=True, slots=True)
class SharedRiskGroup:
    """Components of a site that fail together, because they share something."""

    name: str
    kind: RiskKind
    members: Failure
    missing: tuple[str, ...] = ()
    """Members that the topology no longer has, as `fabric:sp-switch`: what their failure does is unknown."""


@dataclass(frozen=True, slots=True)
class ForwardingPath:
    """Vertices from the start node to the end, and the links between them."""

    hops: tuple[Vertex, ...] = ()
    links: tuple[int, ...] = ()

    def then(self, onward: ForwardingPath) -> ForwardingPath:
        """This path, continued by a path that starts at its end."""
        return ForwardingPath(self.hops + onward.hops[1:], self.links + onward.links)


def shortest(
    topology: Topology,
    start: Vertex,
    goals: frozenset[Vertex],
    *,
    through: Callable[[Vertex], bool] | None = None,
    without: Failure = INTACT,
) -> ForwardingPath:
    """Path with the fewest links, ties by link id, via vertices that forward and that `through` accepts, and
    without the components `without`; empty if there is none.
    """
    passes = topology.forwards if through is None else through
    is_between = all(map(topology.forwards, goals))
    neighbours = topology.forwarding_neighbours if is_between else topology.neighbours
    came: dict[Vertex, tuple[Vertex, int]] = {}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here in goals:
            return _trace(start, here, came)
        if here != start and not passes(here):
            continue
        for there, link in neighbours.get(here, ()):
            if there == start or there in came or there in without or ("link", link) in without:
                continue
            came[there] = (here, link)
            queue.append(there)
    return ForwardingPath()


class StepsTowards:
    """The next vertex and link on the path with the fewest links to one goal, from any start.

    Paths lead via vertices that `through` accepts, which all forward; ties go by link id, as seen from the
    goal. The search passes only vertices that forward: the step of another start follows from its neighbours.
    """

    def __init__(self, topology: Topology, goal: Vertex, through: Callable[[Vertex], bool]) -> None:
        self._topology, self._goal = topology, goal
        self._steps: dict[Vertex, tuple[Vertex, int]] = {}
        self._place: dict[Vertex, int] = {}
        """Of each vertex that the search went on from, in its order."""
        queue = deque([goal])
        while queue:
            here = queue.popleft()
            if here != goal and not through(here):
                continue
            self._place[here] = len(self._place)
            for there, link in topology.forwarding_neighbours.get(here, ()):
                if there != goal and there not in self._steps:
                    self._steps[there] = (here, link)
                    queue.append(there)

    def step(self, here: Vertex) -> tuple[Vertex, int] | None:
        """From here; None: no path, or it is the goal."""
        if here == self._goal or self._topology.forwards(here):
            return self._steps.get(here)
        around = self._topology.neighbours.get(here, ())
        known = ((self._place[there], link, there) for there, link in around if there in self._place)
        first = min(known, default=None)
        return None if first is None else (first[2], first[1])


def sources(
    topology: Topology, goals: frozenset[Vertex], without: Component | None = None
) -> frozenset[Vertex]:
    """The goals, and the forwarding vertices with a path to one of them, without the component `without`.

    One search answers `leads_to` for every start.
    """
    found = {goal for goal in goals if goal != without}
    queue = deque(found)
    while queue:
        for there, link in topology.forwarding_neighbours.get(queue.popleft(), ()):
            if there in found or without in (there, ("link", link)):
                continue
            found.add(there)
            queue.append(there)
    return frozenset(found)


def leads_to(
    topology: Topology, start: Vertex, found: frozenset[Vertex], without: Component | None = None
) -> bool:
    """Whether `shortest` finds a link path from a start that is no goal; `found`: `sources` of the goals."""
    return any(
        there != start and there in found and ("link", link) != without
        for there, link in topology.neighbours.get(start, ())
    )


class Reach:
    """Breadth-first search from one start, done once for any number of goals; same results as `shortest`."""

    def __init__(self, topology: Topology, start: Vertex) -> None:
        self._start = start
        self._came: dict[Vertex, tuple[Vertex, int]] = {}
        self._order = {start: 0}
        for here in (queue := [start]):
            if here != start and not topology.forwards(here):
                continue
            for there, link in topology.neighbours.get(here, ()):
                if there not in self._order:
                    self._order[there] = len(queue)
                    self._came[there] = (here, link)
                    queue.append(there)

    def to(self, goals: frozenset[Vertex]) -> ForwardingPath:
        """Path to the nearest goal, ties as in `shortest`; empty if there is none."""
        reached = goals & self._order.keys()
        if not reached:
            return ForwardingPath()
        return _trace(self._start, min(reached, key=self._order.__getitem__), self._came)


def _trace(start: Vertex, end: Vertex, came: dict[Vertex, tuple[Vertex, int]]) -> ForwardingPath:
    hops, links = [end], []
    while hops[-1] != start:
        before, link = came[hops[-1]]
        hops.append(before)
        links.append(link)
    return ForwardingPath(tuple(reversed(hops)), tuple(reversed(links)))


def destination(topology: Topology, target: str | None, prefix: str) -> frozenset[Vertex]:
    """Destination of the traffic: the target's owner; otherwise the shared fabric that the prefix numbers.

    Otherwise every node with an address in the prefix; otherwise every router (the way out). Empty if the
    site has none.
    """
    if target is not None:
        wanted = ip_address(target)
        numbers, ports = topology.numbered[wanted.version]
        first, last = bisect_left(numbers, int(wanted)), bisect_right(numbers, int(wanted))
        owners = frozenset(("node", port.node_id) for port in ports[first:last])
        if owners:
            return owners
    return _numbered(topology, prefix) or frozenset(
        ("node", node.id) for node in topology.nodes.values() if node.kind == "router"
    )


def _numbered(topology: Topology, prefix: str) -> frozenset[Vertex]:
    network = ip_network(prefix, strict=False)
    if not network.prefixlen:
        return frozenset()
    numbers, numbered = topology.numbered[network.version]
    first = bisect_left(numbers, int(network.network_address))
    last = bisect_right(numbers, int(network.broadcast_address))
    ports = [port for port in numbered[first:last] if port.fabric_id is not None]
    fabrics = {("fabric", port.fabric_id) for port in ports if port.fabric_id is not None}
    shared = frozenset(fabric for fabric in fabrics if fabric in topology.neighbours)
    return shared or frozenset(("node", port.node_id) for port in ports)
