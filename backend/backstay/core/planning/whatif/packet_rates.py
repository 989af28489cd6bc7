"""Packet rates of gateways under a failure, against the most that each can forward.

A gateway's rate is what enters its ports. The packets of a flow take the links of its bits: what a failure
moves is therefore calculated as for loads, in packets/s instead of bit/s. Only gateways and routers whose
limit is known are calculated; without any, nothing is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backstay.core.formatting import count, grouped
from backstay.core.model.topology import Topology
from backstay.core.planning.whatif.demand import demands
from backstay.core.planning.whatif.flow_failures import FlowFailures, Rerouting
from backstay.core.planning.whatif.forwarding_sim import Choice
from backstay.core.planning.whatif.loads import Loads, Shift

LEAST = 1.0
"""bit/s and packets/s: smaller changes are rounding errors."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class GatewayPackets:
    """A gateway that gains traffic under a failure, packets/s."""

    node_id: int
    name: str
    before: float
    """Without the failure: measured, or at least the flows' part."""
    after: float
    limit: float
    is_known: bool
    """False: its rate, or that of a node whose traffic moves, is unknown; then `after` is a lower bound."""

    @property
    def share(self) -> float:
        """Of the limit, under the failure."""
        return self.after / self.limit

    @property
    def is_exceeded(self) -> bool:
        """Whether it would have to forward more than it can."""
        return self.share > 1 + _ROUNDING

    @property
    def sentence(self) -> str:
        """One sentence."""
        return packets_sentence(self.name, self.after, self.limit)


def packets_sentence(gateway: str, after: float, limit: float) -> str:
    """`grf1 would forward 131 000 of 100 000 packets/s.`"""
    return f"{gateway} would forward {_rounded(after)} of {_rounded(limit)} packets/s."


def _rounded(packets: float) -> str:
    return grouped(int(round(packets, -1) if packets >= 1000 else round(packets)))


@dataclass(frozen=True, slots=True)
class MeasuredPackets:
    """Packet rates of a site at one moment, packets/s."""

    limits: Mapping[int, float] = field(default_factory=dict)
    """Gateway or router -> the most that it can forward; one without a known limit is missing."""
    gateways: Mapping[int, float] = field(default_factory=dict)
    """Those with a limit -> what enters all of their ports; unknown or stale: missing."""
    demand: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Host -> (out, in) through its gateway; unknown or stale: missing."""
    ports: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Port of a host -> (in, out); unknown or stale: missing."""

    def scaled(self, factor: float) -> MeasuredPackets:
        """The same with all traffic multiplied."""
        return MeasuredPackets(
            self.limits,
            {node: rate * factor for node, rate in self.gateways.items()},
            {node: (out * factor, back * factor) for node, (out, back) in self.demand.items()},
            {port: (inward * factor, out * factor) for port, (inward, out) in self.ports.items()},
        )

    def gateway(
        self, topology: Topology, node: int, gained: float, *, carried: float = 0.0, is_known: bool
    ) -> GatewayPackets:
        """One that gains packets; `carried`: what the flows alone bring to it without the failure."""
        measured = self.gateways.get(node)
        before = max(carried, measured or 0.0)
        return GatewayPackets(
            node_id=node,
            name=topology.nodes[node].name,
            before=before,
            after=max(before + gained, 0.0),
            limit=self.limits[node],
            is_known=is_known and measured is not None,
        )


class PacketFlows:
    """The packets of a site's flows at one moment."""

    def __init__(self, failures: FlowFailures, measured: MeasuredPackets, opposite: Collection[int]) -> None:
        """`opposite`: nodes whose demand is that of others (`opposite_ends`)."""
        self._failures, self._measured = failures, measured
        self._topology, self._flows = failures.topology, failures.flows
        demand = {node: both for node, both in measured.demand.items() if node not in opposite}
        self._loads = Loads(self._topology, self._flows, demands(self._topology, self._flows, demand).burdens)
        self._carried: Shift = {}
        for at, choice in enumerate(failures.intact):
            self._loads.add(self._carried, at, choice)
        self._inward = {
            node: tuple(self._lanes_into(node))
            for node in sorted(measured.limits)
            if node in self._topology.nodes
        }

    def _lanes_into(self, node: int) -> Iterator[int]:
        vertex = ("node", node)
        for _, link in self._topology.neighbours.get(vertex, ()):
            head = self._topology.ends(self._topology.links[link])[0]
            yield self._loads.lane(link, int(head == vertex))

    def gateways(
        self, changed: Rerouting, loads: Shift, dependent: Collection[int]
    ) -> tuple[GatewayPackets, ...]:
        """Those that gain traffic, by share of their limits, the highest first.

        `loads`: bit/s by lane that the failure adds or takes away; `dependent`: nodes on whose demand it
        depends.
        """
        packets, is_known = self._shift(changed), self._is_known(dependent)
        return by_share(
            self._measured.gateway(
                self._topology,
                node,
                _sum(lanes, packets),
                carried=_sum(lanes, self._carried),
                is_known=is_known,
            )
            for node, lanes in self._inward.items()
            if max(_sum(lanes, loads), _sum(lanes, packets)) >= LEAST
        )

    def _shift(self, changed: Rerouting) -> Shift:
        """Packets/s by lane that a failure adds or takes away."""
        shift: Shift = {}
        now = dict(changed.flows)
        for at, choice in changed.flows:
            self._loads.move(shift, at, self._failures.intact[at], choice)
        for at, place, choice in changed.members:
            if self._loads.carries(at):
                self._move_member(shift, at, place, now.get(at, self._failures.intact[at]), choice)
        return shift

    def _move_member(self, shift: Shift, at: int, place: int, before: Choice, after: Choice) -> None:
        self._loads.add_member(shift, at, place, before, -1.0)
        self._loads.add_member(shift, at, place, after)

    def _is_known(self, nodes: Iterable[int]) -> bool:
        """Whether the packet rate of each host is known."""
        return all(
            node in self._measured.demand for node in nodes if not self._topology.forwards(("node", node))
        )


def _sum(lanes: Iterable[int], shift: Shift) -> float:
    return sum(shift.get(lane, 0.0) for lane in lanes)


def by_share(gateways: Iterable[GatewayPackets]) -> tuple[GatewayPackets, ...]:
    """The nearest to its limit first."""
    return tuple(sorted(gateways, key=lambda item: (-item.share, item.node_id)))


def exceeded_sentences(gateways: Sequence[GatewayPackets]) -> Iterator[str]:
    """The first of those that exceed their limits, and how many others do."""
    over = [item for item in gateways if item.is_exceeded]
    if over:
        yield over[0].sentence
    if len(over) > 1:
        yield f"{count(len(over) - 1, 'more gateway')} would have too many packets."


def unknown_sentence(gateways: Iterable[GatewayPackets]) -> str:
    """Of the first whose rate is unknown; empty: none is."""
    unknown = next((item for item in gateways if not item.is_known), None)
    return "" if unknown is None else f"The packet rate of {unknown.name} is unknown or stale."
