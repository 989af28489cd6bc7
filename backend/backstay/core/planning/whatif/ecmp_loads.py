"""Loads under every failure where nothing is managed: equal-cost shortest paths over switches and routers.

Hosts are folded into the vertices that they attach to. What the hosts of one vertex send is divided over the
others of the same network in proportion to what their hosts receive (gravity model). A failure changes the
measured load of a link by the difference between the two calculated ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np

from backstay.core.model.load import PortRates
from backstay.core.model.search import Component, Failure
from backstay.core.model.topology import Topology, Vertex
from backstay.core.planning.capacity.failures import CapacityImpact, CapacityStudy
from backstay.core.planning.capacity.graph import CapacityGraph, Demand, FailureSet, Indices, Rates
from backstay.core.planning.whatif.fallback_verdict import (
    FallbackEvidence,
    FallbackOutcome,
    LaneLoad,
    MeasuredLoad,
    by_fullness,
    decide,
    growth_percent,
)

_LEAST = 1.0
"""bit/s: smaller changes are rounding errors."""


class EcmpLoads:
    """Loads at one moment over switches, routers and shared fabrics; `growth` 0.3: traffic grows by 30 %."""

    def __init__(
        self,
        topology: Topology,
        measured: MeasuredLoad,
        rates: Mapping[int, PortRates],
        growth: float = 0.0,
    ) -> None:
        """`rates`: port id -> known rates, of which those of hosts are the demand."""
        self._topology, self._factor = topology, 1.0 + growth
        self._measured = measured.scaled(self._factor)
        self._rates = rates
        vertices = sorted(vertex for vertex in topology.neighbours if topology.forwards(vertex))
        self._at = {vertex: at for at, vertex in enumerate(vertices)}
        self._links = [
            link.id
            for link in sorted(topology.links.values(), key=lambda link: link.id)
            if all(end in self._at for end in topology.ends(link))
        ]
        self._place = {link: at for at, link in enumerate(self._links)}
        self._hosts: dict[int, set[int]] = defaultdict(set)
        """Vertex -> hosts attached to it."""
        self._unmeasured: set[int] = set()
        sent, received = self._attached()
        graph = CapacityGraph.of(len(vertices), self._edges())
        self._demand = Demand.of(self._gravity(graph, sent, received))
        self._study = CapacityStudy(graph, self._demand)

    @property
    def unknown_nodes(self) -> frozenset[int]:
        """Hosts of which a load is unknown."""
        return frozenset(self._unmeasured)

    def unattributed(self) -> tuple[int, int]:
        """(bit/s that no demand explains, all bit/s) over the links between switches."""
        load = self._study.intact.load
        measured = [
            (float(bps), float(load[2 * at + number]))
            for at, link in enumerate(self._links)
            for number, bps in enumerate(self._measured.links.get(link, ()))
            if bps is not None
        ]
        total = sum(bps for bps, _ in measured)
        return round(sum(max(bps - known, 0.0) for bps, known in measured)), round(total)

    def components(self) -> list[Component]:
        """Every link between forwarding vertices, and every such vertex."""
        return [("link", link) for link in self._links] + list(self._at)

    def outcomes(self, failures: Iterable[Failure]) -> Iterator[FallbackOutcome]:
        """Each failure in order."""
        known = list(failures)
        impacts = self._study.impacts([self._failure_set(failed) for failed in known])
        next(impacts)
        return (self._outcome(failed, impact) for failed, impact in zip(known, impacts, strict=True))

    def outcome(self, failed: Failure) -> FallbackOutcome:
        """One failure, or none. A host's own link or a host takes no other traffic away."""
        return self._outcome(failed, self._study.impact(self._failure_set(failed)))

    def _failure_set(self, failed: Failure) -> FailureSet:
        return FailureSet(
            vertices=tuple(sorted(self._at[thing] for thing in failed if thing in self._at)),
            links=tuple(sorted(self._place[thing[1]] for thing in failed if self._is_inner(thing))),
        )

    def _is_inner(self, thing: Component) -> bool:
        return thing[0] == "link" and thing[1] in self._place

    def _edges(self) -> Iterator[tuple[int, int, float | None, float | None]]:
        for link in self._links:
            a, b = self._topology.ends(self._topology.links[link])
            usable = self._usable(link)
            yield self._at[a], self._at[b], usable, usable

    def _usable(self, link: int) -> int | None:
        return self._topology.fabrics[self._topology.links[link].fabric_id].usable_rate or None

    def _attached(self) -> tuple[Rates, Rates]:
        """By vertex: what its hosts send and receive, bit/s."""
        sent, received = np.zeros(len(self._at)), np.zeros(len(self._at))
        for link in self._topology.links.values():
            ends = self._topology.ends(link)
            inner = [end for end in ends if end in self._at]
            if len(inner) != 1:
                continue
            host, at = next(end for end in ends if end not in self._at)[1], self._at[inner[0]]
            self._hosts[at].add(host)
            port = next(
                port
                for port in (link.a, link.b)
                if port is not None and self._topology.ports[port].node_id == host
            )
            rates = self._rates.get(port)
            if rates is None:
                self._unmeasured.add(host)
                continue
            sent[at] += (rates.out_bps or 0) * self._factor
            received[at] += (rates.in_bps or 0) * self._factor
        return sent, received

    def _gravity(
        self, graph: CapacityGraph, sent: Rates, received: Rates
    ) -> Iterator[tuple[int, int, float]]:
        network = _networks(graph)
        for label in np.unique(network):
            members = np.flatnonzero((network == label) & ((sent > 0) | (received > 0)))
            total = received[members].sum()
            for source in members.tolist():
                if sent[source] <= 0 or total <= 0:
                    continue
                for end in members.tolist():
                    if end != source and received[end] > 0:
                        yield source, end, float(sent[source] * received[end] / total)

    @cached_property
    def _lost_before(self) -> float:
        return self._study.impact(FailureSet()).cut_off_bps

    def _outcome(self, failed: Failure, impact: CapacityImpact) -> FallbackOutcome:
        hosts = {ident for kind, ident in failed if kind == "node" and ("node", ident) not in self._at}
        cut = self._hosts_of(impact.cut_off.tolist()) if impact.cut_off_bps > self._lost_before else set()
        dead = {self._at[thing] for thing in failed if thing in self._at}
        cut |= self._hosts_of(dead) | hosts
        lanes = self._lanes(failed, impact)
        evidence = FallbackEvidence(
            lanes=lanes,
            names={lane.link_id: self._name(("link", lane.link_id)) for lane in lanes},
            lost=sorted(self._topology.nodes[node].name for node in cut - hosts),
            unknown=sorted(self._topology.nodes[node].name for node in self._unmeasured) if failed else (),
            redundancy_lost=len(self._hosts_of(impact.single_path.tolist())),
        )
        verdict, reason = decide(evidence)
        is_known = verdict == "holds" or any(lane.is_exceeded for lane in lanes if lane.grows)
        return FallbackOutcome(
            failed=tuple(sorted(failed)),
            verdict=verdict,
            reason=reason,
            has_fallback=any(lane.grows for lane in lanes),
            moves=(),
            lanes=lanes,
            cut_off=tuple(sorted(cut)),
            cut_off_bps=round(max(impact.cut_off_bps - self._lost_before, 0.0)),
            loops=(),
            redundancy_lost=tuple(sorted(self._hosts_of(impact.single_path.tolist()) - cut)),
            growth_percent=growth_percent(lanes, self._factor) if is_known else None,
            recovers_in_s=None,
            unattributed_bps=0,
        )

    def _hosts_of(self, vertices: Iterable[int]) -> set[int]:
        return {host for vertex in vertices for host in self._hosts.get(vertex, ())}

    def _lanes(self, failed: Failure, impact: CapacityImpact) -> tuple[LaneLoad, ...]:
        if not failed:
            return ()
        intact = self._study.intact.load
        found = []
        for lane, bps in zip(impact.lanes.tolist(), impact.bps.tolist(), strict=True):
            shift = bps - float(intact[lane])
            if abs(shift) < _LEAST:
                continue
            link = self._links[lane >> 1]
            measured = self._measured.links.get(link, (None, None))[lane & 1]
            before = float(intact[lane]) if measured is None else float(measured)
            found.append(
                LaneLoad(
                    link_id=link,
                    is_back=bool(lane & 1),
                    before=round(before),
                    after=round(max(before + shift, 0.0)),
                    usable_rate=self._usable(link),
                    is_measured=measured is not None,
                )
            )
        return by_fullness(found)

    def _name(self, thing: Vertex) -> str:
        port = self._topology.ports[self._topology.links[thing[1]].a]
        return f"{self._topology.nodes[port.node_id].name}:{port.name}"


def _networks(graph: CapacityGraph) -> Indices:
    """Vertex -> number of its connected network."""
    lanes = graph.adjacency
    network = np.full(graph.size, -1, np.int32)
    for start in range(graph.size):
        if network[start] >= 0:
            continue
        network[start] = start
        waiting = [start]
        while waiting:
            vertex = waiting.pop()
            for lane in lanes.leaving[lanes.start[vertex] : lanes.start[vertex + 1]].tolist():
                there = int(lanes.head[lane])
                if network[there] < 0:
                    network[there] = start
                    waiting.append(there)
    return network
