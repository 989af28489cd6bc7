"""Outage time of a policy by day and month, compared with a sum over seconds."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from backstay.api.tests.world import World, kept
from backstay.core.errors import Invalid
from backstay.policy.models import FailoverPolicy, Path, PathGap, PathOutage
from backstay.policy.outage_totals import OutageTotal, buckets, outage_totals

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def observed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make(now=NOW)
        Path.objects.update(observed_from=NOW - timedelta(days=3), at=NOW)
        yield world


@pytest.fixture
def world(observed: World, db: None) -> World:
    return observed.copy()


def policy(world: World) -> FailoverPolicy:
    return FailoverPolicy.objects.select_related("site").get(site=world.site, name="sp-default")


def lose(world: World, node: str, start: datetime, seconds: float | None) -> None:
    PathOutage.objects.create(
        path=Path.objects.get(node=world.node(node), policy=policy(world)),
        uid=uuid.uuid4(),
        start=start,
        end=None if seconds is None else start + timedelta(seconds=seconds),
        duration_ms=None if seconds is None else seconds * 1000,
        cause="target_dead",
        measured_by="probes",
        probe_interval_ms=50,
        at=start,
    )


def totals(world: World, by: str = "day", start: datetime | None = None) -> list[OutageTotal]:
    return outage_totals(policy(world), "month" if by == "month" else "day", start, None, NOW)


def test_outage_over_midnight_counts_on_both_days(world: World) -> None:
    lose(world, "sp01", datetime(2026, 3, 2, 23, 59, 30, tzinfo=UTC), 90.5)
    found = {item.start.day: item for item in totals(world, start=NOW - timedelta(days=2))}
    assert (found[2].outage_s, found[3].outage_s) == (30.0, 60.5)
    assert (found[3].worst_node, found[3].paths, found[3].outages) == ("sp01", 1, 1)


def test_overlapping_outages_of_a_path_count_once_those_of_two_paths_twice(world: World) -> None:
    at = NOW - timedelta(hours=2)
    lose(world, "sp01", at, 10)
    lose(world, "sp01", at + timedelta(seconds=5), 10)
    lose(world, "sp02", at, 4)
    today = totals(world)[-1]
    assert (today.outage_s, today.outages, today.paths) == (19.0, 2, 2)
    assert (today.worst_node, today.worst_s) == ("sp01", 15.0)


def test_ongoing_outage_counts_to_now(world: World) -> None:
    lose(world, "sp01", NOW - timedelta(seconds=40), None)
    today = totals(world)[-1]
    assert (today.outage_s, today.ongoing) == (40.0, 1)


def test_ongoing_outage_of_a_node_that_stopped_reporting_counts_to_its_last_report(world: World) -> None:
    lose(world, "sp01", NOW - timedelta(seconds=400), None)
    Path.objects.filter(node__name="sp01").update(at=NOW - timedelta(seconds=300))
    assert totals(world)[-1].outage_s == 100.0


def test_range_clips_its_first_and_last_period(world: World) -> None:
    lose(world, "sp01", NOW - timedelta(hours=2), 7200)
    (only,) = outage_totals(policy(world), "day", NOW - timedelta(hours=1), NOW - timedelta(minutes=30), NOW)
    assert (only.outage_s, only.end - only.start) == (1800.0, timedelta(minutes=30))


def test_months_are_those_of_utc(world: World) -> None:
    lose(world, "sp01", datetime(2026, 2, 28, 23, 59, 0, tzinfo=UTC), 120)
    found = totals(world, "month")
    assert len(found) == 12
    assert [(item.start, item.outage_s) for item in found[-2:]] == [
        (datetime(2026, 2, 1, tzinfo=UTC), 60.0),
        (datetime(2026, 3, 1, tzinfo=UTC), 60.0),
    ]


def test_unobserved_time_is_not_a_time_without_outage(world: World) -> None:
    known = Path.objects.get(node__name="sp01")
    PathGap.objects.create(path=known, start=NOW - timedelta(hours=3), end=NOW - timedelta(hours=1))
    found = totals(world, start=NOW - timedelta(days=10))
    paths = Path.objects.filter(policy=policy(world)).count()
    assert found[0].observed_s == 0
    assert found[-1].observed_s == pytest.approx(paths * 12 * 3600 - 2 * 3600)


def test_another_policys_paths_do_not_count(world: World) -> None:
    other = Path.objects.get(policy__name="router-to-sp")
    PathOutage.objects.create(
        path=other, uid=uuid.uuid4(), start=NOW - timedelta(hours=1), end=NOW, duration_ms=1,
        cause="switch", measured_by="probes", probe_interval_ms=50, at=NOW,
    )  # fmt: skip
    assert sum(item.outage_s for item in totals(world)) == 0


def test_totals_are_one_query(world: World) -> None:
    known = policy(world)
    with CaptureQueriesContext(connection) as queries:
        outage_totals(known, "day", None, None, NOW)
    assert len(queries) == 1


@pytest.mark.parametrize(("by", "days"), [("day", 401), ("day", 0), ("month", 40_000)])
def test_ranges_that_are_empty_or_too_long_are_refused(by: str, days: int) -> None:
    with pytest.raises(Invalid):
        buckets("month" if by == "month" else "day", NOW - timedelta(days=days), NOW)


PERIODS = st.lists(
    st.tuples(st.sampled_from(["sp01", "sp02"]), st.integers(0, 4000), st.integers(1, 2000)), max_size=6
)


@settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(PERIODS, st.integers(1, 4000))
def test_totals_equal_a_count_of_minutes(
    world: World, periods: list[tuple[str, int, int]], range_minutes: int
) -> None:
    """Outages of whole minutes within the last 4,000."""
    start = NOW - timedelta(minutes=range_minutes)
    lost = set()
    with transaction.atomic():
        for node, before, length in periods:
            lose(world, node, NOW - timedelta(minutes=before), 60.0 * length)
            lost |= {(node, minute) for minute in range(-before, -before + length)}
        found = totals(world, start=start)
        transaction.set_rollback(True)
    for item in found:
        inside = [node for node, minute in lost if item.start <= NOW + timedelta(minutes=minute) < item.end]
        assert item.outage_s == 60.0 * len(inside)
        assert item.paths == len(set(inside))
