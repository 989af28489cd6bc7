"""Steps towards a goal over switches: the same as a search that visits every vertex, over random sites."""

from __future__ import annotations

import random
from collections import deque

import pytest

from backstay.core.model.search import StepsTowards
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology, Vertex

KINDS = ("switch", "switch", "switch", "host", "host", "host", "gateway", "router")
NODES, FABRIC = 14, 1


def random_site(chance: random.Random) -> Topology:
    """Nodes of every kind, often with several links between the same two, and some on a shared medium."""
    nodes = {number: Node(number, f"n{number}", chance.choice(KINDS), "") for number in range(1, NODES + 1)}
    ports: dict[int, Port] = {}
    links: dict[int, Link] = {}
    for number in chance.sample(range(1000, 1100), chance.randrange(10, 35)):
        ends = chance.sample(sorted(nodes), 2)
        for place, node in enumerate(ends):
            ident = 2 * number + place
            ports[ident] = Port(ident, node, f"p{ident}", FABRIC, False, ())
        far = None if chance.random() < 0.1 else 2 * number + 1
        links[number] = Link(number, 2 * number, far, FABRIC, "")
    fabric = Fabric(FABRIC, "lan", "ethernet", 10, 10, 1500, "on")
    return Topology("random", {FABRIC: fabric}, nodes, ports, links)


def steps_by_visiting_all(site: Topology, goal: Vertex) -> dict[Vertex, tuple[Vertex, int]]:
    steps: dict[Vertex, tuple[Vertex, int]] = {}
    queue = deque([goal])
    while queue:
        here = queue.popleft()
        if here != goal and not is_switch(site, here):
            continue
        for there, link in site.neighbours.get(here, ()):
            if there != goal and there not in steps:
                steps[there] = (here, link)
                queue.append(there)
    return steps


def is_switch(site: Topology, vertex: Vertex) -> bool:
    kind, ident = vertex
    return kind == "node" and site.nodes[ident].kind == "switch"


@pytest.mark.parametrize("seed", range(60))
def test_every_step_is_the_one_of_a_search_that_visits_all(seed: int) -> None:
    site = random_site(random.Random(seed))
    vertices: list[Vertex] = [("fabric", FABRIC), *(("node", node) for node in site.nodes)]
    for goal in vertices:
        expected = steps_by_visiting_all(site, goal)
        found = StepsTowards(site, goal, lambda vertex: is_switch(site, vertex))
        assert {vertex: found.step(vertex) for vertex in vertices} == {
            vertex: expected.get(vertex) for vertex in vertices
        }
