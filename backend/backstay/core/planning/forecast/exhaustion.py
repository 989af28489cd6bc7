"""When links are full: forecasts with their back-test, or the reason why there is none. Pure.

The back-test fits all but the last quarter of a series, forecasts this quarter with its weekly pattern, and
compares the error with that of a naive forecast: the median of the last week before, carried forward. A
forecast is unknown if

- history is short, has gaps, or ends days ago;
- the mean absolute percentage error exceeds `WORST_ERROR`, from which on Lewis (1982, Industrial and Business
  Forecasting Methods) calls forecasts inaccurate. Errors below `NEGLIGIBLE` of the usable rate do not count:
  percentages of an idle link mean nothing;
- the naive forecast was as good: then there is no trend to continue. "Not within a year" needs less, as it
  does not rest on the trend's slope: `TOLERANCE` times the naive error;
- the held-out days, or the last week, left the trend of the days before (Chow's predictive test, 1960, on
  their median);
- the interval is wider than the horizon.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from backstay.core.formatting import count, part_of, share
from backstay.core.model.history import Floats
from backstay.core.planning.forecast.trend import WEEK, Crossings, Trends, crossings, fit, medians
from backstay.core.rollups.bins import Ints
from backstay.core.thresholds import SATURATED

ForecastState = Literal["saturated", "within_year", "not_within_year", "unknown"]
HORIZON_DAYS = 365
HISTORY_DAYS = 26 * WEEK
"""Older values say little about the trend of today."""
LEAST_DAYS = 14
LEAST_KNOWN = 0.75
"""Part of the days since the first value that must have one."""
NEWEST_DAYS = 3
"""The newest value is at most so old, in whole days."""
LEAST_OF_WEEK = 4
"""Days of the last week that a saturation needs."""
STALE_AFTER = timedelta(days=1)
"""A forecast that rests on values older than this, before the newest complete day, says nothing."""
HELD_OUT = 0.25
WORST_ERROR = 0.5
NEGLIGIBLE = 0.02
TOLERANCE = 1.2
BREAK_Z = 2.6
"""Standard errors by which the held-out days' median may leave the trend: 1 % of steady trends do."""
_MEDIAN_DEVIATION = 1.2533
"""Standard error of a median relative to that of a mean, for normal noise."""


@dataclass(frozen=True, slots=True)
class TrendLine:
    """A fitted trend: all that a chart of it needs. Days count from the first column, rates are in bit/s."""

    center: float
    level: float
    slope: float
    weekdays: tuple[float, ...]
    noise: float
    count: int
    spread: float


@dataclass(frozen=True, slots=True)
class ExhaustionForecast:
    """Of one series; days count from the first column."""

    state: ForecastState
    reason: str
    """Why it is unknown; empty: it is not."""
    current: float | None
    """Median of the last week, bit/s; None: too few values."""
    full_on: float | None = None
    earliest: float | None = None
    latest: float | None = None
    """None: not within the interval's width limit, or there is no date."""
    error: float | None = None
    """Mean absolute percentage error of the back-test, 0..1; None: none, or the load was zero."""
    naive_error: float | None = None
    line: TrendLine | None = None


@dataclass(frozen=True, slots=True)
class _BackTest:
    """Arrays of (series,)."""

    days: Ints
    percent: Floats
    naive_percent: Floats
    error: Floats
    """Mean absolute error, bit/s."""
    naive_error: Floats
    shift: Floats
    """Median error in standard errors."""


@dataclass(frozen=True, slots=True)
class _Fits:
    """Of all series; arrays of (series,)."""

    newest: int
    """The last column."""
    trends: Trends
    test: _BackTest
    when: Crossings
    has_left: NDArray[np.bool_]
    """Whether the last week left the trend."""


def forecasts(values: Floats, usable: Floats, first_weekday: int) -> list[ExhaustionForecast]:
    """Forecast every series: daily values in bit/s, (series, days), up to the newest complete day.

    `usable`: rates of (series,), 0: unknown. `first_weekday`: of the first column, 0 to 6.
    """
    weekday = (np.arange(values.shape[1]) + first_weekday) % WEEK
    recent = _last_week(values)
    found = [
        ExhaustionForecast("unknown", _lack(row, rate), None if np.isnan(now) else float(now))
        for row, rate, now in zip(values, usable, recent, strict=True)
    ]
    is_saturated = (usable > 0) & (np.nan_to_num(recent) >= SATURATED * usable)
    for place in np.nonzero(is_saturated)[0].tolist():
        found[place] = ExhaustionForecast(
            "saturated", "", float(recent[place]), full_on=float(values.shape[1] - 1)
        )
    fitted = np.array([not item.reason and item.state == "unknown" for item in found], np.bool_)
    places = np.nonzero(fitted)[0].tolist()
    for place, item in zip(
        places, _fitted(values[fitted], usable[fitted], recent[fitted], weekday), strict=True
    ):
        found[place] = item
    return found


def _last_week(values: Floats) -> Floats:
    """Median of the last week of each series; NaN: too few values."""
    week = values[:, -WEEK:]
    return np.where((~np.isnan(week)).sum(axis=1) >= LEAST_OF_WEEK, medians(week), np.nan)


def _lack(row: Floats, usable: float) -> str:
    """Why a series cannot be fitted; empty: it can."""
    if usable <= 0:
        return "The usable rate is unknown."
    known = np.nonzero(~np.isnan(row))[0]
    if not len(known):
        return "No day has a value."
    age, span = len(row) - 1 - int(known[-1]), int(known[-1] - known[0]) + 1
    if age > NEWEST_DAYS:
        return f"The newest value is {count(age, 'day')} old."
    if len(known) < LEAST_DAYS:
        return f"{count(len(known), 'day')} of history: {LEAST_DAYS} are needed."
    if len(known) < LEAST_KNOWN * span:
        return f"{part_of(span - len(known), span, 'day')} have no value."
    return ""


def _fitted(values: Floats, usable: Floats, recent: Floats, weekday: Ints) -> list[ExhaustionForecast]:
    if not len(values):
        return []
    newest = values.shape[1] - 1
    trends = fit(values, weekday)
    has_left = _has_left(values, trends, weekday) | (trends.at(np.array([newest + 1.0]))[:, 0] >= usable)
    fits = _Fits(newest, trends, _back_test(values, weekday), crossings(trends, usable, newest + 1), has_left)
    return [
        _forecast(fits, number, float(rate), float(now))
        for number, (rate, now) in enumerate(zip(usable, recent, strict=True))
    ]


def _has_left(values: Floats, trends: Trends, weekday: Ints) -> NDArray[np.bool_]:
    """Whether the last week left the trend of the days before."""
    days = np.arange(values.shape[1])[-WEEK:]
    week = values[:, -WEEK:]
    errors = medians(week - trends.predicted(days, weekday[-WEEK:]))
    number = np.maximum((~np.isnan(week)).sum(axis=1), 1)
    shift = _shift(trends, errors, np.full(len(values), days.mean()), number)
    return np.abs(shift) > BREAK_Z


def _forecast(fits: _Fits, number: int, usable: float, recent: float) -> ExhaustionForecast:
    when, test, horizon = fits.when, fits.test, fits.newest + HORIZON_DAYS
    full_on, earliest, latest = (float(part[number]) for part in (when.trend, when.earliest, when.latest))
    current = None if np.isnan(recent) else recent
    reason = _misfit(number, test, usable, is_dated=earliest <= horizon)
    if not reason and fits.has_left[number]:
        reason = "The last week left the trend of the days before."
    if not reason and earliest <= horizon and latest - earliest > HORIZON_DAYS:
        reason = "The interval is wider than a year."
    if reason:
        return ExhaustionForecast("unknown", reason, current)
    return ExhaustionForecast(
        state="within_year" if full_on <= horizon else "not_within_year",
        reason="",
        current=current,
        full_on=full_on if full_on <= horizon else None,
        earliest=earliest if earliest <= horizon else None,
        latest=latest if full_on <= horizon else None,
        error=_known(test.percent[number]),
        naive_error=_known(test.naive_percent[number]),
        line=_line(number, fits.trends),
    )


def _misfit(number: int, test: _BackTest, usable: float, *, is_dated: bool) -> str:
    """Why the back-test forbids a forecast; empty: it does not."""
    percent, error, naive = (float(part[number]) for part in (test.percent, test.error, test.naive_error))
    days = count(int(test.days[number]), "day")
    if error <= NEGLIGIBLE * usable and not is_dated:
        return ""
    if not percent <= WORST_ERROR:
        return f"A forecast of the last {days} was off by {share(percent)}."
    if error >= naive * (1 if is_dated else TOLERANCE):
        return f"A forecast of the last {days} was no better than the last value: no clear trend."
    if abs(float(test.shift[number])) > BREAK_Z:
        return f"The last {days} left the trend of the days before."
    return ""


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _line(number: int, trends: Trends) -> TrendLine:
    return TrendLine(
        center=float(trends.center[number]),
        level=float(trends.level[number]),
        slope=float(trends.slope[number]),
        weekdays=tuple(trends.weekdays[number].tolist()),
        noise=float(trends.noise[number]),
        count=int(trends.count[number]),
        spread=float(trends.spread[number]),
    )


def _back_test(values: Floats, weekday: Ints) -> _BackTest:
    """Of every series, with its own last quarter."""
    days = np.arange(values.shape[1])
    known = ~np.isnan(values)
    first, last = known.argmax(axis=1), days[-1] - known[:, ::-1].argmax(axis=1)
    start = last + 1 - np.floor((last - first + 1) * HELD_OUT).astype(np.int64)
    is_held_out = days >= start[:, None]
    before = np.where(is_held_out, np.nan, values)
    trends = fit(before, weekday)
    # Lined up by the end of what was fitted.
    is_week = ~is_held_out & (days >= start[:, None] - WEEK)
    naive = medians(np.where(is_week, values, np.nan))
    held = np.where(is_held_out, values, np.nan)
    errors, naive_errors = held - trends.predicted(days, weekday), held - naive[:, None]
    number = (~np.isnan(held)).sum(axis=1)
    return _BackTest(
        number,
        _percent(errors, held),
        _percent(naive_errors, held),
        np.nansum(np.abs(errors), axis=1) / number,
        np.nansum(np.abs(naive_errors), axis=1) / number,
        _shift(trends, medians(errors), (start + last) / 2, number),
    )


def _percent(errors: Floats, values: Floats) -> Floats:
    """Mean absolute percentage error, 0..1, over the days with a load; NaN: none has."""
    is_loaded = np.nan_to_num(values) > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = np.where(is_loaded, np.abs(errors) / values, 0.0)
        return np.asarray(parts.sum(axis=1) / is_loaded.sum(axis=1))


def _shift(trends: Trends, errors: Floats, middle: Floats, number: Ints) -> Floats:
    """The median error in standard errors, those of the trend in the middle of the days and of a median."""
    from_trend = trends.margins(middle[:, None])[:, 0]
    of_median = trends.noise * _MEDIAN_DEVIATION / np.sqrt(number)
    error = np.hypot(from_trend, of_median) / 1.2816
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(errors == 0, 0.0, errors / error)


def is_stale(day: date | None, newest: date) -> bool:
    """Whether a forecast that rests on values up to `day` is too old to rely on."""
    return day is None or newest - day > STALE_AFTER
