"""Bins of roll-ups: exact sums over jittered intervals, gaps, resets and missing values; p95 and extremes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.history import Floats, five_minute_means, nearest_rank
from backstay.core.rollups.bins import DeviceSamples, Ints, Rows, coarse_rows, fine_rows
from backstay.core.rollups.levels import DAY_S, HOUR_S

START = 1_772_323_200.0
PORTS = 3


def samples(random: np.random.Generator, hours: float, interval_s: float, series: int = 1) -> DeviceSamples:
    """Jittered intervals with gaps, resets and missing values, from before `START` on."""
    ends, seconds, numbers = [], [], []
    for number in range(series):
        at = START - random.uniform(0, 2 * interval_s)
        while at < START + hours * HOUR_S:
            length = interval_s * random.uniform(0.7, 1.4) * random.choice([1, 1, 1, 1, 30])
            at += length
            at += random.choice([0, 0, 0, 0, 0, 3 * interval_s])
            ends.append(round(at, 6))
            seconds.append(round(length, 6))
            numbers.append(number)
    shape = (len(ends), PORTS)
    counters: dict[str, Ints | None] = {}
    for direction in ("in", "out"):
        octets = random.integers(0, 10**12, shape)
        octets[random.random(shape) < 0.05] = -1
        counters[f"{direction}_octets"] = octets
        counters[f"{direction}_packets"] = np.where(octets < 0, -1, octets // 1000)
        counters[f"{direction}_errors"] = None
        counters[f"{direction}_discards"] = random.integers(0, 3, shape)
        counters[f"{direction}_peak"] = None
    return DeviceSamples(
        np.array(numbers), np.array(ends), np.array(seconds), counters, random.random(shape) < 0.02
    )


def hours_of(found: DeviceSamples, count: int, series: int = 1) -> list[Rows]:
    return [
        fine_rows(_overlapping(found, START + hour * HOUR_S), START + hour * HOUR_S, series)
        for hour in range(count)
    ]


def _overlapping(found: DeviceSamples, start: float) -> DeviceSamples:
    """What the database returns for the hour."""
    kept = (found.end > start) & (found.end - found.seconds < start + HOUR_S)
    return DeviceSamples(
        found.series[kept],
        found.end[kept],
        found.seconds[kept],
        {name: None if values is None else values[kept] for name, values in found.counters.items()},
        None if found.resets is None else found.resets[kept],
    )


def whole(hours: list[Rows]) -> Rows:
    """All hours as one row."""
    arrays = {}
    for name in hours[0].arrays:
        found = [row.arrays[name] for row in hours]
        shape = hours[0].array("in_octets").shape
        present = any(values is not None for values in found)
        filled = [np.zeros(shape) if values is None else values for values in found]
        arrays[name] = np.concatenate(filled, axis=2) if present else None
    seconds = np.concatenate([row.seconds for row in hours], axis=1)
    return Rows(seconds, np.concatenate([row.samples for row in hours], axis=1), arrays)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from([5.0, 30.0, 299.0, 1500.0]))
def test_sums_over_every_level_equal_the_sums_over_samples(seed: int, interval_s: float) -> None:
    found = samples(np.random.default_rng(seed), 2, interval_s, series=2)
    last = math.ceil((found.end.max() - START) / HOUR_S)
    first = math.floor(((found.end - found.seconds).min() - START) / HOUR_S)
    hours = [
        fine_rows(_overlapping(found, START + hour * HOUR_S), START + hour * HOUR_S, 2)
        for hour in range(first, last)
    ]
    for direction in ("in", "out"):
        for name in ("octets", "packets", "discards"):
            values = found.counters[f"{direction}_{name}"]
            assert values is not None
            expected = np.stack([np.maximum(values[found.series == one], 0).sum(axis=0) for one in (0, 1)])
            actual = sum(row.array(f"{direction}_{name}").sum(axis=2) for row in hours)
            assert (actual == expected).all()
            coarse = sum(
                coarse_rows(row, bins).array(f"{direction}_{name}").sum(axis=2)
                for row in hours
                for bins in (1,)
            )
            assert (coarse == expected).all()
    assert sum(int(row.samples.sum()) for row in hours) == len(found.end)
    assert found.resets is not None
    assert sum(int(row.array("resets").sum()) for row in hours) == found.resets.sum()
    assert sum(row.seconds.sum() for row in hours) == pytest.approx(found.seconds.sum())


def test_every_sample_of_a_steady_rate_gives_the_same_bins() -> None:
    count = 13 * 120
    end: Floats = np.arange(1, count + 1, dtype=np.float64) * 30.0 + START + 7.0
    octets = np.full((count, PORTS), 30_000_000)
    counters = {
        f"{one}_{name}": octets
        for one in ("in", "out")
        for name in ("octets", "packets", "errors", "discards")
    }
    found = DeviceSamples(
        np.zeros(count, np.int64),
        end,
        np.full(count, 30.0),
        {**counters, "in_peak": None, "out_peak": octets // 20},
        None,
    )
    row = hours_of(found, 2)[1]
    assert row.means("in") == pytest.approx(8e6)
    for name in ("in_min", "in_max"):
        assert row.array(name) == pytest.approx(8e6)
    assert row.array("out_peak") == pytest.approx(12e6)
    assert row.arrays["in_peak"] is None
    assert row.arrays["in_missing"] is None
    assert row.seconds == pytest.approx(300.0)
    assert (row.samples == 10).all()


@settings(max_examples=10, deadline=None, derandomize=True)
@given(st.integers(0, 2**32))
def test_p95_of_a_day_is_that_of_the_samples(seed: int) -> None:
    random = np.random.default_rng(seed)
    found = samples(random, 24, 30.0)
    octets = found.counters["in_octets"]
    assert octets is not None
    np.maximum(octets, 0, out=octets)
    day = coarse_rows(whole(hours_of(found, 24)), 1)
    for port in range(PORTS):
        means = five_minute_means(
            found.end, found.seconds, octets[:, port].astype(np.float64), (START, START + DAY_S)
        )
        assert day.array("in_p95")[0, port, 0] == pytest.approx(nearest_rank(means), rel=0.005)


def test_hour_without_samples_has_empty_bins() -> None:
    found = samples(np.random.default_rng(1), 1, 30.0)
    cut = DeviceSamples(
        found.series[:3],
        found.end[:3],
        found.seconds[:3],
        {k: None if v is None else v[:3] for k, v in found.counters.items()},
        None,
    )
    row = fine_rows(cut, START + 5 * HOUR_S, 1)
    assert not row.seconds.any()
    assert np.isnan(row.array("in_max")).all()
    assert np.isnan(coarse_rows(row, 1).array("in_p95")).all()
