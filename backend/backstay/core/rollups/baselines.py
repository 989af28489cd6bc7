"""The usual load of a port by the hour of the week, from its hourly roll-ups. Pure.

The baseline of a time is made from the same hours of the 8 weeks before it, one value a week: the median,
and the 10th and 90th percentile with linear interpolation. It rests on the past alone, so that a load that
drops now is not part of it, and an outage in one of the weeks does not move the median. Weeks are 7 days of
24 h in UTC, as the bins of roll-ups: after a change to or from daylight saving time, local habits are an hour
off for as long as weeks before it count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.history import LEAST_COVERED, Floats
from backstay.core.rollups.bins import Ints
from backstay.core.rollups.levels import DAY_S, HOUR_S

WEEK_S = 7 * DAY_S
MOST_WEEKS = 8
LEAST_WEEKS = 3
"""With fewer weeks, the baseline is unknown."""
LOW, HIGH = 0.1, 0.9
MARGIN = 0.1
"""Of the median: a load this little below the band is not below the baseline."""


@dataclass(frozen=True, slots=True)
class HourlyLoads:
    """One direction's hours of roll-ups, ascending: parallel arrays; hours without a row are missing."""

    at: Floats
    """Start of each hour, Unix seconds."""
    octets: Floats
    seconds: Floats
    """Observed time."""


@dataclass(frozen=True, slots=True)
class UsualLoad:
    """The baseline of one time, bit/s."""

    median: float
    low: float
    high: float
    weeks: int


@dataclass(frozen=True, slots=True)
class Baseline:
    """One direction's baseline of consecutive bins, bit/s; NaN: unknown."""

    median: Floats
    low: Floats
    high: Floats
    weeks: Ints
    """Number of weeks that each bin rests on, also of unknown ones."""

    def usual(self, number: int) -> UsualLoad | None:
        """Of one bin; None: unknown."""
        if self.weeks[number] < LEAST_WEEKS:
            return None
        return UsualLoad(
            float(self.median[number]),
            float(self.low[number]),
            float(self.high[number]),
            int(self.weeks[number]),
        )


def read_from(first: float) -> float:
    """Start of the oldest hour on which the baseline of a bin from `first` rests."""
    return math.floor(first / HOUR_S) * HOUR_S - MOST_WEEKS * WEEK_S


def baseline(loads: HourlyLoads, starts: Floats, step_s: float) -> Baseline:
    """Of bins of `step_s`: their hours, or the hour that they are in, of earlier weeks."""
    low = np.floor(starts / HOUR_S).astype(np.int64)
    high = np.maximum(np.ceil((starts + step_s) / HOUR_S - 1e-9).astype(np.int64), low + 1)
    weeks = np.arange(1, MOST_WEEKS + 1)[:, None] * (WEEK_S // HOUR_S)
    octets, seconds = _sums(loads, low - weeks, high - weeks)
    return _spread(covered_rates(octets, seconds, (high - low) * HOUR_S))


def covered_rates(octets: Floats, seconds: Floats, longest_s: Floats | Ints | float) -> Floats:
    """bit/s of times of `longest_s`; NaN: too little of it was observed."""
    enough = seconds >= LEAST_COVERED * longest_s
    return np.asarray(np.where(enough, octets * 8 / np.where(enough, seconds, 1.0), np.nan))


def weekly_baseline(octets: Floats, seconds: Floats, longest_s: float) -> Baseline:
    """Of many loads at once: the first axis are the same hours of earlier weeks, `longest_s` long."""
    return _spread(covered_rates(octets, seconds, longest_s))


def are_below(bps: Floats, usual: Baseline) -> NDArray[np.bool_]:
    """`is_below` of many loads; False also where the load or the baseline is unknown."""
    return np.asarray(bps < usual.low - MARGIN * usual.median)


def _sums(loads: HourlyLoads, low: Ints, high: Ints) -> tuple[Floats, Floats]:
    """Octets and seconds of hours from `low` to `high`, counted since 1970."""
    hours = np.round(loads.at / HOUR_S).astype(np.int64)
    first, last = np.searchsorted(hours, low), np.searchsorted(hours, high)
    octets, seconds = (np.concatenate([[0.0], np.cumsum(part)]) for part in (loads.octets, loads.seconds))
    return octets[last] - octets[first], seconds[last] - seconds[first]


def _spread(rates: Floats) -> Baseline:
    """Over the first axis, the weeks."""
    ordered = np.sort(rates, axis=0)  # NaN comes last.
    weeks = (~np.isnan(ordered)).sum(axis=0)
    is_known = weeks >= LEAST_WEEKS
    median, low, high = (
        np.where(is_known, _quantile(ordered, weeks, share), np.nan) for share in (0.5, LOW, HIGH)
    )
    return Baseline(median, low, high, weeks)


def _quantile(ordered: Floats, count: Ints, share: float) -> Floats:
    """With linear interpolation, over the first axis."""
    place = share * np.maximum(count - 1, 0)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(count - 1, 0))
    start, end = (np.take_along_axis(ordered, at[None], axis=0)[0] for at in (below, above))
    return np.asarray(start + (end - start) * (place - below))


def is_below(bps: float | None, usual: UsualLoad | None) -> bool | None:
    """Whether a load is below its own history; None: the load or the baseline is unknown.

    A load that always was the same has no spread, so that it must also be below by a tenth of the median.
    A link that is idle at this hour is never below.
    """
    if bps is None or usual is None:
        return None
    return bps < usual.low - MARGIN * usual.median
