"""The narrowest place of a path, and contradictory facts about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backstay.core.diagnosis.throughput.available_rate import room
from backstay.core.diagnosis.throughput.run import best_used, judge_cell, judge_run, used_share
from backstay.core.model.throughput import Cell, Measured, Medium, Parameters, PathHop, Verdict
from backstay.core.model.throughput_kinds import Direction

FULL = 53.8e6
EVEN = Medium(
    FULL, (PathHop("sp01: css0", FULL), PathHop("grf1: ga030", FULL), PathHop("origin1: at1", FULL))
)


def carried(rate: float, direction: Direction = "forward", medium: Medium | None = None) -> Cell:
    return Cell(Parameters(direction=direction), Measured(rate, duration_s=10.0), medium=medium)


def others(name: str, production: float, medium: Medium = EVEN) -> Medium:
    """With other traffic on one hop."""
    hops = tuple(replace(hop, production=production) if hop.name == name else hop for hop in medium.hops)
    return replace(medium, hops=hops)


def text(rate: float, medium: Medium, direction: Direction = "forward") -> Verdict:
    return judge_cell(carried(rate, direction), medium).verdict


def test_full_medium_with_even_hops_is_not_a_narrow_hop() -> None:
    found = text(51.7e6, EVEN)
    assert (found.name, found.confidence, found.suspect) == ("medium_limited", "high", "")


def test_busy_hop_is_not_narrow() -> None:
    found = text(32e6, others("grf1: ga030", 20e6))
    assert (found.name, found.suspect) == ("medium_limited", "grf1: ga030")
    assert "on grf1: ga030 (20 Mb/s of production traffic)" in found.sentence
    assert text(32e6, EVEN).name != "medium_limited"


def test_traffic_on_a_wider_hop_is_irrelevant() -> None:
    wide = replace(EVEN, hops=(PathHop("wide", 1e9, production=600e6), *EVEN.hops))
    assert text(52e6, wide).name == "medium_limited"
    assert best_used([judge_cell(carried(52e6), wide)], wide) == "97 % of usable at best"


@pytest.mark.parametrize("production", [0.0, 10e6])
def test_slow_hop_is_narrow_with_and_without_traffic(production: float) -> None:
    slow = Medium(FULL, (PathHop("fast", 100e6), PathHop("slow", FULL, production=production)), ends=100e6)
    found = text(0.97 * (FULL - production), slow)
    assert (found.name, found.confidence, found.suspect) == ("narrow_hop", "high", "slow")
    assert ("10 Mb/s of other traffic" in found.sentence) == bool(production)
    assert "100 Mb/s" in found.sentence


def test_impossible_cross_traffic_is_ignored() -> None:
    # As in the samples of the previous cell.
    found = text(51.7e6, others("grf1: ga030", 5.9e6))
    assert (found.name, found.confidence) == ("medium_limited", "medium")
    assert "96 % of the 53.8 Mb/s" in found.sentence
    assert next(one.text for one in found.evidence if not one.supports).startswith(
        "The 5.9 Mb/s reported as cross"
    )


def test_rate_above_usable_refutes_it_for_the_whole_run() -> None:
    cells = [carried(rate) for rate in (51e6, 90e6)]
    judged = judge_run(cells, EVEN)
    assert [one.verdict.confidence for one in judged.cells] == ["low", "low"]
    assert all("is wrong" in one.verdict.sentence for one in judged.cells)
    assert best_used(judged.cells, EVEN) == "more than the declared usable rate"
    burst = replace(cells[1], measured=Measured(90e6, duration_s=0.2))
    assert judge_run([cells[0], burst], EVEN).cells[0].verdict.confidence == "high"


def test_cross_traffic_is_per_cell() -> None:
    quiet, busy = carried(52e6, medium=EVEN), carried(33e6, medium=others("origin1: at1", 20e6))
    judged = judge_run([quiet, busy], EVEN).cells
    assert [one.verdict.suspect for one in judged] == ["", "origin1: at1"]
    assert [one.verdict.name for one in judged] == ["medium_limited"] * 2
    assert best_used(judged, EVEN) == "98 % of usable at best"


def test_bidirectional_test_doubles_a_hop_but_not_a_ring() -> None:
    assert text(104e6, EVEN, "both").name == "medium_limited"
    assert text(52e6, EVEN, "both").name != "medium_limited"
    ring = replace(EVEN, hops=(PathHop("ring", FULL, shared=True),))
    assert text(52e6, ring, "both").name == "medium_limited"


def test_full_path_leaves_the_measured_rate() -> None:
    full = others("grf1: ga030", 52e6)
    found = text(2.5e6, full)
    assert (found.name, found.suspect) == ("medium_limited", "grf1: ga030")
    assert used_share(carried(2.5e6), full) == pytest.approx(1.0)


def test_unknown_path_has_no_room() -> None:
    assert room(Medium(hops=(PathHop("r1", mtu=1500),)), 1) is None
    assert used_share(carried(1e6), Medium()) is None
