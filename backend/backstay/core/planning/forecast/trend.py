"""Robust linear trends of many daily series at once, and the day on which they reach a limit. Pure.

A series is one row of a matrix (series, days); column = day, NaN = no value. The model is
`value = level + slope (day - center) + weekday + noise`.

- Slope: median of the slopes of all pairs of days (Theil 1950, Sen 1968). From `WEEKLY_DAYS` of history on,
  only pairs of the same weekday count, so that a weekly pattern cannot bend it (seasonal Kendall slope:
  Hirsch, Slack and Smith 1982, Water Resources Research 18, 107-121).
- Weekdays: median of each weekday's residuals, relative to the middle weekday. The trend is therefore that of
  a middle weekday, which is a working day; busier days are full earlier.
- Noise: the median absolute deviation, widened by (1 + r) / (1 - r) for the autocorrelation r of one day
  (effective sample size of an AR(1) process: Zwiers and von Storch 1995, Journal of Climate 8, 336-351).
- Interval of the trend: t sqrt(pi/2 / n + (day - center)^2 / Sxx) times the noise, and of the day on which it
  reaches a limit: the days on which the interval's edges do (Fieller 1954; Draper and Smith, Applied
  Regression Analysis, 3.2). It holds as long as the trend continues as it was.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.history import Floats
from backstay.core.rollups.bins import Ints

WEEK = 7
WEEKLY_DAYS = 4 * WEEK
"""History from which on a weekly pattern is estimated."""
COVERAGE = 0.8
"""Of the intervals."""
_Z = NormalDist().inv_cdf((1 + COVERAGE) / 2)
_NORMAL_MAD = 1.4826
_NORMAL_MEAN_DEVIATION = 1.2533
_SLOPE_VARIANCE = math.pi / 3
"""Variance of the Theil-Sen slope relative to least squares, for normal noise."""
LEVEL_VARIANCE = math.pi / 2
"""Variance of a median relative to that of a mean, for normal noise."""
_LINE_PARAMETERS, _WEEKLY_PARAMETERS = 2, 1 + 2 * WEEK
"""By which residuals are too small. Medians of few values of a weekday shrink them more than means would;
the intervals' coverage in simulations is a test."""
_MOST_AUTOCORRELATION = 0.98


@dataclass(frozen=True, slots=True)
class Trends:
    """Trends of many series: arrays of (series,) unless stated otherwise; days are columns."""

    center: Floats
    """Mean of the days with a value."""
    level: Floats
    """Of the trend at `center`."""
    slope: Floats
    """Per day."""
    weekdays: Floats
    """(series, 7): added to the trend, by the weekday's number."""
    noise: Floats
    """Half the width of the interval: `noise * sqrt(LEVEL_VARIANCE / count + (day - center)^2 / spread)`."""
    count: Floats
    """Days with a value."""
    spread: Floats
    """Sum of the squared distances of these days from `center`."""

    def at(self, days: Floats | Ints) -> Floats:
        """The trend on these days: (days,) or (series, days)."""
        return np.asarray(self.level[:, None] + self.slope[:, None] * (days - self.center[:, None]))

    def margins(self, days: Floats | Ints) -> Floats:
        """Half the width of the trend's interval on these days."""
        distance = days - self.center[:, None]
        return np.asarray(
            self.noise[:, None]
            * np.sqrt(LEVEL_VARIANCE / self.count[:, None] + distance**2 / self.spread[:, None])
        )

    def predicted(self, days: Ints, weekday: Ints) -> Floats:
        """Values on these days with the weekly pattern: (series, days)."""
        return self.at(days) + self.weekdays[:, weekday]


@dataclass(frozen=True, slots=True)
class Crossings:
    """Days on which trends reach their limits: arrays of (series,); infinite: never, or before `since`."""

    trend: Floats
    earliest: Floats
    """The interval's upper edge."""
    latest: Floats


def fit(values: Floats, weekday: Ints) -> Trends:
    """Fit every series; each needs at least three values. `weekday`: of each column, 0 to 6."""
    known = ~np.isnan(values)
    first, last = known.argmax(axis=1), values.shape[1] - known[:, ::-1].argmax(axis=1)
    is_weekly = last - first >= WEEKLY_DAYS
    days = np.arange(values.shape[1], dtype=np.float64)
    count = known.sum(axis=1).astype(np.float64)
    center = np.where(known, days, 0).sum(axis=1) / count
    distance = days - center[:, None]
    spread = np.where(known, distance**2, 0).sum(axis=1)
    slope = np.empty(len(values))
    slope[is_weekly] = _slopes(values[is_weekly], range(WEEK, values.shape[1], WEEK))
    slope[~is_weekly] = _all_slopes(values[~is_weekly], first[~is_weekly])
    flat = values - slope[:, None] * distance
    weekdays = np.where(is_weekly[:, None], _weekday_offsets(flat, weekday), 0.0)
    flat = flat - weekdays[:, weekday]
    level = medians(flat)
    noise = _noise(flat - level[:, None], count, is_weekly)
    return Trends(center, level, slope, weekdays, noise, count, spread)


def crossings(trends: Trends, limit: Floats, since: float) -> Crossings:
    """When the trends, and the edges of their intervals, reach `limit` from below, from day `since` on.

    An edge, d days from the center: `(gap - slope d)^2 = noise^2 (LEVEL_VARIANCE / count + d^2 / spread)`.
    """
    gap, now = limit - trends.level, since - trends.center
    level_variance = trends.noise**2 * LEVEL_VARIANCE / trends.count
    with np.errstate(divide="ignore", invalid="ignore"):
        trend = np.where(trends.slope > 0, gap / trends.slope, np.inf)
        a = trends.slope**2 - trends.noise**2 / trends.spread
        half_b = gap * trends.slope
        root = np.sqrt(np.maximum(half_b**2 - a * (gap**2 - level_variance), 0))
        low, high = np.sort(np.stack([(half_b - root) / a, (half_b + root) / a]), axis=0)
    # a > 0: the slope differs from zero. Otherwise only the upper edge reaches the limit.
    is_rising = (a > 0) & (trends.slope > 0)
    earliest = np.where(a < 0, high, np.where(is_rising, low, np.inf))
    latest = np.where(is_rising, high, np.inf)
    found = (np.maximum(np.nan_to_num(part, nan=np.inf), now) for part in (trend, earliest, latest))
    return Crossings(*(part + trends.center for part in found))


def medians(values: Floats) -> Floats:
    """Of the known values of each row; NaN: it has none."""
    ordered = np.sort(values, axis=1)  # NaN comes last.
    count = (~np.isnan(ordered)).sum(axis=1)
    places = np.stack([np.maximum(count - 1, 0) // 2, count // 2], axis=1)
    if not ordered.shape[1]:
        return np.full(len(values), np.nan)
    places = np.minimum(places, ordered.shape[1] - 1)
    middle = np.take_along_axis(ordered, places, axis=1).mean(axis=1)
    return np.where(count > 0, middle, np.nan)


def _all_slopes(values: Floats, first: Ints) -> Floats:
    """Of short series: earlier columns are empty."""
    if not len(values):
        return np.empty(0)
    values = values[:, first.min() :]
    return _slopes(values, range(1, values.shape[1]))


def _slopes(values: Floats, lags: range) -> Floats:
    """Median slope over the pairs that are so many days apart."""
    if not len(values):
        return np.empty(0)
    return medians(np.concatenate([(values[:, lag:] - values[:, :-lag]) / lag for lag in lags], axis=1))


def _weekday_offsets(flat: Floats, weekday: Ints) -> Floats:
    """(series, 7), relative to the middle weekday; 0: the weekday has no value."""
    found = np.stack([medians(flat[:, weekday == number]) for number in range(WEEK)], axis=1)
    return np.nan_to_num(found - medians(found)[:, None])


def _noise(residuals: Floats, count: Floats, is_weekly: NDArray[np.bool_]) -> Floats:
    """Half a width of an interval for one day: t times the standard deviation, with its autocorrelation."""
    size = np.abs(residuals)
    deviation = medians(size) * _NORMAL_MAD
    mean = np.nansum(size, axis=1) / count * _NORMAL_MEAN_DEVIATION
    deviation = np.where(deviation > 0, deviation, mean)
    parameters = np.where(is_weekly, _WEEKLY_PARAMETERS, _LINE_PARAMETERS)
    deviation = deviation * np.sqrt(_SLOPE_VARIANCE * count / np.maximum(count - parameters, 1))
    again = _autocorrelation(residuals, deviation, count)
    independent = np.maximum(count * (1 - again) / (1 + again) - 2, 2)
    # The quantile of Student's t: first term of its Cornish-Fisher expansion.
    quantile = _Z + (_Z**3 + _Z) / (4 * independent)
    return np.asarray(deviation * quantile * np.sqrt((1 + again) / (1 - again)))


def _autocorrelation(residuals: Floats, deviation: Floats, count: Floats) -> Floats:
    """Of one day, 0 to 0.98, of residuals of which outliers are limited; corrected for the fitted line."""
    limit = 3 * np.where(deviation > 0, deviation, np.inf)[:, None]
    limited = np.nan_to_num(np.clip(residuals, -limit, limit), nan=0.0)
    known = ~np.isnan(residuals)
    pairs = (known[:, 1:] & known[:, :-1]).sum(axis=1)
    products = (limited[:, 1:] * limited[:, :-1]).sum(axis=1) / np.maximum(pairs, 1)
    variance = (limited**2).sum(axis=1) / count
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.nan_to_num(products / variance)
    return np.asarray(np.clip(found + (2 + 4 * found) / count, 0.0, _MOST_AUTOCORRELATION))
