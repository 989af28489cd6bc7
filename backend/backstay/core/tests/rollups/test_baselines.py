"""Baselines by the hour of the week: which weeks count, robust spread, and what is below."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.model.history import Floats
from backstay.core.rollups.baselines import (
    MOST_WEEKS,
    WEEK_S,
    HourlyLoads,
    UsualLoad,
    are_below,
    baseline,
    is_below,
    read_from,
    weekly_baseline,
)
from backstay.core.rollups.levels import DAY_S, HOUR_S

MONDAY = 1_772_409_600.0
"""Monday 2 March 2026, 00:00 UTC."""


WEEK: Floats = np.array([MONDAY + HOUR_S * number for number in range(168)])


def hours(weeks: int) -> Floats:
    """Starts of the hours of so many weeks before MONDAY."""
    found: Floats = MONDAY - weeks * WEEK_S + HOUR_S * np.arange(weeks * 168, dtype=np.float64)
    return found


def loads(at: Floats, bps: Floats, seconds: float = HOUR_S) -> HourlyLoads:
    return HourlyLoads(at, bps * seconds / 8, np.full(len(at), seconds))


def by_week(*bps: float) -> HourlyLoads:
    """One rate a week, oldest first."""
    return loads(hours(len(bps)), np.repeat(bps, 168))


def test_each_hour_of_the_week_has_its_own_baseline() -> None:
    at = hours(8)
    found = baseline(loads(at, at % WEEK_S), WEEK, HOUR_S)
    expected = WEEK % WEEK_S
    assert found.median == pytest.approx(expected)
    assert found.low == pytest.approx(expected)
    assert (found.weeks == 8).all()


def test_median_and_percentiles_are_those_of_numpy_over_the_weeks() -> None:
    rates = np.random.default_rng(2).lognormal(10, 1, 8)
    found = baseline(by_week(*rates), np.array([MONDAY + 5 * HOUR_S]), HOUR_S)
    for values, share in ((found.median, 50), (found.low, 10), (found.high, 90)):
        assert values[0] == pytest.approx(np.percentile(rates, share))


def test_only_the_eight_weeks_before_a_bin_count() -> None:
    found = baseline(by_week(*[900] * 4, *[100] * 8), np.array([MONDAY]), HOUR_S)
    assert (found.median[0], found.high[0], found.weeks[0]) == (100, 100, 8)
    assert read_from(MONDAY + 1800) == MONDAY - MOST_WEEKS * WEEK_S
    earlier = baseline(by_week(*[900] * 4, *[100] * 8), np.array([MONDAY - 8 * WEEK_S]), HOUR_S)
    assert (earlier.median[0], earlier.weeks[0]) == (900, 4)


def test_one_week_of_an_outage_does_not_move_the_median() -> None:
    found = baseline(by_week(100, 100, 100, 100, 0, 100, 100, 100), np.array([MONDAY]), HOUR_S)
    assert found.median[0] == 100
    assert found.high[0] == 100
    assert found.low[0] == pytest.approx(70)


@pytest.mark.parametrize(("weeks", "is_known"), [(0, False), (2, False), (3, True)])
def test_fewer_than_three_weeks_are_unknown(weeks: int, is_known: bool) -> None:
    found = baseline(by_week(*[100] * weeks), np.array([MONDAY]), HOUR_S)
    assert found.weeks[0] == weeks
    assert (found.usual(0) is not None) == is_known
    assert np.isnan(found.median[0]) == (not is_known)


def test_hours_that_were_hardly_observed_do_not_count() -> None:
    at = hours(8)
    seconds = np.where(at >= MONDAY - 4 * WEEK_S, HOUR_S, 600.0)
    found = baseline(HourlyLoads(at, np.full(len(at), 450.0), seconds), np.array([MONDAY]), HOUR_S)
    assert (found.median[0], found.weeks[0]) == (1, 4)


def test_missing_hours_are_skipped_not_shifted() -> None:
    at = hours(8)
    kept = (at % WEEK_S) // HOUR_S % 5 != 0
    found = baseline(loads(at[kept], (at % WEEK_S)[kept]), WEEK, HOUR_S)
    expected = WEEK % WEEK_S
    is_gap = expected // HOUR_S % 5 == 0
    assert (found.weeks == np.where(is_gap, 0, 8)).all()
    assert found.median[~is_gap] == pytest.approx(expected[~is_gap])


def test_bins_narrower_than_an_hour_have_that_of_their_hour_and_wider_ones_the_mean() -> None:
    at = hours(8)
    found = baseline(loads(at, at % WEEK_S), np.array([MONDAY + 300.0 * number for number in range(24)]), 300)
    assert (found.median[:12] == found.median[0]).all()
    assert (found.median[12:] == found.median[12]).all()
    day = baseline(loads(at, at % WEEK_S), np.array([MONDAY]), DAY_S)
    first = MONDAY % WEEK_S
    assert day.median[0] == pytest.approx(first + 11.5 * HOUR_S)


def test_load_is_below_its_history_only_beyond_band_and_margin() -> None:
    usual = UsualLoad(median=100, low=60, high=140, weeks=8)
    assert is_below(49, usual) is True
    assert is_below(51, usual) is False, "within a tenth of the median below the band"
    assert is_below(300, usual) is False
    steady = UsualLoad(100, 100, 100, 4)
    assert (is_below(95, steady), is_below(80, steady)) == (False, True)
    assert is_below(0, UsualLoad(0, 0, 0, 8)) is False, "idle"
    assert is_below(None, usual) is None
    assert is_below(0, None) is None


@given(
    st.lists(
        st.tuples(st.integers(0, 10**9), st.sampled_from([0.0, 1000.0, 3600.0])), min_size=8, max_size=8
    ),
    st.one_of(st.none(), st.floats(0, 1e6)),
)
def test_many_baselines_at_once_agree_with_one(hours: list[tuple[int, float]], bps: float | None) -> None:
    octets, seconds = (np.array(part, np.float64).reshape(8, 1) for part in zip(*hours, strict=True))
    many = weekly_baseline(octets, seconds, HOUR_S)
    at = np.arange(8) * 168.0 * HOUR_S
    one = baseline(
        HourlyLoads(np.asarray(at, np.float64), octets[::-1, 0], seconds[::-1, 0]),
        np.array([8 * 168.0 * HOUR_S]),
        HOUR_S,
    )
    assert np.array_equal(many.median, one.median, equal_nan=True)
    assert many.weeks.tolist() == one.weeks.tolist()
    load = np.array([np.nan if bps is None else bps])
    assert bool(are_below(load, many)[0]) is bool(is_below(bps, one.usual(0)))
