"""Loads under every failure where nothing is managed: equal-cost shortest paths over switches and routers.

Hosts are folded into the vertices that they attach to. What the hosts of one vertex send is divided over the
others of the same network in proportion to what their hosts receive (gravity model). A failure changes the
measured load of a link by the difference between the two calculated ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from backstay.core.model.load import PortRates
from backstay.core.model.search import Component, Failure
from backstay.core.model.topology import Topology, Vertex
from backstay.core.planning.capacity.failures import CapacityImpact, CapacityStudy
from backstay.core.planning.capacity.graph import CapacityGraph, Demand, FailureSet, Flags, Indices, Rates
from backstay.core.planning.whatif.fallback_verdict import (
    MOST_LANES,
    ROUNDING,
    FallbackEvidence,
    FallbackOutcome,
    LaneLoad,
    MeasuredLoad,
    decide,
    growth_percent,
    is_limit_known,
)
from backstay.core.planning.whatif.packet_rates import LEAST, GatewayPackets, by_share

_LEAST = 1.0
"""bit/s: smaller changes are rounding errors."""


@dataclass(frozen=True, slots=True)
class LaneShifts:
    """Directions of links whose load changes, in the order of `by_fullness`; bit/s."""

    lanes: Indices
    before: Rates
    after: Rates
    usable: Rates
    """NaN: unknown."""
    is_measured: Flags

    @classmethod
    def of(cls, lanes: Indices, before: Rates, after: Rates, usable: Rates, is_measured: Flags) -> LaneShifts:
        """Sorted; the lanes in any order."""
        used = np.nan_to_num(after / usable)
        order = np.lexsort((lanes, -used, np.isnan(usable), after <= before))
        return cls(lanes[order], before[order], after[order], usable[order], is_measured[order])

    def listed(self, most: int = MOST_LANES) -> list[int]:
        """Places of the first `most`, and of all that decide a verdict: a fabric of which every failure
        changes every link would be millions of objects.
        """
        grows = self.after > self.before
        exceeded = int(np.count_nonzero(grows & (self.after > self.usable * (1 + ROUNDING))))
        first = range(min(max(most, exceeded), len(self.lanes)))
        unknown = [np.flatnonzero(grows & lack)[:1] for lack in (np.isnan(self.usable), ~self.is_measured)]
        return sorted({*first, *(int(place) for places in unknown for place in places)})


@dataclass(frozen=True, slots=True)
class _Attachment:
    """A host's link."""

    vertex: int
    """Where it leads to."""
    port: int
    """The host's."""


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
        self._attachments: dict[int, dict[int, _Attachment]] = defaultdict(dict)
        """Host -> its links."""
        graph = CapacityGraph.of(len(vertices), self._edges())
        self._network = _networks(graph)
        self._bits = {
            port: (self._factor * (item.in_bps or 0), self._factor * (item.out_bps or 0))
            for port, item in rates.items()
        }
        self._study, self._unmeasured = self._study_of(graph, self._bits)
        self._populated = np.array(sorted(self._hosts), np.int32)
        self._host_counts = np.array(
            [len(self._hosts.get(at, ())) for at in range(len(vertices))], np.float64
        )
        self._lane_loads = self._measured_lanes()
        self._packets = self._measured.packets
        self._packet_study: CapacityStudy | None = None
        self._uncounted: set[int] = set()
        if self._packets.limits:
            self._packet_study, self._uncounted = self._study_of(graph, self._packets.ports)

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
        """One failure, or none. A host, or its only link, takes its own traffic away."""
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

    def _study_of(
        self, graph: CapacityGraph, ports: Mapping[int, tuple[float, float]]
    ) -> tuple[CapacityStudy, set[int]]:
        """Of what passes the hosts' ports (in, out), and the hosts of which it is unknown."""
        sent, received, unknown = self._attached(ports)
        return CapacityStudy(graph, Demand.of(self._gravity(sent, received))), unknown

    def _attached(self, ports: Mapping[int, tuple[float, float]]) -> tuple[Rates, Rates, set[int]]:
        """By vertex: what its hosts send and receive; and the hosts of which it is unknown."""
        sent, received = np.zeros(len(self._at)), np.zeros(len(self._at))
        unknown: set[int] = set()
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
            self._attachments[host][link.id] = _Attachment(at, port)
            both = ports.get(port)
            if both is None:
                unknown.add(host)
                continue
            received[at] += both[0]
            sent[at] += both[1]
        return sent, received, unknown

    def _gravity(self, sent: Rates, received: Rates) -> Iterator[tuple[int, int, float]]:
        for label in np.unique(self._network):
            members = np.flatnonzero((self._network == label) & ((sent > 0) | (received > 0)))
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

    @cached_property
    def _unknown_names(self) -> list[str]:
        return sorted(self._topology.nodes[node].name for node in self._unmeasured)

    def _outcome(self, failed: Failure, impact: CapacityImpact) -> FallbackOutcome:
        hosts = {ident for kind, ident in failed if kind == "node" and ("node", ident) not in self._at}
        dead = [self._at[thing] for thing in failed if thing in self._at]
        lost = {*dead, *self._separated(dead, impact.part)}
        cut = self._cut_off(failed, lost) | hosts
        shifts = self._shifts(failed, impact)
        listed = shifts.listed()
        lanes = tuple(self._lane(shifts, place) for place in listed)
        gateways = self._gateways(failed, shifts)
        evidence = FallbackEvidence(
            lanes=lanes,
            names={lane.link_id: self._name(("link", lane.link_id)) for lane in lanes},
            lost=sorted(self._topology.nodes[node].name for node in cut - hosts),
            unknown=self._unknown_names if failed else (),
            redundancy_lost=len(self._hosts_of(impact.single_path.tolist())),
            gateways=gateways,
        )
        verdict, reason = decide(evidence)
        is_known = is_limit_known(verdict, evidence)
        return FallbackOutcome(
            failed=tuple(sorted(failed)),
            verdict=verdict,
            reason=reason,
            has_fallback=any(lane.grows for lane in lanes),
            moves=(),
            lanes=lanes,
            cut_off=tuple(sorted(cut)),
            cut_off_bps=round(max(impact.cut_off_bps - self._lost_before, 0.0) + self._own_bps(cut, lost)),
            loops=(),
            redundancy_lost=tuple(sorted(self._hosts_of(impact.single_path.tolist()) - cut)),
            growth_percent=growth_percent(lanes, self._factor, gateways) if is_known else None,
            recovers_in_s=None,
            unattributed_bps=0,
            gateways=gateways,
            further_lanes=len(shifts.lanes) - len(listed),
        )

    def _cut_off(self, failed: Failure, lost: Collection[int]) -> set[int]:
        """Hosts of which every link fails or leads to a vertex that is lost."""
        links = {ident for kind, ident in failed if kind == "link"}
        ends = {host for link in links for kind, host in self._ends(link) if kind == "node"}
        concerned = self._hosts_of(lost) | (ends & self._attachments.keys())
        return {
            host
            for host in concerned
            if all(link in links or own.vertex in lost for link, own in self._attachments[host].items())
        }

    def _own_bps(self, cut: Iterable[int], lost: Collection[int]) -> float:
        """Traffic of hosts that are cut off, over links to vertices that work: of the others, the study has
        counted it."""
        return sum(
            sum(self._bits.get(own.port, ()))
            for host in cut
            for own in self._attachments.get(host, {}).values()
            if own.vertex not in lost
        )

    def _ends(self, link: int) -> tuple[Vertex, ...]:
        return self._topology.ends(self._topology.links[link])

    def _separated(self, dead: list[int], part: Indices) -> list[int]:
        """Vertices with hosts that a failure separates from most hosts of their network."""
        alive = self._populated[~np.isin(self._populated, dead)]
        network, now = self._network[alive], part[alive]
        hosts = np.bincount(now, self._host_counts[alive], minlength=len(part))
        order = np.lexsort((now, -hosts[now], network))
        largest = order[np.unique(network[order], return_index=True)[1]]
        kept = np.zeros(len(part), np.int32)
        kept[network[largest]] = now[largest]
        return [int(vertex) for vertex in alive[now != kept[network]]]

    def _gateways(self, failed: Failure, shifts: LaneShifts) -> tuple[GatewayPackets, ...]:
        """Those with a known limit that gain traffic."""
        if self._packet_study is None or not failed:
            return ()
        bits, packets = defaultdict[int, float](float), defaultdict[int, float](float)
        for lane, gained in zip(shifts.lanes.tolist(), (shifts.after - shifts.before).tolist(), strict=True):
            bits[self._end(self._links[lane >> 1], is_back=bool(lane & 1))] += gained
        intact, impact = self._packet_study.intact.load, self._packet_study.impact(self._failure_set(failed))
        for place, after in zip(impact.lanes.tolist(), impact.bps.tolist(), strict=True):
            end = self._end(self._links[place >> 1], is_back=bool(place & 1))
            packets[end] += after - float(intact[place])
        return by_share(
            self._packets.gateway(self._topology, node, packets[node], is_known=not self._uncounted)
            for node in sorted(self._packets.limits)
            if max(bits[node], packets[node]) >= LEAST
        )

    def _end(self, link: int, *, is_back: bool) -> int:
        """The node that a direction of a link leads to; 0: a shared medium."""
        kind, ident = self._topology.ends(self._topology.links[link])[0 if is_back else 1]
        return ident if kind == "node" else 0

    def _hosts_of(self, vertices: Iterable[int]) -> set[int]:
        return {host for vertex in vertices for host in self._hosts.get(vertex, ())}

    def _measured_lanes(self) -> Rates:
        """Measured bit/s by lane; NaN: unknown."""
        both = (self._measured.links.get(link, (None, None)) for link in self._links)
        return np.array([np.nan if bps is None else bps for pair in both for bps in pair], np.float64)

    def _shifts(self, failed: Failure, impact: CapacityImpact) -> LaneShifts:
        """What the failure adds to the measured loads; nothing without a failure."""
        intact = self._study.intact.load[impact.lanes]
        shift = impact.bps - intact
        changed = np.abs(shift) >= _LEAST if failed else np.zeros(shift.shape, np.bool_)
        lanes, shift = impact.lanes[changed], shift[changed]
        measured = self._lane_loads[lanes]
        is_measured = ~np.isnan(measured)
        before = np.where(is_measured, measured, intact[changed])
        after = np.rint(np.maximum(before + shift, 0.0))
        return LaneShifts.of(lanes, np.rint(before), after, self._study.graph.lane_rates[lanes], is_measured)

    def _lane(self, shifts: LaneShifts, place: int) -> LaneLoad:
        lane = int(shifts.lanes[place])
        link = self._links[lane >> 1]
        return LaneLoad(
            link_id=link,
            is_back=bool(lane & 1),
            before=int(shifts.before[place]),
            after=int(shifts.after[place]),
            usable_rate=self._usable(link),
            is_measured=bool(shifts.is_measured[place]),
        )

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
