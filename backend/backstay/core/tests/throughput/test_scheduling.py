"""Scheduling of throughput tests: resources, matrix and timetable."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.scheduling.matrix import end_errors, points, rounds, size
from backstay.core.scheduling.resource_scheduler import Request, Reservation, decide
from backstay.core.scheduling.timetable import Timetable

NOW = datetime(2026, 3, 1, 12, 0, 30, tzinfo=UTC)


def ask(run: int, *resources: str, priority: int = 5, blocked: str = "", ago_s: float = 0) -> Request:
    named = {resource: f"label of {resource}" for resource in resources}
    return Request(run, priority, NOW - timedelta(seconds=ago_s), named, blocked)


def test_wait_reason_names_run_and_resource() -> None:
    decision = decide([ask(4, "a", "b")], [Reservation(3, frozenset({"b", "c"}))])
    assert decision.start == ()
    assert decision.waits == {4: "waits for run #3 on label of b"}


def test_tests_that_share_nothing_run_at_the_same_time() -> None:
    assert decide([ask(1, "a"), ask(2, "b")], []).start == (1, 2)


def test_higher_priority_then_older_request_first() -> None:
    decision = decide([ask(1, "a"), ask(2, "a", priority=9), ask(3, "a", ago_s=60)], [])
    assert decision.start == (2,)
    assert set(decision.waits) == {1, 3}
    assert decide([ask(1, "a"), ask(3, "a", ago_s=60)], []).start == (3,)


def test_wide_test_is_not_starved_by_narrow_ones() -> None:
    decision = decide([ask(1, "a", "b", ago_s=60), ask(2, "b")], [Reservation(9, frozenset({"a"}))])
    assert decision.start == ()
    assert decision.waits[2] == "waits for run #1, which has priority, on label of b"


def test_blocked_request_reserves_nothing() -> None:
    decision = decide([ask(1, "a", blocked="waits for quiet", ago_s=60), ask(2, "a")], [])
    assert (decision.start, decision.waits) == ((2,), {1: "waits for quiet"})


asks = st.builds(
    ask,
    st.just(0),
    st.sampled_from("abcd"),
    st.sampled_from("abcdef"),
    priority=st.integers(0, 9),
    blocked=st.sampled_from(["", "", "blocked"]),
    ago_s=st.integers(0, 99),
)


@given(st.lists(asks, max_size=8), st.lists(st.sampled_from("abcdef"), max_size=3))
def test_no_shared_resources_and_every_request_is_decided(found: list[Request], busy: list[str]) -> None:
    every = [
        Request(at, one.priority, one.asked, one.resources, one.blocked) for at, one in enumerate(found, 1)
    ]
    held = [Reservation(100 + at, frozenset({one})) for at, one in enumerate(set(busy))]
    decision = decide(every, held)
    assert sorted([*decision.start, *decision.waits]) == [one.run for one in every]
    by_run = {one.run: one for one in every}
    taken = [resource for run in decision.start for resource in by_run[run].resources]
    assert len(taken) == len(set(taken))
    assert not set(taken) & set(busy)
    free = [one for one in every if not one.blocked and not set(one.resources) & set(busy)]
    if free:
        first = min(free, key=lambda one: (-one.priority, one.asked, one.run))
        blockers = [
            one
            for one in every
            if not one.blocked
            and (-one.priority, one.asked, one.run) < (-first.priority, first.asked, first.run)
            and set(one.resources) & set(first.resources)
        ]
        assert first.run in decision.start or blockers


def test_points_are_all_combinations() -> None:
    matrix = {"kind": "tcp", "streams": [1, 2], "buffer": [10, 20, 30], "duration_s": 5}
    found = points(matrix, repeats=2)
    assert len(found) == size(matrix, 2) == 12
    assert found[:2] == [
        {"kind": "tcp", "duration_s": 5, "streams": 1, "buffer": 10},
        {"kind": "tcp", "duration_s": 5, "streams": 1, "buffer": 20},
    ]


def test_shapes_define_the_rounds_of_flows() -> None:
    assert rounds("many_to_one", ["a", "b"], ["c"]) == [[("a", "c"), ("b", "c")]]
    assert rounds("n_pairs", ["a", "b"], ["c", "d"]) == [[("a", "c"), ("b", "d")]]
    striped = (["a", "a", "b", "b"], ["m1", "m2", "m3", "m4"])
    assert end_errors("n_pairs", *striped) == {}, "two transfers, each over two movers"
    assert "each pair once" in end_errors("n_pairs", ["a", "a"], ["m1", "m1"])["receivers"]
    assert rounds("n_way", ["a", "b"], []) == [[("a", "b"), ("b", "a")]]
    assert rounds("mesh", ["a", "b"], []) == [[("a", "b")], [("b", "a")]]


@pytest.mark.parametrize(
    ("shape", "senders", "receivers", "field"),
    [
        ("pair", ["a", "b"], ["c"], "senders"),
        ("pair", ["a"], [], "receivers"),
        ("pair", ["a"], ["a"], "receivers"),
        ("n_pairs", ["a", "b"], ["c"], "receivers"),
        ("mesh", ["a", "b"], ["c"], "receivers"),
        ("many_to_one", ["a", "a"], ["c"], "senders"),
    ],
)
def test_invalid_ends_are_named(shape: str, senders: list[str], receivers: list[str], field: str) -> None:
    assert list(end_errors(shape, senders, receivers)) == [field]  # type: ignore[arg-type]


def table(**given: set[int]) -> Timetable:
    every = {
        "minutes": set(range(60)),
        "hours": set(range(24)),
        "days": set(range(1, 32)),
        "months": set(range(1, 13)),
        "weekdays": set(range(7)),
    }
    reported = {name: frozenset(one) for name, one in {**every, **given}.items()}
    return Timetable(**reported, either_day={"days", "weekdays"} <= given.keys())


def test_next_time_is_later_and_matches_every_field() -> None:
    assert table(minutes={0, 30}).after(NOW) == datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    assert table(minutes={0}, hours={3}).after(NOW) == datetime(2026, 3, 2, 3, 0, tzinfo=UTC)
    assert table(minutes={0}, hours={3}, weekdays={1}).after(NOW) == datetime(2026, 3, 2, 3, 0, tzinfo=UTC)
    leap = table(minutes={0}, hours={0}, days={29}, months={2}).after(NOW)
    assert leap == datetime(2028, 2, 29, tzinfo=UTC)


def test_day_or_weekday_matches_if_both_are_given() -> None:
    found = table(minutes={0}, hours={0}, days={31}, weekdays={3}).after(NOW)
    assert found == datetime(2026, 3, 4, tzinfo=UTC)


def test_impossible_day_has_no_next_time() -> None:
    assert table(minutes={0}, hours={0}, days={30}, months={2}).after(NOW) is None
