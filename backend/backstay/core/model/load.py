"""Load of a link in both directions, from the newest samples of its two ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backstay.core.model.freshness import is_fresh


@dataclass(frozen=True, slots=True)
class PortRates:
    """Newest sample of one port as rates, bit/s; None if the source has no value."""

    at: datetime
    """End of the interval."""
    in_bps: int | None
    out_bps: int | None
    in_peak: int | None = None
    out_peak: int | None = None
    """In the busiest second of the interval."""


@dataclass(frozen=True, slots=True)
class Load:
    """Traffic in one direction; `utilisation` is the share of the usable rate."""

    bps: int
    utilisation: float
    peak_bps: int | None
    at: datetime
    fresh: bool


RateReading = tuple[datetime, int, int | None]
"""(at, bps, peak) of one direction, as one end reports it."""


def link_loads(
    a: PortRates | None, b: PortRates | None, usable_rate: int, now: datetime, interval_s: float
) -> tuple[Load | None, Load | None]:
    """(forward, back): forward is out of a or into b; the newer report of the two ends counts."""
    forward = _newest(_sent(a), _received(b))
    back = _newest(_received(a), _sent(b))
    return _load(forward, usable_rate, now, interval_s), _load(back, usable_rate, now, interval_s)


def _sent(end: PortRates | None) -> RateReading | None:
    return None if end is None or end.out_bps is None else (end.at, end.out_bps, end.out_peak)


def _received(end: PortRates | None) -> RateReading | None:
    return None if end is None or end.in_bps is None else (end.at, end.in_bps, end.in_peak)


def _newest(first: RateReading | None, second: RateReading | None) -> RateReading | None:
    if first is None or second is None:
        return first or second
    return second if second[0] > first[0] else first


def _load(reading: RateReading | None, usable_rate: int, now: datetime, interval_s: float) -> Load | None:
    if reading is None:
        return None
    at, bps, peak = reading
    used = round(bps / usable_rate, 4) if usable_rate else 0.0
    return Load(bps=bps, utilisation=used, peak_bps=peak, at=at, fresh=is_fresh(at, now, interval_s))
