"""Every given failure of a fabric: loads, worst utilisation, demand that is cut off, lost redundancy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal

import numpy as np

from backstay.core.planning.capacity.compilation import compiled
from backstay.core.planning.capacity.ecmp import Forwarding, cut_off, forwarding
from backstay.core.planning.capacity.graph import CapacityGraph, Demand, FailureSet, Flags, Indices, Rates
from backstay.core.planning.capacity.redundancy import components, peers, redundancy
from backstay.core.planning.capacity.rerouting import BATCH, reroute, workspace

Verdict = Literal["holds", "exceeded", "cut_off", "unknown"]
_ROUNDING = 1e-9
"""Part of a load by which results may differ without a meaning."""
_ZERO = 1e-11
"""Part of the former load below which the rest of a load that moved away is rounding."""


@dataclass(frozen=True, slots=True)
class CapacityImpact:
    """One failure, or none. A lane is one direction of a link: twice the link's index, plus one for back."""

    failure: FailureSet
    lanes: Indices
    """Lanes whose load differs from that without a failure, ascending; without a failure, all with a load."""
    bps: Rates
    """Their loads, bit/s; 0 for a failed lane."""
    utilisation: Rates
    """Their loads against their usable rates; NaN: unknown."""
    worst: float | None
    """Highest known utilisation of all lanes that are up; None: no lane has a known rate."""
    worst_lane: int | None
    exceeded: int
    """Lanes above their usable rate."""
    unknown: int
    """Lanes that carry load and whose usable rate is not known."""
    cut_off_bps: float
    """Demand without a path, bit/s, including demand from and to failed vertices."""
    cut_off: Indices
    """Sources of this demand, ascending."""
    part: Indices
    """Vertex -> connected part that is left, by its first vertex; a failed vertex is a part of its own."""
    single_path: Indices
    """Attachments that have lost their redundancy: two disjoint paths led to some peer, and now one path at
    most leads to each."""

    @property
    def verdict(self) -> Verdict:
        """Whether the fabric holds. A load on a link of unknown rate is never said to hold."""
        if self.exceeded:
            return "exceeded"
        if self.cut_off_bps > 0:
            return "cut_off"
        return "unknown" if self.unknown else "holds"


class CapacityStudy:
    """One graph and demand; computes the forwarding without a failure once."""

    def __init__(self, graph: CapacityGraph, demand: Demand) -> None:
        """Raises ValueError for demand of a vertex that the graph does not have."""
        ends = np.concatenate([demand.sources, demand.destinations])
        if ends.size and not (ends.min() >= 0 and ends.max() < graph.size):
            raise ValueError(f"a demand ends outside the {graph.size} vertices")
        self.graph = graph
        self.intact: Forwarding = forwarding(graph, demand)
        self._lost = cut_off(self.intact)
        self._work = workspace(graph)
        self._pairs = peers(demand)
        self._attachments = np.unique(self._pairs)
        self._components = components(graph)
        self._redundant = redundancy(
            graph.adjacency, self._work.dead, self._pairs, self._attachments, self._components
        ).is_redundant
        self._load = np.empty_like(self.intact.load)
        self._changed = np.empty(self.intact.load.shape, np.bool_)

    def impact(self, failure: FailureSet) -> CapacityImpact:
        """Of one failure; raises ValueError for an element that the graph does not have."""
        return next(self._batch((failure,)))

    def impacts(self, failures: Iterable[FailureSet]) -> Iterator[CapacityImpact]:
        """The intact fabric first, then every failure in order."""
        waiting = chain([FailureSet()], failures)
        while batch := tuple(islice(waiting, BATCH)):
            yield from self._batch(batch)

    def _batch(self, failures: Sequence[FailureSet]) -> Iterator[CapacityImpact]:
        lanes, work = [failure.lanes(self.graph) for failure in failures], self._work
        last = np.cumsum([0, *map(len, lanes)]).astype(np.int32)
        reroute(self.graph.adjacency, self.intact, np.concatenate(lanes), last, work)
        difference, cut = work.difference[: len(lanes)].copy(), work.cut[: len(lanes)].copy()
        for n, failure in enumerate(failures):
            work.dead[lanes[n]] = True
            left = redundancy(
                self.graph.adjacency, work.dead, self._pairs, self._attachments, self._components
            )
            single_path = self._redundant & left.is_connected & ~left.is_redundant
            found = self._impact(failure, difference[n], cut[n], single_path)
            work.dead[lanes[n]] = False
            yield found

    def _impact(
        self, failure: FailureSet, difference: Rates, cut: Rates, single_path: Flags
    ) -> CapacityImpact:
        work, usable = self._work, self.graph.lane_rates
        is_intact = not (failure.links or failure.vertices)
        worst, at, exceeded, unknown = _compare(
            self.intact.load, difference, work.dead, usable, is_intact, self._load, self._changed
        )
        lanes = np.flatnonzero(self._changed).astype(np.int32)
        bps, lost = self._load[lanes], self._lost + cut
        return CapacityImpact(
            failure=failure,
            lanes=lanes,
            bps=bps,
            utilisation=_utilisation(bps, usable[lanes]),
            worst=worst if at >= 0 else None,
            worst_lane=at if at >= 0 else None,
            exceeded=exceeded,
            unknown=unknown,
            cut_off_bps=float(lost.sum()),
            cut_off=np.flatnonzero(lost).astype(np.int32),
            part=self._components.part[: self.graph.size].copy(),
            single_path=np.flatnonzero(single_path).astype(np.int32),
        )


def _utilisation(bps: Rates, usable: Rates) -> Rates:
    """0 for a lane without load whose rate is known to be 0."""
    found = np.where(np.isnan(usable), np.nan, np.where(bps > 0, np.inf, 0.0))
    np.divide(bps, usable, out=found, where=usable > 0)
    return found


@compiled
def _compare(
    before: Rates,
    difference: Rates,
    dead: Flags,
    usable: Rates,
    is_intact: bool,
    load: Rates,
    changed: Flags,
) -> tuple[float, int, int, int]:
    """Fill `load` and `changed`; returns the worst utilisation and its lane, and how many lanes are exceeded
    and unknown.
    """
    worst, at, exceeded, unknown = -1.0, -1, 0, 0
    for lane in range(before.size):
        bps = before[lane] + difference[lane]
        if dead[lane] or bps <= _ZERO * before[lane]:
            bps = 0.0
        load[lane] = bps
        changed[lane] = bps > 0 if is_intact else abs(bps - before[lane]) > _ROUNDING * before[lane]
        if dead[lane]:
            continue
        if np.isnan(usable[lane]):
            unknown += bps > 0
            continue
        used = bps / usable[lane] if usable[lane] > 0 else (np.inf if bps > 0 else 0.0)
        exceeded += used > 1 + _ROUNDING
        if used > worst:
            worst, at = used, lane
    return worst, at, exceeded, unknown
