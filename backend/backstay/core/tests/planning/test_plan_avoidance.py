"""One search per destination and failed component gives the same answer as a search per node."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.model.search import Component, leads_to, shortest, sources
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology, Vertex
from backstay.core.planning.checks import fallback_domain
from backstay.core.tests.planning.plan_sites import intent, planned
from backstay.core.tests.planning.test_plan_checks import shared_uplink

KINDS = st.sampled_from(["host", "switch", "router", "gateway"])


def _topology(kinds: list[str], pairs: list[tuple[int, int]]) -> Topology:
    """Nodes with ids from 1; a pair with equal ends attaches the node to the fabric itself."""
    ports: dict[int, Port] = {}
    links: dict[int, Link] = {}
    for number, (one, other) in enumerate(pairs, 1):
        ends = [one % len(kinds) + 1, other % len(kinds) + 1]
        mine = [
            Port(2 * number + side, node, f"e{number}{side}", 1, False, ()) for side, node in enumerate(ends)
        ]
        used = mine if ends[0] != ends[1] else mine[:1]
        ports |= {port.id: port for port in used}
        links[number] = Link(number, used[0].id, used[1].id if len(used) == 2 else None, 1, "")
    return Topology(
        site="random",
        fabrics={1: Fabric(1, "lan", "ethernet", 10**9, 10**9, 1500, "on")},
        nodes={at: Node(at, f"n{at}", kind, "") for at, kind in enumerate(kinds, 1)},
        ports=ports,
        links=links,
    )


@given(
    st.lists(KINDS, min_size=2, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16),
    st.sets(st.integers(0, 8), min_size=1, max_size=3),
)
def test_same_answer_as_a_search_per_node(
    kinds: list[str], pairs: list[tuple[int, int]], ends: set[int]
) -> None:
    topology = _topology(kinds, pairs)
    vertices: list[Vertex] = [("fabric", 1), *(("node", node) for node in topology.nodes)]
    goals = frozenset(vertices[end % len(vertices)] for end in ends)
    things: list[Component | None] = [None, *vertices, *(("link", link) for link in topology.links)]
    for thing in things:
        found = sources(topology, goals, thing)
        for start in vertices:
            if start in goals or start == thing:
                continue
            path = shortest(topology, start, goals, without=frozenset([] if thing is None else [thing]))
            assert leads_to(topology, start, found, thing) == bool(path.links)


def test_nodes_of_one_failure_shape_share_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[tuple[frozenset[Vertex], Component | None]] = []

    def counted(
        topology: Topology, goals: frozenset[Vertex], without: Component | None = None
    ) -> frozenset[Vertex]:
        searched.append((goals, without))
        return sources(topology, goals, without)

    monkeypatch.setattr(fallback_domain, "sources", counted)
    plan = planned(shared_uplink(), intent(shared_uplink(), ["h1"], ["g1", "g2"]))
    assert any(finding.level == "failed" for finding in plan.findings)
    assert searched
    assert len(searched) == len(set(searched))
