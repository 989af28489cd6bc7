"""Where the traffic of nodes goes: pairs of nodes and a destination, and the path of each direction.

The nodes of a flow send to its destination, and to every host that its prefix covers and that is outside
their own networks. Hosts with the same links and networks are one destination. Traffic returns over the
managed route of the destination, else of the routers that the flow leads to, else on the outbound path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from backstay.core.model.prefixes import PrefixTable
from backstay.core.model.routing import Address, NodeRouting, Prefix
from backstay.core.model.search import ForwardingPath
from backstay.core.model.topology import Vertex
from backstay.core.planning.whatif.demand import Returns, widest
from backstay.core.planning.whatif.flow_failures import FlowFailures
from backstay.core.planning.whatif.flows import Flow

MOST_PAIRS = 20_000
"""Of a site with more, each flow has only its own destination."""
Trail = tuple[ForwardingPath, ...]
"""Segments in the direction of the traffic."""


@dataclass(frozen=True, slots=True)
class TrafficEnd:
    """Hosts that no link or network distinguishes."""

    hosts: tuple[int, ...]
    vertices: frozenset[Vertex]
    """Of the links: the next ones to the hosts."""
    address: Address
    """Of the first host."""
    networks: frozenset[Prefix]


@dataclass(frozen=True, slots=True)
class TrafficPair:
    """Traffic of a flow's nodes with one destination; numbers are those of `TrafficFlows.failures.flows`."""

    source: int
    """The nodes' flow."""
    out: int
    """Carries what they send; `source` itself: to the flow's own destination."""
    back: tuple[int, ...]
    """Carry what they receive, in equal parts; empty: it returns on the path of `out`."""
    end: TrafficEnd | None
    """None: the flow's own destination."""


class TrafficFlows:
    """The pairs of one topology and routing. Flows of managed routes keep their numbers."""

    def __init__(
        self, managed: FlowFailures, routings: Mapping[int, NodeRouting], opposite: Collection[int]
    ) -> None:
        """`opposite`: nodes whose traffic is that of others."""
        self._topology, self._routings = managed.topology, routings
        self._returns = Returns(managed.topology, managed.flows)
        self.widest = widest(managed.flows)
        self.managed = len(managed.flows)
        """How many flows are of managed routes; those of single destinations follow."""
        self.answered = self._answered(managed.flows)
        """Node -> flows that return the traffic of its flow's own destination."""
        self.answers: dict[int, list[int]] = {}
        """Such a flow -> its nodes."""
        for node, found in self.answered.items():
            for at in found:
                self.answers.setdefault(at, []).append(node)
        sources = self._sources(managed.flows)
        ends = {
            at: tuple(self._ends(managed.flows[at]))
            for at in sources
            if managed.flows[at].speaker not in opposite
        }
        if sum(map(len, ends.values())) > MOST_PAIRS:
            ends = {}
        flows = list(managed.flows)
        pairs = []
        for at in sources:
            pairs.append(TrafficPair(at, at, self.answered.get(flows[at].speaker, ()), None))
            for end in ends.get(at, ()):
                goal = managed.world.destination(end.address, end.vertices)
                pairs.append(TrafficPair(at, len(flows), self._back_from(flows[at], end), end))
                flows.append(replace(flows[at], goal=goal))
        self.pairs: tuple[TrafficPair, ...] = tuple(pairs)
        self.failures = managed if len(flows) == self.managed else FlowFailures(managed.world, flows)
        """Of all flows."""
        self.owned: dict[int, list[int]] = {}
        """Flow of nodes -> the flows of its pairs."""
        for pair in pairs:
            self.owned.setdefault(pair.source, []).append(pair.out)
        self._hosts = {pair.out: pair.end.hosts for pair in pairs if pair.end is not None}
        self.senders: dict[int, set[int]] = {at: set(nodes) for at, nodes in self.answers.items()}
        """Flow that returns traffic -> the nodes whose traffic it is, of whatever destination."""
        for pair in pairs:
            for at in pair.back:
                nodes = self.senders.setdefault(at, set())
                nodes.update(member.node for member in flows[pair.source].members)

    def trails(self, pair: TrafficPair, is_back: bool) -> tuple[Trail, ...]:
        """Beyond the nodes' gateway, without a failure: each path that the traffic takes, in equal parts.

        That of traffic that returns on the outbound path is in the outbound direction.
        """
        intact = self.failures.intact
        if is_back and pair.back:
            return tuple((intact[at].step, *intact[at].beyond.segments) for at in pair.back)
        return (intact[pair.out].beyond.segments,)

    def hosts_of(self, flow: int) -> tuple[int, ...]:
        """Hosts at the far end of a flow: its destination, or those that answer; of others the next nodes."""
        if flow in self._hosts:
            return self._hosts[flow]
        if flow in self.owned:
            return tuple(
                sorted(node for kind, node in self.failures.flows[flow].goal.vertices if kind == "node")
            )
        return tuple(member.node for member in self.failures.flows[flow].members)

    def host_lanes(self, end: TrafficEnd) -> Iterator[tuple[int, int]]:
        """Links of the hosts, in the direction away from them: 0 forward, 1 back."""
        for host in end.hosts:
            for _, link in self._topology.neighbours.get(("node", host), ()):
                start = self._topology.ends(self._topology.links[link])[0]
                yield link, int(start != ("node", host))

    def _sources(self, flows: list[Flow]) -> list[int]:
        """Flows that nodes at one end have as their widest."""
        found = {at for node, (at, _) in self.widest.items() if not self._topology.forwards(("node", node))}
        return sorted(found)

    def _answered(self, flows: list[Flow]) -> dict[int, tuple[int, ...]]:
        known: dict[int, tuple[int, ...]] = {}
        for node, (at, _) in self.widest.items():
            found = tuple(other for other in self._returns.to(node, flows[at]) if other != at)
            if found:
                known[node] = found
        return known

    def _back_from(self, flow: Flow, end: TrafficEnd) -> tuple[int, ...]:
        """Managed routes of the destination to the nodes' network."""
        found = self._returns.candidates(flow.speaker, flow)
        hosts = set(end.hosts)
        return tuple(
            at for at in found if any(member.node in hosts for member in self._returns.flows[at].members)
        )

    def _ends(self, flow: Flow) -> Iterator[TrafficEnd]:
        """Hosts that the flow's route covers, without those of its own destination."""
        own = self._networks(flow.speaker)
        routes = self._routings[flow.speaker].routes
        table = PrefixTable((route.prefix, route.prefix) for route in routes)
        for end in self._locations:
            if not own.isdisjoint(end.networks) or end.vertices <= flow.goal.vertices:
                continue
            if not flow.goal.vertices.isdisjoint(("node", host) for host in end.hosts):
                continue
            covering = next(table.covering(end.address), None)
            if covering is not None and flow.route.prefix in covering:
                yield end

    def _networks(self, node: int) -> frozenset[Prefix]:
        ports = self._topology.data_ports.get(node, ())
        return frozenset(
            interface.network for port in ports for interface in self._topology.interfaces[port.id]
        )

    @cached_property
    def _locations(self) -> tuple[TrafficEnd, ...]:
        found: dict[tuple[frozenset[Vertex], frozenset[Prefix]], list[int]] = {}
        for node in sorted(self._topology.data_ports):
            around = frozenset(there for there, _ in self._topology.neighbours.get(("node", node), ()))
            if around and not self._topology.forwards(("node", node)):
                found.setdefault((around, self._networks(node)), []).append(node)
        return tuple(
            TrafficEnd(
                hosts=tuple(hosts),
                vertices=around if len(hosts) > 1 else frozenset({("node", hosts[0])}),
                address=address,
                networks=networks,
            )
            for (around, networks), hosts in found.items()
            if (address := self._address(hosts[0])) is not None
        )

    def _address(self, node: int) -> Address | None:
        addresses = (
            interface.ip
            for port in self._topology.data_ports[node]
            for interface in self._topology.interfaces[port.id]
        )
        return next(addresses, None)
