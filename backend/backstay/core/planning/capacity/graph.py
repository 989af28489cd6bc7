"""The input of a capacity analysis: links between vertices, demand between attachments, and failures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int32]
Rates = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Adjacency(NamedTuple):
    """Lanes of a graph as arrays. A lane is one direction of a link: twice its index for a to b, plus one
    for b to a; the other direction is `lane ^ 1`.
    """

    start: Indices
    """Vertex -> its first entry in `leaving`; one more entry than there are vertices."""
    leaving: Indices
    """Lanes by the vertex that they leave, then by lane."""
    tail: Indices
    head: Indices
    """Lane -> the vertex that it leaves, and the one that it leads to."""


@dataclass(frozen=True)
class CapacityGraph:
    """Vertices 0 to `size - 1` and the links between them; parallel links are allowed."""

    size: int
    ends: Indices
    """Two vertices a link: shape (links, 2)."""
    usable: Rates
    """Usable rate of each link from a to b and back, bit/s; NaN: unknown. Shape (links, 2)."""

    def __post_init__(self) -> None:
        """Raises ValueError for a link to an unknown vertex or itself, and for a negative rate."""
        if self.ends.ndim != 2 or self.ends.shape[1] != 2 or self.usable.shape != self.ends.shape:
            raise ValueError("expected two vertices and two rates for each link")
        if self.ends.size and not (self.ends.min() >= 0 and self.ends.max() < self.size):
            raise ValueError(f"a link ends outside the {self.size} vertices")
        if (self.ends[:, 0] == self.ends[:, 1]).any():
            raise ValueError("a link joins a vertex with itself")
        if (self.usable < 0).any():
            raise ValueError("a usable rate is negative")

    @classmethod
    def of(cls, size: int, links: Iterable[tuple[int, int, float | None, float | None]]) -> CapacityGraph:
        """From (a, b, bit/s from a to b, bit/s back); None: unknown."""
        rows = list(links)
        ends = np.array([row[:2] for row in rows], np.int32).reshape(-1, 2)
        rates = [[np.nan if rate is None else rate for rate in row[2:]] for row in rows]
        return cls(size, ends, np.array(rates, np.float64).reshape(-1, 2))

    @cached_property
    def adjacency(self) -> Adjacency:
        """Lanes by vertex."""
        tail = np.ascontiguousarray(self.ends.ravel())
        head = np.ascontiguousarray(self.ends[:, ::-1].ravel())
        counts = np.bincount(tail, minlength=self.size)
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        return Adjacency(start, np.argsort(tail, kind="stable").astype(np.int32), tail, head)

    @cached_property
    def lane_rates(self) -> Rates:
        """Usable rate by lane, bit/s; NaN: unknown."""
        return np.ascontiguousarray(self.usable.ravel())


@dataclass(frozen=True)
class Demand:
    """Traffic between attachment vertices; the demand of hosts is that of the switch that they are at."""

    sources: Indices
    destinations: Indices
    bps: Rates
    """All of one length; several entries of one pair add up."""

    def __post_init__(self) -> None:
        """Raises ValueError for arrays of different lengths, negative or unknown demand, and demand of a
        vertex to itself.
        """
        if not self.sources.shape == self.destinations.shape == self.bps.shape:
            raise ValueError("expected one source, one destination and one rate for each demand")
        if not (np.isfinite(self.bps) & (self.bps >= 0)).all():
            raise ValueError("a demand is negative or not a number")
        if (self.sources == self.destinations).any():
            raise ValueError("a demand leads from a vertex to itself")

    @classmethod
    def of(cls, demand: Iterable[tuple[int, int, float]]) -> Demand:
        """From (source, destination, bit/s)."""
        rows = list(demand)
        pairs = np.array([row[:2] for row in rows], np.int32).reshape(-1, 2)
        return cls(pairs[:, 0].copy(), pairs[:, 1].copy(), np.array([row[2] for row in rows], np.float64))


@dataclass(frozen=True, slots=True)
class FailureSet:
    """Vertices and links that fail together: one element, a pair, or a shared-risk group."""

    vertices: tuple[int, ...] = ()
    links: tuple[int, ...] = ()

    def lanes(self, graph: CapacityGraph) -> Indices:
        """Every lane that is down, ascending: those of the links, and all lanes at the vertices.

        Raises ValueError for an element that the graph does not have.
        """
        if self.vertices and not (min(self.vertices) >= 0 and max(self.vertices) < graph.size):
            raise ValueError(f"no such vertex among {self.vertices}")
        if self.links and not (min(self.links) >= 0 and max(self.links) < len(graph.ends)):
            raise ValueError(f"no such link among {self.links}")
        start, leaving = graph.adjacency.start, graph.adjacency.leaving
        found = set(self.links)
        for vertex in self.vertices:
            found.update((leaving[start[vertex] : start[vertex + 1]] >> 1).tolist())
        return np.array([lane for link in sorted(found) for lane in (2 * link, 2 * link + 1)], np.int32)

    def __or__(self, other: FailureSet) -> FailureSet:
        """Both at once."""
        vertices = {*self.vertices, *other.vertices}
        return FailureSet(tuple(sorted(vertices)), tuple(sorted({*self.links, *other.links})))


def single_failures(graph: CapacityGraph, vertices: Iterable[int]) -> Iterator[FailureSet]:
    """Every link, then each of these vertices (switches, gateways)."""
    yield from (FailureSet(links=(link,)) for link in range(len(graph.ends)))
    yield from (FailureSet(vertices=(vertex,)) for vertex in vertices)


def pairs(failures: Sequence[FailureSet]) -> Iterator[FailureSet]:
    """Every two of these at once."""
    return (one | other for one, other in combinations(failures, 2))
