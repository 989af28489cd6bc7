"""Timelines of paths: gateways where they were reported, and nothing where they were not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backstay.api.tests.world import World
from backstay.policy.models import Path, PathGap
from backstay.policy.timeline import Period, Segment, SwitchRecord, build_segments, timelines

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


RANGE = Period(ago(60), NOW)


def unknown(start: float, end: float) -> Segment:
    return Segment("", ago(start), ago(end), is_known=False)


def test_path_without_switch_is_one_segment() -> None:
    assert build_segments([], "grf1", [], RANGE) == [Segment("grf1", ago(60), NOW)]


def test_time_before_the_first_report_is_unknown_even_after_a_switch() -> None:
    moves = [SwitchRecord(ago(5), "grf1", "atmgw", 131.0)]
    assert build_segments(moves, "atmgw", [Period(ago(9000), ago(10))], RANGE) == [
        unknown(60, 10),
        Segment("grf1", ago(10), ago(5)),
        Segment("atmgw", ago(5), NOW, 131.0),
    ]


def test_path_that_was_never_reported_is_unknown_throughout() -> None:
    assert build_segments([], "", [RANGE], RANGE) == [unknown(60, 0)]


def test_gap_hides_what_was_used_in_it() -> None:
    moves = [SwitchRecord(ago(30), "grf1", "atmgw", None)]
    assert build_segments(moves, "atmgw", [Period(ago(50), ago(20))], RANGE) == [
        Segment("grf1", ago(60), ago(50)),
        unknown(50, 20),
        Segment("atmgw", ago(20), NOW),
    ]


def test_switches_give_contiguous_segments_with_outages() -> None:
    moves = [SwitchRecord(ago(40), "grf1", "atmgw", 131.0), SwitchRecord(ago(10), "atmgw", "grf1", 4.0)]
    assert build_segments(moves, "grf1", [], RANGE) == [
        Segment("grf1", ago(60), ago(40)),
        Segment("atmgw", ago(40), ago(10), 131.0),
        Segment("grf1", ago(10), NOW, 4.0),
    ]


def test_route_loss_is_a_segment() -> None:
    moves = [SwitchRecord(ago(40), "grf1", "", None), SwitchRecord(ago(30), "", "atmgw", 10_000.0)]
    assert [item.gateway for item in build_segments(moves, "atmgw", [], RANGE)] == ["grf1", "", "atmgw"]


def test_switch_after_the_range_says_what_was_used_in_it() -> None:
    past = Period(ago(60), ago(30))
    moves = [SwitchRecord(ago(10), "grf1", "atmgw", None)]
    assert build_segments(moves, "atmgw", [], past) == [Segment("grf1", ago(60), ago(30))]


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    return world


def path(world: World) -> Path:
    return Path.objects.select_related("policy").get(node=world.node("sp01"), policy__name="sp-default")


def shown(world: World, seconds: float) -> list[tuple[str, float]]:
    """(gateway or ?, length in s) of each segment of the last seconds."""
    start = world.now - timedelta(seconds=seconds)
    (timeline,) = timelines([path(world)], start, world.now, world.now)
    found = [
        (item.gateway if item.is_known else "?", round((item.end - item.start).total_seconds(), 3))
        for item in timeline.segments
    ]
    return [item for item in found if item[1] > 0]


def report(world: World) -> None:
    world.report([world.path("sp01", "sp-default", "grf1")])


def test_observed_periods_are_independent_of_the_order_of_reports(world: World) -> None:
    start = world.now
    times = [0, 10, 20, 100, 110, 300, 310]
    reports = []
    for at in times:
        world.now = start + timedelta(seconds=at)
        reports.append(world.path("sp01", "sp-default", "grf1"))
    for place in (5, 0, 6, 3, 2, 4, 1):
        world.report([reports[place]])
    assert shown(world, 400) == [("?", 90), ("grf1", 20), ("?", 80), ("grf1", 10), ("?", 190), ("grf1", 10)]
    assert PathGap.objects.count() == 2


def test_silent_node_is_unknown_from_its_last_report(world: World) -> None:
    report(world)
    world.forward(30)
    assert shown(world, 30) == [("grf1", 30)]
    world.forward(30)
    assert shown(world, 60) == [("?", 60)]


def test_backlog_fills_the_gap_that_it_covers(world: World) -> None:
    report(world)
    backlog = []
    for _ in range(9):
        world.forward(10)
        backlog.append(world.path("sp01", "sp-default", "grf1"))
    world.forward(10)
    report(world)
    assert shown(world, 100) == [("?", 100)]
    for item in reversed(backlog):
        world.report([item])
    assert shown(world, 100) == [("grf1", 100)]
    assert not PathGap.objects.exists()
