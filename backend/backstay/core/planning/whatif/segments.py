"""Segments between one routing node and the next: a link, a shared fabric, or switches in between.

A *segment* is the path to one next hop. Routing nodes keep their next hop whatever fails elsewhere. Only
switches find another path among themselves, through a subnet manager or wormhole routing, between the
segment's first and last port.
"""

from __future__ import annotations

from functools import cached_property

from backstay.core.model.routing import Hop
from backstay.core.model.search import Component, Failure, ForwardingPath, Reach, shortest
from backstay.core.model.topology import Port, Topology, Vertex


class Segments:
    """Segments of one topology; caches each search."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self._joined: dict[tuple[int, int], ForwardingPath] = {}
        self._onward: dict[tuple[int, frozenset[Vertex]], ForwardingPath] = {}
        self._reach: dict[int, Reach] = {}
        self._inside: dict[tuple[Vertex, Vertex], ForwardingPath] = {}
        self._things: dict[ForwardingPath, frozenset[Component]] = {}
        self._detours: dict[tuple[ForwardingPath, Failure], ForwardingPath] = {}

    def to_hop(self, node: int, hop: Hop) -> ForwardingPath:
        """From a node to a gateway by the port and address of the hop; empty if no links connect them."""
        own = self._own.get((node, hop.port))
        theirs = self._theirs.get((hop.gateway_id, hop.address))
        if own is None or theirs is None or own.fabric_id is None or own.fabric_id != theirs.fabric_id:
            return ForwardingPath()
        key = (own.id, theirs.id)
        if key not in self._joined:
            self._joined[key] = self._join(own, theirs)
        return self._joined[key]

    def onward(self, node: int, goals: frozenset[Vertex]) -> ForwardingPath:
        """From a node without a managed route, over the fewest links, to the next routing node or a goal."""
        key = (node, goals)
        if key not in self._onward:
            if node not in self._reach:
                self._reach[node] = Reach(self.topology, ("node", node))
            path = self._reach[node].to(goals)
            ends = (
                at for at, hop in enumerate(path.hops) if at and (hop in goals or not self._switches(hop))
            )
            end = next(ends, 0)
            self._onward[key] = (
                ForwardingPath(path.hops[: end + 1], path.links[:end]) if end else ForwardingPath()
            )
        return self._onward[key]

    def things(self, segment: ForwardingPath) -> frozenset[Component]:
        """Components that the segment depends on: its links and all vertices except the first."""
        if segment not in self._things:
            links = [("link", link) for link in segment.links]
            self._things[segment] = frozenset([*segment.hops[1:], *links])
        return self._things[segment]

    def under(self, segment: ForwardingPath, failed: Failure) -> ForwardingPath:
        """The segment during a failure; empty if it is interrupted."""
        if not failed or not segment.links or failed.isdisjoint(self.things(segment)):
            return segment
        key = (segment, failed)
        if key not in self._detours:
            self._detours[key] = self._detour(segment, failed)
        return self._detours[key]

    @cached_property
    def _own(self) -> dict[tuple[int, str], Port]:
        ports = self.topology.data_ports
        return {(node, port.name): port for node, mine in ports.items() for port in mine}

    @cached_property
    def _theirs(self) -> dict[tuple[int, object], Port]:
        return {
            (port.node_id, address): port for address, port in self.topology.addresses if not port.management
        }

    def _join(self, own: Port, theirs: Port) -> ForwardingPath:
        first, last = (self.topology.link_of_port.get(port.id) for port in (own, theirs))
        if first is None or last is None:
            return ForwardingPath()
        here, there = ("node", own.node_id), ("node", theirs.node_id)
        if first.id == last.id:
            return ForwardingPath((here, there), (first.id,))
        enter, leave = self._other(first.id, here), self._other(last.id, there)
        if not (self._switches(enter) and self._switches(leave)):
            return ForwardingPath()
        if (enter, leave) not in self._inside:
            self._inside[enter, leave] = shortest(
                self.topology, enter, frozenset({leave}), through=self._switches
            )
        inside = self._inside[enter, leave]
        if not inside.hops:
            return ForwardingPath()
        return ForwardingPath((here, *inside.hops, there), (first.id, *inside.links, last.id))

    def _other(self, link: int, vertex: Vertex) -> Vertex:
        one, other = self.topology.ends(self.topology.links[link])
        return other if one == vertex else one

    def _switches(self, vertex: Vertex) -> bool:
        """Whether the vertex forwards without routing."""
        kind, ident = vertex
        return kind == "fabric" or self.topology.nodes[ident].kind == "switch"

    def _detour(self, segment: ForwardingPath, failed: Failure) -> ForwardingPath:
        """Another path among switches between the same two ports."""
        if len(segment.links) < 3:
            return ForwardingPath()
        fixed = {segment.hops[1], segment.hops[-2], segment.hops[-1]}
        fixed |= {("link", segment.links[0]), ("link", segment.links[-1])}
        if not failed.isdisjoint(fixed):
            return ForwardingPath()
        goal = frozenset({segment.hops[-2]})
        inside = shortest(self.topology, segment.hops[1], goal, through=self._switches, without=failed)
        if not inside.hops:
            return ForwardingPath()
        return ForwardingPath(
            (segment.hops[0], *inside.hops, segment.hops[-1]),
            (segment.links[0], *inside.links, segment.links[-1]),
        )
