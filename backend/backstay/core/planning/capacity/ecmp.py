"""Equal-cost multipath forwarding without a failure: each vertex sends to all next hops on shortest paths
(fewest links) to a destination, in equal parts; of parallel links, each is a next hop.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backstay.core.planning.capacity.compilation import compiled
from backstay.core.planning.capacity.graph import Adjacency, CapacityGraph, Demand, Flags, Indices, Rates

UNREACHABLE = 1 << 30
"""Distance of a vertex without a path."""


class Forwarding(NamedTuple):
    """Forwarding per destination; the first axis is the destination's index in `targets`."""

    targets: Indices
    demand: Rates
    """From each vertex, bit/s: shape (targets, vertices)."""
    distance: Indices
    """Links to the destination: shape (targets, vertices)."""
    flow: Rates
    """What each vertex sends and passes on, bit/s: shape (targets, vertices)."""
    first: NDArray[np.int64]
    """First entry of each vertex in `next_hops`: shape (targets, vertices + 1)."""
    next_hops: Indices
    """Lanes on shortest paths, by destination and vertex."""
    load: Rates
    """Of each lane, bit/s."""


def forwarding(graph: CapacityGraph, demand: Demand, down: Indices | None = None) -> Forwarding:
    """Forwarding and loads of the graph without the lanes `down`, computed from the beginning.

    Demand without a path is in `cut_off`, not in the loads. Memory: 21 octets a destination and vertex, and 4
    for each next hop.
    """
    targets, at = np.unique(demand.destinations, return_inverse=True)
    wanted = np.zeros((len(targets), graph.size))
    np.add.at(wanted, (at, demand.sources), demand.bps)
    dead = np.zeros(2 * len(graph.ends), np.bool_)
    if down is not None:
        dead[down] = True
    distance = np.full(wanted.shape, UNREACHABLE, np.int32)
    order = np.zeros(wanted.shape, np.int32)
    first = np.zeros((len(targets), graph.size + 1), np.int64)
    _measure(graph.adjacency, targets.astype(np.int32), dead, distance, order, first)
    next_hops = np.zeros(int(first[-1, -1]) if len(targets) else 0, np.int32)
    flow, load = wanted.copy(), np.zeros(len(dead))
    _send(graph.adjacency, dead, distance, order, first, next_hops, flow, load)
    return Forwarding(targets.astype(np.int32), wanted, distance, flow, first, next_hops, load)


def cut_off(state: Forwarding) -> Rates:
    """Demand without a path by its source, bit/s."""
    lost: Rates = np.where(state.distance == UNREACHABLE, state.demand, 0.0).sum(axis=0)
    return lost


@compiled
def _measure(
    lanes: Adjacency,
    targets: Indices,
    dead: Flags,
    distance: Indices,
    order: Indices,
    first: NDArray[np.int64],
) -> None:
    """Breadth-first search from each destination: distances, vertices by distance, and next hops counted."""
    entries = 0
    for k in range(targets.size):
        here, queue = distance[k], order[k]
        queue[:] = -1
        queue[0] = targets[k]
        here[targets[k]] = 0
        known, done = 1, 0
        while done < known:
            vertex = queue[done]
            done += 1
            for at in range(lanes.start[vertex], lanes.start[vertex + 1]):
                lane = lanes.leaving[at]
                before = lanes.head[lane]
                if not dead[lane ^ 1] and here[before] == UNREACHABLE:
                    here[before] = here[vertex] + 1
                    queue[known] = before
                    known += 1
        for vertex in range(here.size):
            first[k, vertex] = entries
            entries += _next_hops(lanes, dead, here, vertex)
        first[k, here.size] = entries


@compiled
def _next_hops(lanes: Adjacency, dead: Flags, distance: Indices, vertex: int) -> int:
    """Number of lanes from a vertex that are on a shortest path."""
    found = 0
    for at in range(lanes.start[vertex], lanes.start[vertex + 1]):
        lane = lanes.leaving[at]
        if not dead[lane] and distance[vertex] == distance[lanes.head[lane]] + 1:
            found += 1
    return found


@compiled
def _send(
    lanes: Adjacency,
    dead: Flags,
    distance: Indices,
    order: Indices,
    first: NDArray[np.int64],
    next_hops: Indices,
    flow: Rates,
    load: Rates,
) -> None:
    """Send each destination's demand, the most distant vertices first, and note the next hops."""
    for k in range(distance.shape[0]):
        here = distance[k]
        for vertex in range(here.size):
            entry = first[k, vertex]
            for at in range(lanes.start[vertex], lanes.start[vertex + 1]):
                lane = lanes.leaving[at]
                if not dead[lane] and here[vertex] == here[lanes.head[lane]] + 1:
                    next_hops[entry] = lane
                    entry += 1
        for place in range(here.size - 1, 0, -1):
            vertex = order[k, place]
            if vertex < 0 or flow[k, vertex] == 0.0:
                continue
            many = first[k, vertex + 1] - first[k, vertex]
            share = flow[k, vertex] / many
            for entry in range(first[k, vertex], first[k, vertex + 1]):
                load[next_hops[entry]] += share
                flow[k, lanes.head[next_hops[entry]]] += share
