"""Roll-ups of device metrics in PostgreSQL: complete, repeatable, with late reports, joined by a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection
from pytest_django import Settings

from backstay.core.model.device_metric import MetricHistory
from backstay.core.rollups.levels import LEVELS
from backstay.inventory.models import Node
from backstay.telemetry import partitions
from backstay.telemetry.models import MetricLayout
from backstay.telemetry.rollup_models import MetricRollupMark
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.selectors.metric_history import MetricKey, metric_history
from backstay.telemetry.tests.test_rollups import DAY, NOW, finish, node, steady

__all__ = ["node"]
LEVEL, GROWTH = "host.processor_load", "ib.symbol_errors"
PAIRS = ((GROWTH, "1"), (GROWTH, "2"), (LEVEL, ""))


def metric_layout(
    node: Node, pairs: Sequence[tuple[str, str]] = PAIRS, collector: str = "ib"
) -> MetricLayout:
    found, _ = MetricLayout.objects.get_or_create(
        node=node,
        collector=collector,
        digest=repr(pairs).encode()[:16],
        defaults={"metrics": [pair[0] for pair in pairs], "subjects": [pair[1] for pair in pairs]},
    )
    return found


def report(
    layout: MetricLayout,
    ends: Sequence[float],
    values: Sequence[Sequence[float]],
    seconds: float | None = 60.0,
) -> None:
    """Reports as `states.metrics` stores them: only values other than zero."""
    rows: list[tuple[Any, ...]] = []
    for end, row in zip(ends, values, strict=True):
        places = [place for place, value in enumerate(row, 1) if value != 0]
        numbers = [float(row[place - 1]) for place in places]
        duration = None if seconds is None else round(seconds * 1e9)
        at = datetime.fromtimestamp(end, UTC)
        rows.append((layout.node_id, at, duration, layout.pk, places, numbers))
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO telemetry_metrichistory (node_id, ts, duration_ns, layout_id, places, numbers)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            rows,
        )


def steady_metrics(node: Node, start: datetime, end: datetime) -> None:
    """A report a minute: six errors, none, and a load of 2.5."""
    count = round((end - start).total_seconds() / 60)
    ends = [start.timestamp() + 60.0 * number for number in range(1, count + 1)]
    report(metric_layout(node), ends, [[6, 0, 2.5]] * count)


def stored_metrics(level: str, column: str = "total") -> float:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT coalesce(sum(value), 0) FROM telemetry_metricrollup_{level}, unnest({column}) AS value"
        )
        return float(cursor.fetchone()[0])


def late_metrics(node: Node, hour: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO telemetry_metricrolluplate VALUES (%s, %s)", [node.pk, hour])


def rows_of(level: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM telemetry_metricrollup_{level} ORDER BY node_id, at, layout_id")
        return [tuple(map(str, row)) for row in cursor.fetchall()]


def history(
    node: Node,
    start: datetime,
    end: datetime,
    points: int = 600,
    part: tuple[str, str] = (GROWTH, "1"),
) -> MetricHistory:
    """Of (metric, subject)."""
    key = MetricKey(node.pk, *part, None, part[0] == GROWTH)
    return metric_history(key, start, end, points=points, interval_s=60.0)


def known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def test_every_level_has_the_sums_of_the_reports(node: Node) -> None:
    random = np.random.default_rng(7)
    seconds = np.round(random.uniform(20, 200, 1500), 6)
    ends = DAY.timestamp() + 12.5 + np.cumsum(seconds)
    values = random.integers(0, 10**9, (1500, 3)) * (random.random((1500, 3)) < 0.4)
    half = 700
    report(metric_layout(node), ends[:half].tolist(), values[:half].astype(float).tolist())
    others = metric_layout(node, PAIRS[::-1])
    report(others, ends[half:].tolist(), values[half:, ::-1].astype(float).tolist())
    finish(datetime.fromtimestamp(ends[-1], UTC) + timedelta(days=2))
    for level in LEVELS:
        assert stored_metrics(level.name) == values.sum()
        assert stored_metrics(level.name, "samples") == 1500
        assert stored_metrics(level.name, "seconds") == pytest.approx(1500 * 60)


def test_a_second_run_changes_nothing(node: Node) -> None:
    steady_metrics(node, DAY, DAY + timedelta(hours=30))
    finish()
    before = [rows_of(level.name) for level in LEVELS]
    assert [len(rows) for rows in before] == [30, 2, 2]
    assert before[0][0][5] == "[1, 3]", "the second slot is zero and not stored"
    MetricRollupMark.objects.update(fine_until=DAY, coarse_until=DAY)
    finish()
    assert [rows_of(level.name) for level in LEVELS] == before


def test_late_reports_are_rolled_up_again_with_their_day(node: Node) -> None:
    steady_metrics(node, DAY, DAY + timedelta(hours=6))
    steady_metrics(node, DAY + timedelta(hours=7), DAY + timedelta(hours=48))
    finish()
    before = stored_metrics("1d")
    steady_metrics(node, DAY + timedelta(hours=6), DAY + timedelta(hours=7))
    late_metrics(node, DAY + timedelta(hours=6))
    finish()
    for level in LEVELS:
        assert stored_metrics(level.name) == before + 60 * 8.5
        assert stored_metrics(level.name, "samples") == 48 * 60


def test_days_of_metrics_are_dropped_only_once_they_are_rolled_up(node: Node, settings: Settings) -> None:
    """Although the samples of the same day are."""
    settings.HOT_DAYS = 7
    steady(node, DAY, DAY + timedelta(hours=24))
    steady_metrics(node, DAY, DAY + timedelta(hours=24))
    later = DAY + timedelta(days=9)
    finish(later)
    MetricRollupMark.objects.filter(node=node).update(fine_until=DAY + timedelta(hours=3))
    assert DAY.date() not in partitions.maintain(later)
    MetricRollupMark.objects.all().delete()
    assert DAY.date() not in partitions.maintain(later), "as after an upgrade"
    finish(later)
    assert DAY.date() in partitions.maintain(later)


@pytest.mark.parametrize(("metric", "mean"), [(GROWTH, 0.1), (LEVEL, 2.5)])
def test_levels_of_a_chart_join_without_a_seam(node: Node, metric: str, mean: float) -> None:
    steady_metrics(node, DAY, NOW)
    finish()
    subject = "1" if metric == GROWTH else ""
    for start, points, level in (
        (NOW - timedelta(hours=10), 600, "samples"),
        (NOW - timedelta(days=3), 300, "5m"),
        (DAY, 50, "1h"),
    ):
        found = history(node, start, NOW, points, (metric, subject))
        assert found.level == level
        assert found.bins.coverage == pytest.approx(1, abs=0.01)
        for values in (found.bins.mean, found.bins.min, found.bins.max):
            assert values[1:] == [pytest.approx(mean)] * (len(values) - 1), "no gap and no step"
        assert found.p95 == pytest.approx(mean)
        assert found.is_p95_exact


def test_slot_that_is_never_named_is_zero_not_unknown(node: Node) -> None:
    steady_metrics(node, DAY, NOW)
    finish()
    found = history(node, DAY + timedelta(hours=1), NOW, 50, (GROWTH, "2"))
    assert found.level == "1h"
    assert set(found.bins.mean) == {0.0}
    missing = history(node, DAY, NOW, 50, (GROWTH, "3"))
    assert set(missing.bins.mean) == {None}
    assert (missing.p95, missing.bins.coverage) == (None, 0)


def test_history_outlives_the_reports(node: Node) -> None:
    steady_metrics(node, DAY, DAY + timedelta(days=2))
    finish()
    for day in partitions.days():
        if day <= (DAY + timedelta(days=1)).date():
            partitions._drop(day)
    found = history(node, DAY + timedelta(hours=1), DAY + timedelta(hours=3))
    assert (found.level, found.bins.step_s) == ("5m", 300)
    assert found.bins.mean == [0.1] * 24
    year = history(node, NOW - timedelta(days=365), NOW)
    assert year.level == "1h"
    assert year.bins.coverage == pytest.approx(2 / 365, rel=0.01)
    assert set(known(year.bins.mean)) == {0.1}


def test_unknown_values_are_gaps_in_every_level(node: Node) -> None:
    ends = [DAY.timestamp() + 60.0 * number for number in range(1, 2881)]
    values = [[math.nan if 300 <= number < 420 else 6, 0, 2.5] for number in range(2880)]
    report(metric_layout(node), ends, values)
    finish()
    for points, lost in ((2880, 120), (576, 24), (48, 2)):
        found = history(node, DAY, DAY + timedelta(days=2), points=points)
        assert found.bins.mean.count(None) == lost, found.level
        assert set(known(found.bins.mean)) == {0.1}
        assert found.bins.coverage == pytest.approx(46 / 48, abs=0.001)


def test_p95_beyond_the_5_minute_bins_is_an_estimate_and_says_so(node: Node) -> None:
    random = np.random.default_rng(5)
    rates = np.repeat(random.lognormal(3, 0.5, 2 * 288), 5)
    ends = DAY.timestamp() + 60.0 * np.arange(1, len(rates) + 1)
    report(metric_layout(node), ends.tolist(), [[0, 0, value] for value in rates])
    finish()
    exact = history(node, DAY, DAY + timedelta(days=2), 40, (LEVEL, ""))
    assert (exact.level, exact.is_p95_exact) == ("1h", True)
    assert exact.p95 == pytest.approx(np.sort(rates[::5])[math.ceil(0.95 * 576) - 1])
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM telemetry_rollup_5m")
        cursor.execute("SELECT telemetry_drop_rollup('5m', %s)", [DAY.date()])
        rollup_partitions._known.clear()
    rough = history(node, DAY, DAY + timedelta(days=2), 40, (LEVEL, ""))
    assert not rough.is_p95_exact
    assert rough.p95 == pytest.approx(exact.p95, rel=0.1)


def test_levels_without_an_interval_cover_the_time_between_them(node: Node) -> None:
    ends = [DAY.timestamp() + 60.0 * number for number in range(1, 2881)]
    report(metric_layout(node), ends, [[0, 0, 2.5]] * 2880, None)
    finish()
    for points in (2000, 500, 48):
        found = history(node, DAY + timedelta(hours=1), DAY + timedelta(days=2), points, (LEVEL, ""))
        assert found.bins.coverage == pytest.approx(1, abs=0.002)


def test_partitions_of_metrics_are_dropped_with_those_of_ports(node: Node) -> None:
    rollup_partitions.ensure_rollups(DAY.date())
    with connection.cursor() as cursor:
        cursor.execute("SELECT telemetry_drop_rollup('1h', %s)", [DAY.date()])
        tables = [table for level in LEVELS for table in (level.table, level.metric_table)]
        cursor.execute("SELECT to_regclass(t || '_203105') FROM unnest(%s::text[]) AS t", [tables])
        assert [row[0] is None for row in cursor.fetchall()] == [False, False, True, True, True, True]
    rollup_partitions._known.clear()


def test_values_of_very_many_slots_are_stored(node: Node) -> None:
    pairs = [(GROWTH, str(number)) for number in range(5000)]
    layout = metric_layout(node, pairs, "sweep")
    ends = [DAY.timestamp() + 60.0 * number for number in range(1, 31)]
    values = np.arange(5000) * np.ones((30, 1))
    report(layout, ends, values.tolist())
    finish()
    assert stored_metrics("5m") == stored_metrics("1d") == 30 * sum(range(5000))
    found = history(node, DAY, DAY + timedelta(hours=1), 12, (GROWTH, "4999"))
    assert known(found.bins.mean) == [pytest.approx(4999 / 60, rel=1e-5)] * 6
