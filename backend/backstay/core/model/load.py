"""A link's load in both directions, from the newest figures of its two ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backstay.core.model.freshness import is_fresh


@dataclass(frozen=True, slots=True)
class Reading:
    """One port's newest sample as rates, bit/s; None where the source gave no figure."""

    at: datetime
    """End of the interval."""
    in_bps: int | None
    out_bps: int | None
    in_peak: int | None = None
    out_peak: int | None = None
    """Of the busiest second of the interval."""


@dataclass(frozen=True, slots=True)
class Load:
    """Traffic in one direction; `utilisation` is 0..1 of the usable rate."""

    bps: int
    utilisation: float
    peak_bps: int | None
    at: datetime
    fresh: bool


Figure = tuple[datetime, int, int | None]
"""(at, bps, peak): what one end says of one direction."""


def link_loads(
    a: Reading | None, b: Reading | None, usable_rate: int, now: datetime, interval_s: float
) -> tuple[Load | None, Load | None]:
    """(forward, back): forward is out of a or into b, and the end that was heard last is believed."""
    forward = _newest(_sent(a), _received(b))
    back = _newest(_received(a), _sent(b))
    return _load(forward, usable_rate, now, interval_s), _load(back, usable_rate, now, interval_s)


def _sent(end: Reading | None) -> Figure | None:
    return None if end is None or end.out_bps is None else (end.at, end.out_bps, end.out_peak)


def _received(end: Reading | None) -> Figure | None:
    return None if end is None or end.in_bps is None else (end.at, end.in_bps, end.in_peak)


def _newest(first: Figure | None, second: Figure | None) -> Figure | None:
    if first is None or second is None:
        return first or second
    return second if second[0] > first[0] else first


def _load(figure: Figure | None, usable_rate: int, now: datetime, interval_s: float) -> Load | None:
    if figure is None:
        return None
    at, bps, peak = figure
    used = round(bps / usable_rate, 4) if usable_rate else 0.0
    return Load(bps=bps, utilisation=used, peak_bps=peak, at=at, fresh=is_fresh(at, now, interval_s))
