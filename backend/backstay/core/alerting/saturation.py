"""Saturation of a link direction: three consecutive samples over the raise mark, three under the clear mark.

The marks are 90 % and 75 % of the usable rate, so that a load near the limit does not flap. Each sample
counts once, whichever end of the link reports it. Stale data does not count, and samples on both sides of a
gap are not consecutive.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from backstay.core.model.freshness import max_age_s
from backstay.core.model.load import Load
from backstay.core.thresholds import SATURATED, SATURATION_CLEARS_BELOW, SATURATION_SAMPLES


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Fractions of the usable rate, and the number of consecutive samples required."""

    raise_at: float = SATURATED
    clear_at: float = SATURATION_CLEARS_BELOW
    samples: int = SATURATION_SAMPLES


@dataclass(frozen=True, slots=True)
class Count:
    """State of one direction, kept between evaluations."""

    firing: bool = False
    bad: int = 0
    """Consecutive samples at or above `raise_at`, while not firing."""
    good: int = 0
    """Consecutive samples below `clear_at`, while firing."""
    judged_at: datetime | None = None
    """End of the newest sample that was counted."""


def judge(count: Count, load: Load | None, thresholds: Thresholds, interval_s: float) -> Count:
    """Return the count after this load; unchanged if the load is stale or already counted."""
    if load is None or not load.fresh or not _is_new(count.judged_at, load.at, interval_s):
        return count
    if _after_gap(count.judged_at, load.at, interval_s):
        count = replace(count, bad=0, good=0)
    seen = replace(count, judged_at=load.at)
    if count.firing:
        good = count.good + 1 if load.utilisation < thresholds.clear_at else 0
        return Count(judged_at=load.at) if good >= thresholds.samples else replace(seen, good=good)
    bad = count.bad + 1 if load.utilisation >= thresholds.raise_at else 0
    if bad >= thresholds.samples:
        return Count(firing=True, bad=bad, judged_at=load.at)
    return replace(seen, bad=bad)


def _is_new(judged_at: datetime | None, at: datetime, interval_s: float) -> bool:
    """Both ends report the same traffic slightly apart; half an interval later it is a new sample."""
    return judged_at is None or (at - judged_at).total_seconds() > interval_s / 2


def _after_gap(judged_at: datetime | None, at: datetime, interval_s: float) -> bool:
    return judged_at is not None and (at - judged_at).total_seconds() > max_age_s(interval_s)
