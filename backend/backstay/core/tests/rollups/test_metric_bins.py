"""Bins of metrics' roll-ups: each report once, zeros that nobody names, unknown values, extremes and p95."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.rollups.bins import Ints
from backstay.core.rollups.levels import DAY_S, HOUR_S
from backstay.core.rollups.metric_bins import (
    HELD_S,
    MetricReports,
    MetricRows,
    coarse_metric_rows,
    covered_seconds,
    fine_metric_rows,
)

START = 1_772_323_200.0
PLACES = 4
GROWTHS = np.array([True, False, True, False])


def reports(random: np.random.Generator, hours: float, series: int = 2) -> tuple[MetricReports, Ints]:
    """Jittered reports, of which most values are zero; and the dense values, (reports, places)."""
    numbers, ends, seconds = [], [], []
    for number in range(series):
        at = START - 100.0
        while at < START + hours * HOUR_S - 200:
            length = round(60.0 * random.uniform(0.5, 4), 3)
            at = round(at + length + random.choice([0, 0, 0, 900.0]), 3)
            numbers.append(number)
            ends.append(at)
            seconds.append(length)
    dense = random.integers(-5, 10**9, (len(ends), PLACES)) * (random.random((len(ends), PLACES)) < 0.3)
    dense[:, GROWTHS] = np.abs(dense[:, GROWTHS])
    return packed(np.array(numbers), np.array(ends), np.array(seconds), dense.astype(np.float64)), dense


def packed(series: Ints, end: np.ndarray, seconds: np.ndarray, dense: np.ndarray) -> MetricReports:
    """Only the values other than zero."""
    report, place = np.nonzero(dense)
    return MetricReports(
        series, end, seconds, report, place + 1, dense[report, place], GROWTHS[place % len(GROWTHS)]
    )


def spread(rows: MetricRows, name: str, series: int) -> np.ndarray:
    """(series, places, bins); slots that have no row are zero."""
    found = np.zeros((series, PLACES, rows.samples.shape[1]))
    found[rows.series, rows.place - 1] = rows.arrays[name]
    return found


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 2**32))
def test_each_report_counts_once_in_every_level(seed: int) -> None:
    found, dense = reports(np.random.default_rng(seed), 5)
    hours = range(-1, 6)
    fine = [fine_metric_rows(found, START + hour * HOUR_S, 2) for hour in hours]
    expected = np.stack([dense[found.series == one].sum(axis=0) for one in (0, 1)])
    for bins in (12, 4, 1):
        rows = fine if bins == 12 else [coarse_metric_rows(row, bins) for row in fine]
        assert (sum(spread(row, "total", 2).sum(axis=2) for row in rows) == expected).all()
        assert sum(int(row.samples.sum()) for row in rows) == len(found.end)
        assert sum(row.seconds.sum() for row in rows) == pytest.approx(found.seconds.sum())


def test_zeros_count_in_means_and_extremes() -> None:
    dense = np.array([[60.0, 0, 0, 0], [0, 5, 0, 0], [0, 0, 0, 0]])
    found = packed(np.zeros(3, np.int64), START + np.array([60.0, 120, 180]), np.full(3, 60.0), dense)
    rows = fine_metric_rows(found, START, 1)
    assert rows.place.tolist() == [1, 2]
    assert rows.means()[:, 0] == pytest.approx([60 / 180, 5 / 3])
    assert rows.arrays["min"][:, 0].tolist() == [0, 0]
    assert rows.arrays["max"][:, 0].tolist() == [1, 5]
    assert np.isnan(rows.means()[:, 1:]).all()
    assert np.isnan(rows.arrays["min"][:, 1:]).all()


def test_unknown_values_are_left_out() -> None:
    dense = np.array([[np.nan, np.nan, 0, 0], [30, -7.0, 0, 0]])
    found = packed(np.zeros(2, np.int64), START + np.array([60.0, 120]), np.array([60.0, 30]), dense)
    rows = fine_metric_rows(found, START, 1)
    assert rows.means()[:, 0].tolist() == [1, -7]
    assert rows.arrays["min"][:, 0].tolist() == rows.arrays["max"][:, 0].tolist() == [1, -7]
    assert rows.arrays["missing"][:, 0].tolist() == [60, 60]
    lost = fine_metric_rows(packed(found.series, found.end, found.seconds, dense * np.nan), START, 1)
    assert np.isnan(lost.means()).all()
    assert lost.known_samples().sum() == 0


def test_p95_is_the_nearest_rank_over_5_minute_means() -> None:
    random = np.random.default_rng(4)
    levels = random.lognormal(3, 1, 1440)
    dense = np.zeros((1440, PLACES))
    dense[:, 1] = levels
    end = START + 60.0 * np.arange(1, 1441)
    found = packed(np.zeros(1440, np.int64), end, np.full(1440, 60.0), dense)
    hours = [fine_metric_rows(found, START + hour * HOUR_S, 1) for hour in range(24)]
    fine = MetricRows(
        np.concatenate([row.seconds for row in hours], axis=1),
        np.concatenate([row.samples for row in hours], axis=1),
        hours[0].series,
        hours[0].place,
        hours[0].is_growth,
        {name: np.concatenate([row.arrays[name] for row in hours], axis=1) for name in hours[0].arrays},
    )
    day = coarse_metric_rows(fine, round(DAY_S / DAY_S))
    means = np.sort(levels.reshape(288, 5).mean(axis=1))
    assert day.arrays["p95"][0, 0] == pytest.approx(means[math.ceil(0.95 * 288) - 1])
    assert day.arrays["max"][0, 0] == pytest.approx(levels.max())


def test_levels_cover_the_time_since_the_report_before() -> None:
    series, end = np.array([0, 0, 0, 1]), np.array([100.0, 160, 900, 170])
    seconds = np.array([np.nan, np.nan, np.nan, 30.0])
    assert covered_seconds(series, end, seconds).tolist() == [HELD_S, 60, HELD_S, 30]
    assert covered_seconds(series[:0], end[:0], seconds[:0]).tolist() == []
