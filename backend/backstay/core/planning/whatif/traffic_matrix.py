"""Division of the nodes' demand over destinations, so that it agrees with the measured loads of links.

Tomogravity: a first estimate in proportion to the load of each destination's narrowest link (gravity model)
is scaled in rounds until the sums on links are the measured ones (iterative proportional fitting, in the form
of the expectation-maximisation algorithm, which converges for inconsistent measurements too). The demand of a
flow's nodes is kept exactly: what is taken from one destination goes to another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from backstay.core.model.search import ForwardingPath
from backstay.core.model.topology import Topology
from backstay.core.planning.whatif.demand import Burden
from backstay.core.planning.whatif.fallback_verdict import MeasuredLoad
from backstay.core.planning.whatif.traffic_flows import TrafficEnd, TrafficFlows, TrafficPair

_ROUNDS = 100
_LEAST = 1.0
"""bit/s: a smaller load is none."""
Floats = np.ndarray[Any, np.dtype[np.float64]]
Indices = np.ndarray[Any, np.dtype[np.int64]]
Lane = tuple[int, int]
"""Link id; 0: forward, 1: back."""


@dataclass(frozen=True, slots=True)
class Incidence:
    """Which unknowns load which measured sums: one entry each. Unknown 2 n: out of pair n; 2 n + 1: back."""

    unknown: Indices
    lane: Indices
    part: Floats
    """Of the unknown's traffic that takes the lane."""


class TrafficLanes:
    """Lanes of all pairs beyond the nodes' gateways, of one topology and routing."""

    def __init__(self, traffic: TrafficFlows, topology: Topology) -> None:
        self._topology = topology
        self.numbers: dict[Lane, int] = {}
        self.row = np.array([pair.source for pair in traffic.pairs], np.int64).repeat(2) * 2
        self.row[1::2] += 1
        self.is_own = np.array([pair.end is None for pair in traffic.pairs], np.bool_).repeat(2)
        self.is_delivered = np.array([*self._delivered(traffic)], np.bool_).repeat(2)
        self.first = [link for pair in traffic.pairs for link in [self._first(traffic, pair)] * 2]
        """First link beyond the gateway; 0: there is none."""
        self.paths = self._incidence(self._on_paths(traffic))
        self.ends = self._incidence(self._at_ends(traffic))

    def _incidence(self, entries: Iterator[tuple[int, Lane, float]]) -> Incidence:
        known = [(unknown, self.numbers.setdefault(lane, len(self.numbers)), part)
                 for unknown, lane, part in entries]  # fmt: skip
        unknowns, lanes, parts = zip(*known, strict=True) if known else ((), (), ())
        return Incidence(np.array(unknowns, np.int64), np.array(lanes, np.int64), np.array(parts, np.float64))

    @staticmethod
    def _first(traffic: TrafficFlows, pair: TrafficPair) -> int:
        beyond = traffic.failures.intact[pair.out].beyond.segments
        return beyond[0].links[0] if beyond else 0

    def _delivered(self, traffic: TrafficFlows) -> Iterator[bool]:
        for pair in traffic.pairs:
            yield pair.end is None or traffic.failures.intact[pair.out].beyond.delivered

    def _on_paths(self, traffic: TrafficFlows) -> Iterator[tuple[int, Lane, float]]:
        """Without the links between the nodes and their gateways, which all pairs share."""
        for number, pair in enumerate(traffic.pairs):
            near = {link for step in traffic.failures.flows[pair.source].steps for link in step.segment.links}
            for is_back in (False, True):
                trails = traffic.trails(pair, is_back)
                is_reversed = is_back and not pair.back
                for link, direction in (lane for path in chain(*trails) for lane in self._lanes(path)):
                    if link not in near:
                        yield 2 * number + is_back, (link, direction ^ is_reversed), 1 / len(trails)

    def _at_ends(self, traffic: TrafficFlows) -> Iterator[tuple[int, Lane, float]]:
        """Links of hosts that are one destination: together they carry at least its traffic."""
        for number, pair in enumerate(traffic.pairs):
            if pair.end is None or len(pair.end.hosts) < 2:
                continue
            for lane in traffic.host_lanes(pair.end):
                yield 2 * number + 1, lane, 1.0
                yield 2 * number, (lane[0], lane[1] ^ 1), 1.0

    def _lanes(self, path: ForwardingPath) -> Iterator[Lane]:
        for hop, link in zip(path.hops, path.links, strict=False):
            yield link, int(self._topology.ends(self._topology.links[link])[0] != hop)


@dataclass(frozen=True)
class TrafficMatrix:
    """The demand by destination."""

    burdens: tuple[Burden, ...]
    """By flow of `TrafficFlows.failures`."""
    unknown: Mapping[int, TrafficEnd]
    """Flow -> its destination, of which no load is known although nodes may send to it."""

    @cached_property
    def totals(self) -> list[float]:
        """Bit/s of each flow, both directions."""
        return [sum(burden.out) + sum(burden.back) for burden in self.burdens]


def divide(
    traffic: TrafficFlows,
    lanes: TrafficLanes,
    demand: Mapping[int, tuple[int, int]],
    measured: MeasuredLoad,
) -> TrafficMatrix:
    """`demand`: node -> bit/s out, in, of the nodes at one end: those of `measured` that count."""
    flows = traffic.failures.flows
    rows = np.zeros(2 * len(flows))
    for node, (at, _) in traffic.widest.items():
        out, back = demand.get(node, (0, 0))
        rows[2 * at] += out
        rows[2 * at + 1] += back
    loads = np.array([_load(measured.links, lane) for lane in lanes.numbers], np.float64)
    weight, is_known = _gravity(lanes, rows, loads)
    bps = _fitted(lanes, _estimated(traffic, lanes, weight, measured), rows, loads)
    burdens = tuple(Burden([0.0] * len(flow.members), [0.0] * len(flow.members)) for flow in flows)
    shares = np.divide(bps, rows[lanes.row], out=np.zeros_like(bps), where=rows[lanes.row] > 0).tolist()
    by_source: dict[int, list[tuple[TrafficPair, float, float]]] = {}
    for number, pair in enumerate(traffic.pairs):
        shares_of = (pair, shares[2 * number], shares[2 * number + 1])
        by_source.setdefault(pair.source, []).append(shares_of)
    for node, (at, place) in traffic.widest.items():
        for pair, out_share, back_share in by_source.get(at, ()):
            out, back = demand.get(node, (0, 0))
            _burden(burdens, pair, node, place, (out * out_share, back * back_share))
    unknown = {
        pair.out: pair.end
        for number, pair in enumerate(traffic.pairs)
        if pair.end is not None
        and lanes.is_delivered[2 * number]
        and not (is_known[2 * number] and is_known[2 * number + 1])
    }
    return TrafficMatrix(burdens, unknown)


def _load(measured: Mapping[int, tuple[int | None, int | None]], lane: Lane) -> float:
    bps = measured.get(lane[0], (None, None))[lane[1]]
    return np.nan if bps is None else float(bps)


def _burden(
    burdens: tuple[Burden, ...], pair: TrafficPair, node: int, place: int, bps: tuple[float, float]
) -> None:
    out, back = bps
    burdens[pair.out].out[place] += out
    if not pair.back:
        burdens[pair.out].back[place] += back
        return
    for other in pair.back:
        burden, part = burdens[other], back / len(pair.back)
        if pair.end is None or part:
            burden.answers[node] = burden.answers.get(node, 0.0) + part
        for at in range(len(burden.out)):
            burden.out[at] += part / len(burden.out)


def _estimated(traffic: TrafficFlows, lanes: TrafficLanes, weight: Floats, measured: MeasuredLoad) -> Floats:
    """Weights of flows whose nodes all have an estimate of their demand by link: it is divided over the
    destinations behind each link in proportion to the weights.
    """
    sums: dict[tuple[int, int], float] = {}
    lacking = set()
    for node, (at, _) in traffic.widest.items():
        if node not in measured.by_link:
            lacking.add(at)
        for link, both in measured.by_link.get(node, {}).items():
            for direction, bps in enumerate(both):
                key = 2 * at + direction, link
                sums[key] = sums.get(key, 0.0) + bps
    behind: dict[tuple[int, int], list[int]] = {}
    for unknown, (row, link) in enumerate(zip(lanes.row.tolist(), lanes.first, strict=True)):
        if row // 2 not in lacking:
            behind.setdefault((row, link), []).append(unknown)
    found = weight.copy()
    for key, unknowns in behind.items():
        total = weight[unknowns].sum()
        even = weight[unknowns] / total if total > 0 else 1 / len(unknowns)
        found[unknowns] = even * sums.get(key, 0.0)
    return found


def _fitted(lanes: TrafficLanes, weight: Floats, rows: Floats, loads: Floats) -> Floats:
    """Bit/s by unknown."""
    bps = _normalised(weight, lanes, rows)
    entries = lanes.paths
    has_load = ~np.isnan(loads[entries.lane])
    unknown, lane = entries.unknown[has_load], entries.lane[has_load]
    part = entries.part[has_load]
    measured = np.nan_to_num(loads)
    total = np.bincount(unknown, part, len(bps)).astype(np.float64)
    for _ in range(_ROUNDS):
        sums = np.bincount(lane, part * bps[unknown], len(loads)).astype(np.float64)
        ratio = np.divide(measured, sums, out=np.ones_like(sums), where=sums > 0)
        scale = np.bincount(unknown, part * ratio[lane], len(bps))
        before = bps
        bps = _normalised(bps * np.divide(scale, total, out=np.ones_like(bps), where=total > 0), lanes, rows)
        if np.abs(bps - before).max(initial=0.0) < _LEAST:
            break
    return bps


def _gravity(
    lanes: TrafficLanes, rows: Floats, loads: Floats
) -> tuple[Floats, np.ndarray[Any, np.dtype[np.bool_]]]:
    """First weights. A destination has that of its narrowest load; a flow's own one, if unknown, the rest."""
    size = len(lanes.row)
    least = np.full(size, np.inf)
    of_path = np.where(np.isnan(loads), np.inf, loads)[lanes.paths.lane]
    np.minimum.at(least, lanes.paths.unknown, of_path)
    has_path = np.bincount(lanes.paths.unknown, minlength=size) > 0
    together = np.bincount(lanes.ends.unknown, loads[lanes.ends.lane], size)
    has_hosts = np.bincount(lanes.ends.unknown, minlength=size) > 0
    least = np.fmin(least, np.where(has_hosts, together, np.inf))
    is_known = np.isfinite(least) | ~has_path
    weight = np.where(np.isfinite(least) & lanes.is_delivered, least, 0.0)
    others = np.bincount(lanes.row, np.where(lanes.is_own, 0.0, weight), len(rows))
    out, back = rows[::2].sum(), rows[1::2].sum()
    whole = np.where(lanes.row % 2, back, out)
    rest = np.maximum(whole - others[lanes.row], 0.0)
    return np.where(lanes.is_own & ~np.isfinite(least), rest, weight), is_known


def _normalised(bps: Floats, lanes: TrafficLanes, rows: Floats) -> Floats:
    """With the demand of each flow's nodes as the sum; without any weight, all is for its own destination."""
    sums = np.bincount(lanes.row, bps, len(rows))
    bps = np.where((sums[lanes.row] <= 0) & lanes.is_own, 1.0, bps)
    sums = np.bincount(lanes.row, bps, len(rows))[lanes.row]
    return bps * np.divide(rows[lanes.row], sums, out=np.zeros_like(bps), where=sums > 0)
