"""When a link's direction is saturated: three samples in a row over the mark, and three under it to clear.

Raise and clear marks lie apart (90 % and 75 % of the usable rate) so that a load at the edge does not
flap. Each sample counts once, whichever end of the link reported it; stale data counts for nothing, and
samples on both sides of a gap are not in a row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from backstay.core.model.freshness import max_age_s
from backstay.core.model.load import Load
from backstay.core.thresholds import SATURATED, SATURATION_CLEARS_BELOW, SATURATION_SAMPLES


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Fractions of the usable rate, and how many samples in a row it takes."""

    raise_at: float = SATURATED
    clear_at: float = SATURATION_CLEARS_BELOW
    samples: int = SATURATION_SAMPLES


@dataclass(frozen=True, slots=True)
class Count:
    """What is remembered of one direction between rounds."""

    firing: bool = False
    bad: int = 0
    """Samples in a row at or over `raise_at`, while not firing."""
    good: int = 0
    """Samples in a row under `clear_at`, while firing."""
    judged_at: datetime | None = None
    """End of the newest sample already counted."""


def judge(count: Count, load: Load | None, thresholds: Thresholds, interval_s: float) -> Count:
    """The count after this load was looked at; the same count when it is no news."""
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
    """Both ends report the same traffic a little apart: half an interval on, it is another sample."""
    return judged_at is None or (at - judged_at).total_seconds() > interval_s / 2


def _after_gap(judged_at: datetime | None, at: datetime, interval_s: float) -> bool:
    return judged_at is not None and (at - judged_at).total_seconds() > max_age_s(interval_s)
