"""Capacity under failures: against networkx and a full computation on random fabrics, and by hand."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest

from backstay.core.planning.capacity.ecmp import cut_off, forwarding
from backstay.core.planning.capacity.failures import CapacityImpact, CapacityStudy
from backstay.core.planning.capacity.graph import (
    CapacityGraph,
    Demand,
    FailureSet,
    pairs,
    single_failures,
)

Rows = list[tuple[int, int, float]]
RATE = 100.0


def fabric(*ends: tuple[int, int], rate: float | None = RATE) -> CapacityGraph:
    size = max((max(pair) for pair in ends), default=-1) + 1
    return CapacityGraph.of(size, [(a, b, rate, rate) for a, b in ends])


def random_fabric(seed: int) -> tuple[CapacityGraph, Rows]:
    """With parallel links, parts that nothing joins, and demand between them."""
    draw = random.Random(seed)
    size = draw.randint(2, 14)
    links = [draw.sample(range(size), 2) for _ in range(draw.randint(1, round(size * draw.uniform(1, 2.5))))]
    rows = [(a, b, draw.choice([None, 5.0, RATE]), draw.choice([None, RATE])) for a, b in links]
    demand: Rows = []
    for _ in range(draw.randint(1, 3 * size)):
        source, end = draw.sample(range(size), 2)
        demand.append((source, end, draw.uniform(0.1, 50)))
    return CapacityGraph.of(size, rows), demand


def failures(graph: CapacityGraph, seed: int) -> list[FailureSet]:
    """Every single failure, some pairs, and shared-risk groups."""
    draw = random.Random(seed)
    single = list(single_failures(graph, range(graph.size)))
    groups = [
        FailureSet(
            tuple(draw.sample(range(graph.size), draw.randint(0, 2))),
            tuple(draw.sample(range(len(graph.ends)), draw.randint(0, min(3, len(graph.ends))))),
        )
        for _ in range(5)
    ]
    both = list(pairs(single))
    return [*single, *draw.sample(both, min(5, len(both))), *groups]


def without(graph: CapacityGraph, failure: FailureSet) -> nx.MultiGraph:
    left = nx.MultiGraph()
    left.add_nodes_from(range(graph.size))
    for link, (a, b) in enumerate(graph.ends.tolist()):
        if link not in failure.links and not {a, b} & set(failure.vertices):
            left.add_edge(a, b, key=link)
    return left


def reference(graph: CapacityGraph, rows: Rows, failure: FailureSet) -> tuple[dict[int, float], float]:
    """Loads by lane, and lost demand: each demand walks the shortest paths of networkx by itself."""
    left, loads, lost = without(graph, failure), defaultdict[int, float](float), 0.0
    for source, end, bps in rows:
        if not nx.has_path(left, source, end):
            lost += bps
            continue
        hops: defaultdict[int, set[int]] = defaultdict(set)
        for path in nx.all_shortest_paths(left, source, end):
            for here, there in pairwise(path):
                hops[here].update({there})
        amount = defaultdict[int, float](float, {source: bps})
        far = nx.single_source_shortest_path_length(left, end)
        for here in sorted(hops, key=lambda vertex: -far[vertex]):
            lanes = [
                (2 * link + (graph.ends[link][0] != here), there)
                for there in hops[here]
                for link in left[here][there]
            ]
            for lane, there in lanes:
                loads[lane] += amount[here] / len(lanes)
                amount[there] += amount[here] / len(lanes)
    return loads, lost


def loads(study: CapacityStudy, impact: CapacityImpact) -> np.ndarray:
    found = study.intact.load.copy()
    found[impact.lanes] = impact.bps
    return found


@pytest.mark.parametrize("seed", range(40))
def test_every_failure_equals_networkx_on_random_fabrics(seed: int) -> None:
    graph, rows = random_fabric(seed)
    study = CapacityStudy(graph, Demand.of(rows))
    for failure in [FailureSet(), *failures(graph, seed)]:
        impact = study.impact(failure)
        wanted, lost = reference(graph, rows, failure)
        expected = [wanted.get(lane, 0.0) for lane in range(2 * len(graph.ends))]
        assert loads(study, impact) == pytest.approx(expected, rel=1e-8, abs=1e-9), failure
        assert impact.cut_off_bps == pytest.approx(lost, rel=1e-9, abs=1e-9), failure


@pytest.mark.parametrize("seed", range(100, 160))
def test_increments_equal_a_full_computation(seed: int) -> None:
    graph, rows = random_fabric(seed)
    demand = Demand.of(rows)
    study = CapacityStudy(graph, demand)
    for failure in failures(graph, seed):
        impact = study.impact(failure)
        full = forwarding(graph, demand, failure.lanes(graph))
        assert loads(study, impact) == pytest.approx(full.load, rel=1e-9, abs=1e-10), failure
        assert impact.cut_off_bps == pytest.approx(cut_off(full).sum(), rel=1e-12, abs=1e-12)
        assert impact.cut_off.tolist() == np.flatnonzero(cut_off(full)).tolist()


@pytest.mark.parametrize("seed", range(200, 230))
def test_redundancy_equals_the_disjoint_paths_of_networkx(seed: int) -> None:
    graph, rows = random_fabric(seed)
    study = CapacityStudy(graph, Demand.of(rows))
    peers = {frozenset(row[:2]) for row in rows}

    def redundant(failure: FailureSet) -> tuple[set[int], set[int]]:
        left = without(graph, failure)
        twice, once = set[int](), set[int]()
        for one, other in map(tuple, peers):
            if not nx.has_path(left, one, other):
                continue
            once |= {one, other}
            parallel = left.number_of_edges(one, other)
            plain = nx.Graph(left)
            if parallel:
                plain.remove_edge(one, other)
            others = nx.node_connectivity(plain, one, other) if nx.has_path(plain, one, other) else 0
            if parallel + others > 1:
                twice |= {one, other}
        return twice, once

    before, _ = redundant(FailureSet())
    for failure in failures(graph, seed):
        twice, once = redundant(failure)
        assert set(study.impact(failure).single_path.tolist()) == (before & once) - twice, failure


def test_traffic_is_split_per_hop_and_not_per_path() -> None:
    """0 sends by 1 and 2; 1 has two next hops to 5, 2 has one: 1 and 2 get half each."""
    graph = fabric((0, 1), (0, 2), (1, 3), (1, 4), (2, 4), (3, 5), (4, 5))
    study = CapacityStudy(graph, Demand.of([(0, 5, 80.0)]))
    assert study.intact.load[::2].tolist() == [40, 40, 20, 20, 40, 20, 60]


def test_parallel_links_share_and_the_rest_carries_all_when_one_fails() -> None:
    graph = fabric((0, 1), (0, 1), (1, 2))
    study = CapacityStudy(graph, Demand.of([(0, 2, 150.0)]))
    assert study.impact(FailureSet()).verdict == "exceeded"
    impact = study.impact(FailureSet(links=(0,)))
    assert dict(zip(impact.lanes.tolist(), impact.bps.tolist(), strict=True)) == {0: 0.0, 2: 150.0}
    assert (impact.worst, impact.worst_lane, impact.exceeded) == (1.5, 2, 2)
    assert impact.single_path.tolist() == []  # 1 to 2 is a bridge: there never were two paths


def test_failed_attachment_cuts_off_its_own_demand_and_no_other() -> None:
    graph = fabric((0, 1), (1, 2), (2, 3), (3, 0))
    study = CapacityStudy(graph, Demand.of([(0, 2, 10.0), (1, 3, 7.0), (3, 0, 5.0)]))
    impact = study.impact(FailureSet(vertices=(0,)))
    assert impact.cut_off_bps == 15.0
    assert impact.cut_off.tolist() == [0, 3]
    assert impact.verdict == "cut_off"
    assert impact.single_path.tolist() == [1, 3]


def test_demand_without_any_path_is_counted_in_every_result() -> None:
    graph = CapacityGraph.of(4, [(0, 1, RATE, RATE), (2, 3, RATE, RATE)])
    study = CapacityStudy(graph, Demand.of([(0, 1, 1.0), (0, 2, 9.0)]))
    assert [item.cut_off_bps for item in study.impacts(single_failures(graph, ()))] == [9.0, 10.0, 9.0]


def test_unknown_rate_of_a_used_link_never_holds() -> None:
    graph = CapacityGraph.of(3, [(0, 1, None, RATE), (1, 2, RATE, RATE), (0, 2, RATE, RATE)])
    study = CapacityStudy(graph, Demand.of([(0, 2, 5.0)]))
    assert study.impact(FailureSet()).verdict == "holds"
    impact = study.impact(FailureSet(links=(2,)))
    assert (impact.verdict, impact.unknown) == ("unknown", 1)
    assert impact.worst == 0.05
    assert np.isnan(impact.utilisation[impact.lanes.tolist().index(0)])
    assert impact.single_path.tolist() == [0, 2]


def test_no_rate_known_means_no_worst_utilisation() -> None:
    study = CapacityStudy(fabric((0, 1), rate=None), Demand.of([(0, 1, 5.0)]))
    impact = study.impact(FailureSet())
    assert (impact.worst, impact.worst_lane, impact.verdict) == (None, None, "unknown")


def test_a_link_without_any_rate_is_exceeded_by_any_load() -> None:
    study = CapacityStudy(fabric((0, 1), rate=0.0), Demand.of([(0, 1, 5.0)]))
    impact = study.impact(FailureSet())
    assert (impact.verdict, impact.worst) == ("exceeded", float("inf"))


def test_pairs_reveal_what_single_failures_do_not() -> None:
    graph = fabric((0, 1), (1, 3), (0, 2), (2, 3))
    study = CapacityStudy(graph, Demand.of([(0, 3, 50.0)]))
    single = list(single_failures(graph, (1, 2)))
    assert {study.impact(failure).verdict for failure in single} == {"holds"}
    both = [study.impact(failure) for failure in pairs(single)]
    assert len(both) == len(list(combinations(single, 2)))
    assert {impact.verdict for impact in both} == {"holds", "cut_off"}


def test_results_do_not_depend_on_the_failures_before() -> None:
    graph, rows = random_fabric(7)
    demand, tried = Demand.of(rows), failures(*random_fabric(7)[:1], 7)
    fresh = [CapacityStudy(graph, demand).impact(failure) for failure in tried]
    study = CapacityStudy(graph, demand)
    for failure, wanted in zip(reversed(tried), reversed(fresh), strict=True):
        again = study.impact(failure)
        assert again.bps.tolist() == wanted.bps.tolist()
        assert again.worst == wanted.worst


def test_shared_risk_group_without_elements_that_exist_is_an_error() -> None:
    study = CapacityStudy(fabric((0, 1)), Demand.of([(0, 1, 1.0)]))
    with pytest.raises(ValueError, match="no such link"):
        study.impact(FailureSet(links=(1,)))
    with pytest.raises(ValueError, match="no such vertex"):
        study.impact(FailureSet(vertices=(2,)))


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(0, 0, 1.0)], "to itself"),
        ([(0, 1, -1.0)], "negative"),
        ([(0, 1, float("nan"))], "not a number"),
        ([(0, 5, 1.0)], "outside"),
    ],
)
def test_impossible_demand_is_an_error(rows: Rows, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        CapacityStudy(fabric((0, 1)), Demand.of(rows))


def test_impossible_links_are_an_error() -> None:
    for row, reason in (
        ((0, 0, 1.0, 1.0), "itself"),
        ((0, 9, 1.0, 1.0), "outside"),
        ((0, 1, -1.0, 1.0), "negative"),
    ):
        with pytest.raises(ValueError, match=reason):
            CapacityGraph.of(2, [row])
