"""Forecasts of exhaustion on simulated series: dates and intervals where there is a trend, else a reason."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.history import Floats
from backstay.core.planning.forecast.exhaustion import (
    HORIZON_DAYS,
    ExhaustionForecast,
    forecasts,
)
from backstay.core.planning.forecast.trend import crossings, fit, medians

USABLE = 1e9
WEEKEND = np.where(np.arange(7) >= 5, -0.3, 0.0) * USABLE
"""Monday first."""


def series(days: int, level: float, slope: float, noise: float = 0.02, seed: int = 1) -> Floats:
    """Shares of the usable rate, with quiet weekends, as bit/s: (days,)."""
    day = np.arange(days)
    random = np.random.default_rng(seed).normal(0, noise, days)
    return np.maximum((level + slope * day + random) * USABLE + WEEKEND[day % 7], 0)


def one(values: Floats, usable: float = USABLE) -> ExhaustionForecast:
    """The first column is a Monday."""
    return forecasts(values[None], np.array([usable]), 0)[0]


def test_linear_growth_with_a_weekly_pattern_has_its_date_in_the_interval() -> None:
    found = one(series(120, 0.4, 0.003))
    assert found.state == "within_year"
    assert found.full_on == pytest.approx(200, abs=5)
    assert found.earliest is not None
    assert found.latest is not None
    assert found.earliest < 200 < found.latest
    assert found.latest - found.earliest < 30
    assert found.error is not None
    assert found.naive_error is not None
    assert found.error < found.naive_error
    assert found.line is not None
    assert found.line.slope == pytest.approx(0.003 * USABLE, rel=0.05)
    assert min(found.line.weekdays) == pytest.approx(-0.3 * USABLE, rel=0.1)


def test_gaps_and_outliers_do_not_move_the_date() -> None:
    values = series(120, 0.4, 0.003)
    values[[17, 40, 41, 42, 80, 99]] = np.nan
    values[[20, 63, 88]] *= 3
    found = one(values)
    assert found.full_on == pytest.approx(200, abs=6)


def test_noise_has_no_forecast() -> None:
    values = np.random.default_rng(2).exponential(0.3 * USABLE, (20, 150))
    found = forecasts(values, np.full(20, USABLE), 0)
    assert {item.state for item in found} == {"unknown"}
    assert all(item.line is None and item.full_on is None for item in found)
    assert "off by" in found[0].reason


@pytest.mark.parametrize("day", [45, 60, 80, 95, 105, 115])
def test_a_step_is_no_trend(day: int) -> None:
    values = series(120, 0.3, 0.0)
    values[day:] += 0.3 * USABLE
    found = one(values)
    assert found.state == "unknown"
    assert found.reason


def test_a_step_of_long_ago_does_not_matter() -> None:
    values = series(120, 0.3, 0.0)
    values[20:] += 0.3 * USABLE
    assert one(values).state == "not_within_year"


def test_a_flat_load_is_not_full_within_a_year() -> None:
    found = one(series(120, 0.5, 0.0))
    assert (found.state, found.full_on, found.latest) == ("not_within_year", None, None)
    assert found.current == pytest.approx(0.5 * USABLE, rel=0.05)


def test_a_load_without_noise_has_an_exact_date() -> None:
    day = np.arange(60, dtype=np.float64)
    found = one((0.2 + 0.005 * day) * USABLE)
    assert found.full_on == pytest.approx(160)
    assert found.earliest == pytest.approx(160)
    assert found.latest == pytest.approx(160)


def test_an_idle_link_is_not_full_whatever_its_percentages() -> None:
    values = np.random.default_rng(3).exponential(1000, 90)
    assert one(values).state == "not_within_year"
    assert one(np.zeros(90)).state == "not_within_year"


def test_a_falling_load_is_not_full_within_a_year() -> None:
    assert one(series(120, 0.8, -0.002)).state == "not_within_year"


def test_a_saturated_link_is_full_already_however_short_its_history() -> None:
    found = one(np.full(10, 0.96 * USABLE))
    assert (found.state, found.full_on, found.reason) == ("saturated", 9, "")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.full(50, np.nan), "No day has a value."),
        (np.full(13, 0.5 * USABLE), "13 days of history: 14 are needed."),
        (np.r_[np.full(40, 0.5 * USABLE), np.full(5, np.nan)], "The newest value is 5 days old."),
        (np.where(np.arange(41) % 2, np.nan, 0.5 * USABLE), "20 of 41 days have no value."),
    ],
)
def test_too_little_history_is_named(values: Floats, reason: str) -> None:
    assert one(values).reason == reason


def test_an_unknown_usable_rate_is_named() -> None:
    found = one(series(120, 0.4, 0.003), usable=0.0)
    assert (found.state, found.reason) == ("unknown", "The usable rate is unknown.")


def test_an_interval_wider_than_a_year_is_no_forecast() -> None:
    reasons = {one(series(28, 0.6, 0.0015, 0.08, seed)).reason for seed in range(20)}
    assert "The interval is wider than a year." in reasons


def test_every_series_is_forecast_as_if_it_were_alone() -> None:
    rows = [series(120, 0.4, 0.003), series(120, 0.3, 0.0), series(120, 0.5, 0.002, 0.05)]
    rows[1][:100] = np.nan
    rows[2][:60] = np.nan
    together = forecasts(np.stack(rows), np.full(3, USABLE), 0)
    for row, found in zip(rows, together, strict=True):
        alone = one(row)
        assert (found.state, found.reason) == (alone.state, alone.reason)
        assert found.full_on == pytest.approx(alone.full_on) if alone.full_on else found.full_on is None


@pytest.mark.parametrize(("days", "correlation"), [(60, 0.0), (120, 0.0), (180, 0.0), (120, 0.5), (120, 0.8)])
def test_intervals_contain_the_true_date_in_about_four_of_five_series(days: int, correlation: float) -> None:
    """All that are forecast, of 600 with growths, levels and AR(1) noise of their own."""
    random, number = np.random.default_rng(days), 600
    noise = random.normal(0, 0.03, (number, days))
    for day in range(1, days):
        noise[:, day] = correlation * noise[:, day - 1] + np.sqrt(1 - correlation**2) * noise[:, day]
    level, slope = random.uniform(0.2, 0.5, number), random.uniform(0.001, 0.003, number)
    shares = level[:, None] + slope[:, None] * np.arange(days) + noise
    values = np.maximum(shares * USABLE + WEEKEND[np.arange(days) % 7], 1)
    found = forecasts(values, np.full(number, USABLE), 0)
    true = (1 - level) / slope
    inside = [
        item.earliest <= date <= item.latest
        for item, date in zip(found, true, strict=True)
        if item.earliest is not None and item.latest is not None
    ]
    assert len(inside) > number / 3
    assert 0.7 <= np.mean(inside) <= 0.9


@settings(max_examples=60, deadline=None)
@given(
    st.integers(14, 60),
    st.floats(0, 0.8),
    st.floats(-0.01, 0.02),
    st.floats(0, 0.5),
    st.integers(0, 2**32 - 1),
)
def test_a_forecast_is_consistent_with_itself(
    days: int, level: float, slope: float, noise: float, seed: int
) -> None:
    found = one(series(days, level, slope, noise, seed))
    assert (found.state == "unknown") == bool(found.reason)
    if found.state == "within_year":
        assert found.full_on is not None
        assert found.earliest is not None
        assert found.latest is not None
        assert days <= found.earliest <= found.full_on <= found.latest
        assert found.full_on <= days - 1 + HORIZON_DAYS
        assert found.latest - found.earliest <= HORIZON_DAYS
    else:
        assert found.latest is None
        assert (found.full_on is None) == (found.state != "saturated")


def test_edges_of_the_interval_reach_the_limit_on_the_days_named() -> None:
    trends = fit(series(90, 0.4, 0.003, 0.05)[None], np.arange(90) % 7)
    when = crossings(trends, np.array([USABLE]), 90)
    for day, side in ((when.earliest, 1), (when.latest, -1)):
        assert trends.at(day)[0] + side * trends.margins(day)[0] == pytest.approx(USABLE)


def test_medians_leave_out_what_is_unknown() -> None:
    values = np.array([[3.0, np.nan, 1.0, 2.0], [np.nan, 4.0, 2.0, np.nan], [np.nan] * 4])
    assert medians(values) == pytest.approx([2.0, 3.0, np.nan], nan_ok=True)
