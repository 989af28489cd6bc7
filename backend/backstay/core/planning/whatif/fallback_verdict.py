"""Whether the fallback holds under one failure: who moves where, loads of all affected links, the verdict.

A verdict is `holds` only if every load and rate that it depends on is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from backstay.core.formatting import count, listing, rate, share
from backstay.core.model.search import Component
from backstay.core.planning.whatif.packet_rates import (
    GatewayPackets,
    MeasuredPackets,
    exceeded_sentences,
    unknown_sentence,
)

FallbackVerdict = Literal["holds", "would_not_hold", "unknown"]
MoveOutcome = Literal["moved", "cut_off", "loop", "undetected"]
"""undetected: another gateway works, but nothing detects the failure."""
_STARTS = frozenset({"The", "It", "Nothing", "Packets"})
ROUNDING = 1e-9
"""Part of a rate by which a load may exceed it without a meaning."""
MOST_LANES = 200
"""Directions of links that an outcome lists to people, the fullest first."""


DemandByLink = dict[int, Mapping[int, tuple[float, float]]]
"""Host -> first link beyond its gateway -> bit/s out, in."""


@dataclass(frozen=True, slots=True)
class MeasuredLoad:
    """Loads of a site at one moment, bit/s."""

    demand: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Host -> (out, in) through its gateway; a host without a known demand is missing."""
    links: Mapping[int, tuple[int | None, int | None]] = field(default_factory=dict)
    """Link id -> (forward, back); None: unknown. A link without any known load may be missing."""
    by_link: DemandByLink = field(default_factory=dict)
    """Estimated parts of the demand; a host without an estimate is missing."""
    packets: MeasuredPackets = field(default_factory=MeasuredPackets)

    def scaled(self, factor: float) -> MeasuredLoad:
        """The same with all traffic multiplied."""
        if factor == 1.0:
            return self
        demand = {
            node: (round(out * factor), round(back * factor)) for node, (out, back) in self.demand.items()
        }
        links = {
            link: (_scaled(forward, factor), _scaled(back, factor))
            for link, (forward, back) in self.links.items()
        }
        by_link: DemandByLink = {
            node: {link: (out * factor, back * factor) for link, (out, back) in parts.items()}
            for node, parts in self.by_link.items()
        }
        return MeasuredLoad(demand, links, by_link, self.packets.scaled(factor))


def _scaled(bps: int | None, factor: float) -> int | None:
    return None if bps is None else round(bps * factor)


@dataclass(frozen=True, slots=True)
class LaneLoad:
    """One direction of a link under a failure, bit/s."""

    link_id: int
    is_back: bool
    """Whether it is the direction from b to a."""
    before: int
    """Without the failure: measured, or at least the flows' part."""
    after: int
    usable_rate: int | None
    """None: unknown."""
    is_measured: bool
    withheld: int = 0
    """Part of `after` that is not sent, because its senders adapt to full links on its path."""

    @property
    def carried(self) -> int:
        """What a measurement would find: of the load that is sent, at most the usable rate."""
        sent = max(self.after - self.withheld, 0)
        return sent if self.usable_rate is None else min(sent, self.usable_rate)

    @property
    def grows(self) -> bool:
        """Whether the failure adds load."""
        return self.after > self.before

    @property
    def utilisation(self) -> float | None:
        """Share of the usable rate; None: it is unknown."""
        return None if self.usable_rate is None else self.after / self.usable_rate

    @property
    def is_exceeded(self) -> bool:
        """Whether it has more load than it can carry."""
        used = self.utilisation
        return used is not None and used > 1 + ROUNDING

    @property
    def is_unknown(self) -> bool:
        """Whether nothing can be said of it."""
        return self.usable_rate is None or not self.is_measured


@dataclass(frozen=True, slots=True)
class Move:
    """Nodes that a failure takes from one gateway to another, or cuts off."""

    policy: str
    prefix: str
    start: int | None
    """Gateway without the failure; None: no gateway."""
    end: int | None
    """Gateway under it; None: none."""
    outcome: MoveOutcome
    nodes: tuple[int, ...]
    out: int
    back: int
    """Traffic of the nodes, bit/s."""
    unknown: int
    """How many of the nodes have an unknown demand."""


@dataclass(frozen=True, slots=True)
class StoppedTraffic:
    """Traffic of nodes that are not cut off, with hosts that no path reaches any more."""

    hosts: tuple[int, ...]
    bps: int
    """Both directions."""


@dataclass(frozen=True, slots=True)
class FallbackOutcome:
    """One failure, or none."""

    failed: tuple[Component, ...]
    verdict: FallbackVerdict
    reason: str
    """One sentence."""
    has_fallback: bool
    """Whether traffic moves, or should move, to another gateway or path; False: it has no other."""
    moves: tuple[Move, ...]
    lanes: tuple[LaneLoad, ...]
    """Links whose load changes, the fullest first; of unknown rate last. All that decide the verdict."""
    cut_off: tuple[int, ...]
    """Nodes without a path, or whose packets loop."""
    cut_off_bps: int
    """Traffic that no path delivers: of these nodes, and `stopped`."""
    loops: tuple[str, ...]
    """`Packets of 4 nodes loop: grf1 to atmgw to grf1.`"""
    redundancy_lost: tuple[int, ...]
    """Nodes that still work, through their last gateway."""
    growth_percent: float | None
    """Growth of all traffic at which the fallback fails; negative: it fails already. None: cut off,
    unknown, or no load moves."""
    recovers_in_s: float | None
    """Until the last node has moved; None: nothing moves."""
    unattributed_bps: int
    """Traffic of the failed components that no flow explains: it may move too, nobody knows where."""
    stopped: tuple[StoppedTraffic, ...] = ()
    """Part of `cut_off_bps`: traffic that moves nowhere, because its destinations are cut off."""
    gateways: tuple[GatewayPackets, ...] = ()
    """Gateways with a known limit that gain traffic, the nearest to its limit first."""
    further_lanes: int = 0
    """Directions whose load changes too, and that are not in `lanes`."""

    @property
    def worst_gateway(self) -> GatewayPackets | None:
        """The gateway nearest to its limit of packets; None: none gains traffic, or no limit is known."""
        return next(iter(self.gateways), None)

    @property
    def worst(self) -> LaneLoad | None:
        """The fullest direction of a link that gains load; None: none does."""
        return next((lane for lane in self.lanes if lane.grows), None)


@dataclass(frozen=True, slots=True)
class FallbackEvidence:
    """What decides a verdict. Names are those of the site."""

    lanes: Sequence[LaneLoad]
    names: Mapping[int, str]
    """Link id -> name, of the lanes."""
    lost: Sequence[str] = ()
    """Nodes that are cut off because of the failure."""
    undetected: Sequence[str] = ()
    loops: Sequence[str] = ()
    unknown: Sequence[str] = ()
    """Nodes that move or are cut off and have an unknown demand."""
    moved: int = 0
    """Moves, of whatever traffic."""
    redundancy_lost: int = 0
    """Nodes that keep no fallback."""
    gateways: Sequence[GatewayPackets] = ()
    """Gateways with a known limit of packets that gain traffic, the nearest to its limit first."""


def decide(evidence: FallbackEvidence) -> tuple[FallbackVerdict, str]:
    """The verdict, and its reason: one or more sentences."""
    growing = [lane for lane in evidence.lanes if lane.grows]
    if failing := _failing(evidence, growing):
        return "would_not_hold", failing
    if unknown := _unknown(evidence, growing):
        return "unknown", unknown
    return "holds", _holding(evidence, growing)


def is_limit_known(verdict: FallbackVerdict, evidence: FallbackEvidence) -> bool:
    """Whether the growth at which the fallback fails is known: it holds, or exceeds something already."""
    return (
        verdict == "holds"
        or any(lane.is_exceeded for lane in evidence.lanes if lane.grows)
        or any(gateway.is_exceeded for gateway in evidence.gateways)
    )


def _failing(evidence: FallbackEvidence, growing: Sequence[LaneLoad]) -> str:
    over = [lane for lane in growing if lane.is_exceeded]
    packets = list(exceeded_sentences(evidence.gateways))
    if over or packets:
        carries = [_carries(lane, evidence.names) for lane in over[:1]]
        return " ".join([*carries, *packets, *_further(evidence, len(over))])
    if evidence.loops:
        return evidence.loops[0]
    if evidence.undetected:
        return f"Nothing detects the failure for {listing(list(evidence.undetected))}."
    return f"{listing(list(evidence.lost))} would be cut off." if evidence.lost else ""


def _holding(evidence: FallbackEvidence, growing: Sequence[LaneLoad]) -> str:
    gateway = next(iter(evidence.gateways), None)
    if gateway is not None and gateway.share > max(
        (lane.utilisation or 0.0 for lane in growing), default=0.0
    ):
        return gateway.sentence
    if growing:
        return _carries(growing[0], evidence.names)
    if evidence.redundancy_lost:
        return f"It moves no traffic; {_alone(evidence.redundancy_lost)} no fallback left."
    return "It moves paths that carry no traffic now." if evidence.moved else "It moves no traffic."


def _alone(nodes: int) -> str:
    return f"{count(nodes, 'node')} {'has' if nodes == 1 else 'have'}"


def _further(evidence: FallbackEvidence, over: int) -> Iterator[str]:
    if over > 1:
        yield f"{count(over - 1, 'more direction')} would be too full."
    if evidence.lost:
        yield f"{count(len(evidence.lost), 'node')} would be cut off."


def by_fullness(lanes: Iterable[LaneLoad]) -> tuple[LaneLoad, ...]:
    """Those that gain load first, the fullest first; of unknown rate after them."""
    return tuple(
        sorted(
            lanes,
            key=lambda item: (
                not item.grows,
                item.usable_rate is None,
                -(item.utilisation or 0.0),
                item.link_id,
                item.is_back,
            ),
        )
    )


def sentence(name: str, reason: str) -> str:
    """`If grf1 fails, atmgw:at0 would carry 142 % of 134.5 Mb/s.`; names keep their case."""
    first, _, rest = reason.partition(" ")
    return f"If {name} fails, {first.lower() if first in _STARTS else first} {rest}"


def _carries(lane: LaneLoad, names: Mapping[int, str]) -> str:
    used = share(lane.utilisation or 0.0)
    return f"{names[lane.link_id]} would carry {used} of {rate(lane.usable_rate or 0)}."


def _unknown(evidence: FallbackEvidence, growing: Sequence[LaneLoad]) -> str:
    if evidence.unknown:
        return f"The load of {listing(list(evidence.unknown))} is unknown or stale."
    rates = [lane for lane in growing if lane.usable_rate is None]
    if rates:
        return f"The usable rate of {evidence.names[rates[0].link_id]} is unknown."
    loads = [lane for lane in growing if not lane.is_measured]
    if loads:
        return f"The load of {evidence.names[loads[0].link_id]} is unknown or stale."
    return unknown_sentence(evidence.gateways)


def growth_percent(
    lanes: Sequence[LaneLoad], factor: float, gateways: Sequence[GatewayPackets] = ()
) -> float | None:
    """Growth from the measured load, percent, at which the first of the lanes that gain load is full, or the
    first gateway at its limit.
    """
    room = [
        lane.usable_rate / lane.after for lane in lanes if lane.grows and lane.usable_rate and lane.after > 0
    ]
    room += [1 / gateway.share for gateway in gateways if gateway.after > 0]
    return round((min(room) * factor - 1) * 100, 1) if room else None
