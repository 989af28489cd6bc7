"""Change of all loads by a failure, from what changes alone: lost next hops, longer paths, and the flows that
move because of them. Equal to a full computation up to rounding.

A vertex that keeps its distance to a destination can only lose next hops: distances never fall in a failure.
So per destination three steps are enough. First, the vertices that lose a next hop, and those that lose all
and move away. Second, the new distances of the latter. Third, differences of flow, the most distant first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backstay.core.planning.capacity.compilation import compiled, inlined
from backstay.core.planning.capacity.ecmp import UNREACHABLE, Forwarding
from backstay.core.planning.capacity.graph import Adjacency, CapacityGraph, Flags, Indices, Rates

_SAME = 1e-15
"""A difference below this part of the largest flow that moves is rounding, and ends there."""
BATCH = 8
"""Failures of one call, at most: their differences fit a processor's second cache."""
_LAST = -2
"""`Workspace.after` of the last pending vertex of a distance."""


class Workspace(NamedTuple):
    """Arrays that every failure uses and leaves as they were."""

    dead: Flags
    """By lane."""
    lost: Indices
    """Vertex -> next hops that it has lost."""
    moved: Indices
    """Vertex -> its new distance; -1: unchanged."""
    extra: Rates
    """Vertex -> what it receives more than before, bit/s."""
    bucket: Indices
    """Distance -> first pending vertex; -1: none."""
    after: Indices
    """Vertex -> next pending vertex of its distance."""
    seen: Flags
    """By vertex: whether it is in `touched`."""
    touched: Indices
    losing: Indices
    """Vertices that lose a next hop; `displaced`: those that lose all."""
    displaced: Indices
    queue: Indices
    difference: Rates
    """By failure and lane: more load than before, bit/s."""
    cut: Rates
    """By failure and source: demand that has lost its path, bit/s."""
    counts: Indices
    """Entries of `touched`, `losing` and `displaced`."""


def workspace(graph: CapacityGraph) -> Workspace:
    """Fresh arrays for a graph."""
    size, lanes = graph.size, 2 * len(graph.ends)

    def vertices(value: int = 0) -> Indices:
        return np.full(size + 1, value, np.int32)

    return Workspace(
        dead=np.zeros(lanes, np.bool_),
        lost=vertices(),
        moved=vertices(-1),
        extra=np.zeros(size),
        bucket=vertices(-1),
        after=vertices(-1),
        seen=np.zeros(size, np.bool_),
        touched=vertices(),
        losing=vertices(),
        displaced=vertices(),
        queue=vertices(),
        difference=np.zeros((BATCH, lanes)),
        cut=np.zeros((BATCH, size)),
        counts=np.zeros(3, np.int32),
    )


@compiled
def reroute(lanes: Adjacency, state: Forwarding, down: Indices, last: Indices, work: Workspace) -> None:
    """Fill `difference` and `cut` for several failures: number n of the lanes `down[last[n]:last[n + 1]]`.

    Destinations are the outer loop: what is known of one stays in the processor's cache for all failures.
    """
    distances, firsts, flows, demands = state.distance, state.first, state.flow, state.demand
    next_hops, counts, dead, many = state.next_hops, work.counts, work.dead, last.size - 1
    work.difference[:many] = 0.0
    work.cut[:many] = 0.0
    for k in range(state.targets.size):
        distance, first = distances[k], firsts[k]
        for n in range(many):
            failed = down[last[n] : last[n + 1]]
            counts[:] = 0
            _lose(lanes, distance, first, failed, work)
            if counts[1] == 0:
                continue
            for lane in failed:
                dead[lane] = True
            if counts[2] > 0:
                _displace(lanes, distance, first, work)
                _measure_again(lanes, distance, work)
            least = _withdraw(lanes.head, distance, first, next_hops, flows[k], demands[k], n, work)
            _spread(lanes, distance, first, next_hops, flows[k], n, least, work)
            _reset(work)
            for lane in failed:
                dead[lane] = False


# Fields of a named tuple are read before each loop: within one, each access counts references of the array.


@inlined
def _lose_one(
    vertex: int,
    first: NDArray[np.int64],
    lost: Indices,
    moved: Indices,
    seen: Flags,
    touched: Indices,
    losing: Indices,
    displaced: Indices,
    counts: Indices,
) -> None:
    """The vertex has one next hop less."""
    if lost[vertex] == 0:
        seen[vertex] = True
        touched[counts[0]] = vertex
        losing[counts[1]] = vertex
        counts[0] += 1
        counts[1] += 1
    lost[vertex] += 1
    if lost[vertex] == first[vertex + 1] - first[vertex]:
        moved[vertex] = UNREACHABLE
        displaced[counts[2]] = vertex
        counts[2] += 1


@inlined
def _lose(
    lanes: Adjacency, distance: Indices, first: NDArray[np.int64], down: Indices, work: Workspace
) -> None:
    """Next hops that fail themselves."""
    tail, head, lost, moved, counts = lanes.tail, lanes.head, work.lost, work.moved, work.counts
    seen, touched, losing, displaced = work.seen, work.touched, work.losing, work.displaced
    for lane in down:
        if distance[tail[lane]] == distance[head[lane]] + 1:
            _lose_one(tail[lane], first, lost, moved, seen, touched, losing, displaced, counts)


@compiled
def _displace(lanes: Adjacency, distance: Indices, first: NDArray[np.int64], work: Workspace) -> None:
    """Next hops that have moved away because all of theirs did."""
    start, leaving, head, dead = lanes.start, lanes.leaving, lanes.head, work.dead
    lost, moved, displaced, counts = work.lost, work.moved, work.displaced, work.counts
    seen, touched, losing = work.seen, work.touched, work.losing
    done = 0
    while done < counts[2]:
        vertex = displaced[done]
        done += 1
        for at in range(start[vertex], start[vertex + 1]):
            lane = leaving[at]
            before = head[lane]
            if distance[before] == distance[vertex] + 1 and not dead[lane ^ 1]:
                _lose_one(before, first, lost, moved, seen, touched, losing, displaced, counts)


@compiled
def _measure_again(lanes: Adjacency, distance: Indices, work: Workspace) -> None:
    """New distances of the displaced vertices: from their neighbours, then among themselves."""
    start, leaving, head, dead = lanes.start, lanes.leaving, lanes.head, work.dead
    moved, queue, is_queued = work.moved, work.queue, work.after
    size, filled, done = queue.size, work.counts[2], 0
    queue[:filled] = work.displaced[:filled]
    for place in range(filled):
        is_queued[queue[place]] = 0
    while done < filled:
        vertex = queue[done % size]
        done += 1
        is_queued[vertex] = -1
        best = moved[vertex]
        for at in range(start[vertex], start[vertex + 1]):
            there = head[leaving[at]]
            far = moved[there] if moved[there] >= 0 else distance[there]
            if far + 1 < best and not dead[leaving[at]]:
                best = far + 1
        if best == moved[vertex]:
            continue
        moved[vertex] = best
        for at in range(start[vertex], start[vertex + 1]):
            before = head[leaving[at]]
            if moved[before] > best + 1 and is_queued[before] == -1 and not dead[leaving[at] ^ 1]:
                is_queued[before] = 0
                queue[filled % size] = before
                filled += 1


@inlined
def _pend(
    vertex: int,
    distance: int,
    bucket: Indices,
    after: Indices,
    seen: Flags,
    touched: Indices,
    counts: Indices,
) -> None:
    """Remember a vertex for `_spread`, once."""
    if after[vertex] == -1:
        after[vertex] = bucket[distance] if bucket[distance] >= 0 else _LAST
        bucket[distance] = vertex
        if not seen[vertex]:
            seen[vertex] = True
            touched[counts[0]] = vertex
            counts[0] += 1


@inlined
def _withdraw(
    head: Indices,
    distance: Indices,
    first: NDArray[np.int64],
    next_hops: Indices,
    flow: Rates,
    demand: Rates,
    n: int,
    work: Workspace,
) -> float:
    """Take away the flows of every vertex that loses a next hop; count demand without a path.

    Returns the smallest difference that is not rounding.
    """
    losing, moved, extra, difference = work.losing, work.moved, work.extra, work.difference[n]
    largest = 0.0
    bucket, after, seen, touched, counts = work.bucket, work.after, work.seen, work.touched, work.counts
    for place in range(counts[1]):
        vertex = losing[place]
        if moved[vertex] >= UNREACHABLE:
            work.cut[n, vertex] += demand[vertex]
        if flow[vertex] == 0.0:
            continue
        largest = max(largest, flow[vertex])
        share = flow[vertex] / (first[vertex + 1] - first[vertex])
        for entry in range(first[vertex], first[vertex + 1]):
            there = head[next_hops[entry]]
            difference[next_hops[entry]] -= share
            extra[there] -= share
            far = moved[there] if moved[there] >= 0 else distance[there]
            if far < UNREACHABLE:
                _pend(there, far, bucket, after, seen, touched, counts)
            elif not seen[there]:
                seen[there] = True
                touched[counts[0]] = there
                counts[0] += 1
        far = moved[vertex] if moved[vertex] >= 0 else distance[vertex]
        if far < UNREACHABLE:
            _pend(vertex, far, bucket, after, seen, touched, counts)
    return _SAME * largest


@inlined
def _spread(
    lanes: Adjacency,
    distance: Indices,
    first: NDArray[np.int64],
    next_hops: Indices,
    flow: Rates,
    n: int,
    least: float,
    work: Workspace,
) -> None:
    """Send what changes, the most distant vertices first: a next hop is always nearer."""
    moved, bucket, after, touched = work.moved, work.bucket, work.after, work.touched
    has_displaced, farthest = work.counts[2] > 0, 0
    for place in range(work.counts[0]):
        vertex = touched[place]
        far = moved[vertex] if moved[vertex] >= 0 else distance[vertex]
        if far < UNREACHABLE:
            farthest = max(farthest, far)
    for level in range(farthest, 0, -1):
        _send_level(
            level, lanes.head, flow, first, next_hops, work.dead, work.lost, moved, work.extra, bucket, after,
            work.seen, touched, work.counts, work.difference[n], least,
        )  # fmt: skip
        vertex = bucket[level] if has_displaced else -1
        while vertex >= 0:
            if moved[vertex] >= 0:
                _send_by_new_hops(lanes, distance, flow[vertex], vertex, n, work)
            vertex = after[vertex]
        bucket[level] = -1
    bucket[0] = -1


@inlined
def _send_level(
    distance: int,
    head: Indices,
    flows: Rates,
    first: NDArray[np.int64],
    next_hops: Indices,
    dead: Flags,
    lost: Indices,
    moved: Indices,
    extra: Rates,
    bucket: Indices,
    after: Indices,
    seen: Flags,
    touched: Indices,
    counts: Indices,
    difference: Rates,
    least: float,
) -> None:
    """From the pending vertices whose distance is unchanged, by the next hops that they still have.

    The innermost loop of every failure. It takes arrays, not tuples of them: access by name costs ten times
    as much here.
    """
    vertex, many = bucket[distance], counts[0]
    while vertex >= 0:
        amount = extra[vertex]
        is_losing = lost[vertex] > 0
        if is_losing:
            amount = max(flows[vertex] + amount, 0.0)
        elif abs(amount) <= least:
            amount = 0.0
        if amount != 0.0 and moved[vertex] < 0:
            share = amount / (first[vertex + 1] - first[vertex] - lost[vertex])
            for entry in range(first[vertex], first[vertex + 1]):
                lane = next_hops[entry]
                there = head[lane]
                if is_losing and (dead[lane] or moved[there] >= 0):
                    continue
                difference[lane] += share
                extra[there] += share
                if after[there] == -1:
                    after[there] = bucket[distance - 1] if bucket[distance - 1] >= 0 else _LAST
                    bucket[distance - 1] = there
                    if not seen[there]:
                        seen[there] = True
                        touched[many] = there
                        many += 1
        vertex = after[vertex]
    counts[0] = many


@compiled
def _send_by_new_hops(
    lanes: Adjacency, distance: Indices, flow: float, vertex: int, n: int, work: Workspace
) -> None:
    """From a vertex that has moved away, by all lanes that lead one step nearer."""
    start, leaving, head, dead = lanes.start, lanes.leaving, lanes.head, work.dead
    moved, extra, difference, bucket, after = (
        work.moved,
        work.extra,
        work.difference[n],
        work.bucket,
        work.after,
    )
    seen, touched, counts = work.seen, work.touched, work.counts
    nearer, many = moved[vertex] - 1, 0
    amount = max(flow + extra[vertex], 0.0)
    if amount == 0.0:
        return
    for at in range(start[vertex], start[vertex + 1]):
        there = head[leaving[at]]
        far = moved[there] if moved[there] >= 0 else distance[there]
        many += far == nearer and not dead[leaving[at]]
    for at in range(start[vertex], start[vertex + 1]):
        lane = leaving[at]
        there = head[lane]
        far = moved[there] if moved[there] >= 0 else distance[there]
        if far == nearer and not dead[lane]:
            difference[lane] += amount / many
            extra[there] += amount / many
            _pend(there, nearer, bucket, after, seen, touched, counts)


@inlined
def _reset(work: Workspace) -> None:
    seen, lost, moved, extra, after = work.seen, work.lost, work.moved, work.extra, work.after
    touched = work.touched
    for place in range(work.counts[0]):
        vertex = touched[place]
        seen[vertex] = False
        lost[vertex] = 0
        moved[vertex] = -1
        extra[vertex] = 0.0
        after[vertex] = -1
