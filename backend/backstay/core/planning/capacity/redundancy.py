"""Redundancy of attachments: pairs with two paths that share neither a link nor a vertex in between.

Two vertices have such paths exactly if a biconnected component with more than one link holds both. One
depth-first search (Hopcroft and Tarjan, 1973) finds all components in time linear in the links.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backstay.core.planning.capacity.compilation import compiled
from backstay.core.planning.capacity.graph import Adjacency, CapacityGraph, Demand, Flags, Indices

_SEVERAL = -2
"""`home` of a vertex in several components."""


class Components(NamedTuple):
    """Components of a graph, and the arrays that the search uses."""

    part: Indices
    """Vertex -> connected part, by its first vertex."""
    block: Indices
    """Link -> biconnected component; -1: a bridge, or down."""
    home: Indices
    """Vertex -> its only component with two paths; -1: none; -2: several."""
    number: Indices
    low: Indices
    entry: Indices
    parent: Indices
    stack: Indices
    """Vertices of the search."""
    links: Indices
    """Links of components that are not complete."""


class Redundancy(NamedTuple):
    """Of the attachments that have demand with each other, by vertex."""

    is_redundant: Flags
    """Whether two disjoint paths lead to at least one peer."""
    is_connected: Flags
    """Whether a path leads to at least one peer."""


def components(graph: CapacityGraph) -> Components:
    """Arrays for a graph."""
    size, links = graph.size, len(graph.ends)
    vertices = [np.zeros(size + 1, np.int32) for _ in range(7)]
    part, home, number, low, entry, parent, stack = vertices
    block, pending = np.zeros(links, np.int32), np.zeros(links + 1, np.int32)
    return Components(part, block, home, number, low, entry, parent, stack, pending)


def peers(demand: Demand) -> Indices:
    """Pairs of attachments with demand, each once: shape (pairs, 2)."""
    both = np.sort(np.stack([demand.sources, demand.destinations], axis=1), axis=1)
    found: Indices = np.unique(both, axis=0).astype(np.int32)
    return found


@compiled
def redundancy(
    lanes: Adjacency, dead: Flags, pairs: Indices, attachments: Indices, found: Components
) -> Redundancy:
    """Redundancy of each vertex in `pairs`, which are `attachments`, without the lanes `dead`."""
    _search(lanes, dead, found)
    _find_homes(lanes, found)
    size = lanes.start.size - 1
    is_redundant, is_connected = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    if _have_one_home(attachments, found.home):
        is_redundant[attachments] = is_connected[attachments] = True
        return Redundancy(is_redundant, is_connected)
    for place in range(pairs.shape[0]):
        one, other = pairs[place, 0], pairs[place, 1]
        if found.part[one] != found.part[other]:
            continue
        is_connected[one] = is_connected[other] = True
        if is_redundant[one] and is_redundant[other]:
            continue
        if _share_component(lanes, one, other, found):
            is_redundant[one] = is_redundant[other] = True
    return Redundancy(is_redundant, is_connected)


@compiled
def _have_one_home(attachments: Indices, home: Indices) -> bool:
    """Whether one component holds all attachments: then no pair needs a look."""
    homes = home[attachments]
    return bool(homes.size > 0 and homes[0] >= 0 and (homes == homes[0]).all())


@compiled
def _share_component(lanes: Adjacency, one: int, other: int, found: Components) -> bool:
    if found.home[one] != _SEVERAL and found.home[other] != _SEVERAL:
        return bool(found.home[one] >= 0 and found.home[one] == found.home[other])
    for at in range(lanes.start[one], lanes.start[one + 1]):
        block = found.block[lanes.leaving[at] >> 1]
        for there in range(lanes.start[other], lanes.start[other + 1]):
            if block >= 0 and block == found.block[lanes.leaving[there] >> 1]:
                return True
    return False


@compiled
def _find_homes(lanes: Adjacency, found: Components) -> None:
    for vertex in range(lanes.start.size - 1):
        found.home[vertex] = -1
        for at in range(lanes.start[vertex], lanes.start[vertex + 1]):
            block = found.block[lanes.leaving[at] >> 1]
            if block >= 0 and block != found.home[vertex]:
                found.home[vertex] = block if found.home[vertex] == -1 else _SEVERAL
            if found.home[vertex] == _SEVERAL:
                break


@compiled
def _search(lanes: Adjacency, dead: Flags, found: Components) -> None:
    found.number[:] = -1
    found.block[:] = -1
    blocks = 0
    clock = 0
    for root in range(lanes.start.size - 1):
        if found.number[root] == -1:
            clock, blocks = _search_from(lanes, dead, root, clock, blocks, found)


@compiled
def _search_from(
    lanes: Adjacency, dead: Flags, root: int, clock: int, blocks: int, found: Components
) -> tuple[int, int]:
    """Depth-first search of one connected part; returns the next number and component."""
    depth, waiting = 1, 0
    found.stack[0], found.parent[root], found.entry[root] = root, -1, lanes.start[root]
    found.number[root] = found.low[root] = clock
    found.part[root] = root
    clock += 1
    while depth:
        vertex = found.stack[depth - 1]
        at = found.entry[vertex]
        if at == lanes.start[vertex + 1]:
            depth -= 1
            if depth:
                waiting, blocks = _leave(lanes, vertex, found.stack[depth - 1], waiting, blocks, found)
            continue
        found.entry[vertex] += 1
        lane = lanes.leaving[at]
        there = lanes.head[lane]
        if dead[lane] or lane >> 1 == found.parent[vertex]:
            continue
        if found.number[there] == -1:
            found.links[waiting] = lane >> 1
            waiting += 1
            found.stack[depth], found.parent[there] = there, lane >> 1
            found.entry[there], found.part[there] = lanes.start[there], root
            found.number[there] = found.low[there] = clock
            clock += 1
            depth += 1
        elif found.number[there] < found.number[vertex]:
            found.links[waiting] = lane >> 1
            waiting += 1
            found.low[vertex] = min(found.low[vertex], found.number[there])
    return clock, blocks


@compiled
def _leave(
    lanes: Adjacency, vertex: int, above: int, waiting: int, blocks: int, found: Components
) -> tuple[int, int]:
    """Go back from a vertex to the one above; complete a component if nothing below leads higher."""
    found.low[above] = min(found.low[above], found.low[vertex])
    if found.low[vertex] < found.number[above]:
        return waiting, blocks
    top = waiting
    while True:
        waiting -= 1
        if found.links[waiting] == found.parent[vertex]:
            break
    if top - waiting > 1:
        for place in range(waiting, top):
            found.block[found.links[place]] = blocks
        blocks += 1
    return waiting, blocks
