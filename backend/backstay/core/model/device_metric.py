"""Device metrics: health of a value, growth rate, and history in a few hundred bins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Literal, Protocol

import numpy as np

from backstay.core.model.freshness import max_age_s
from backstay.core.model.history import P95_BIN_S, Floats
from backstay.core.model.state.rules import Facts, StateRule, decide
from backstay.core.rollups.levels import SourceName

MetricKind = Literal["growth", "level", "state"]
MetricState = Literal["ok", "warning", "unknown"]
METRIC_STATES: Sequence[StateRule[MetricState]] = (
    StateRule("unknown", {"is_fresh": False}),
    StateRule("unknown", {"is_registered": False}),
    StateRule("warning", {"kind": "state", "is_healthy": False}),
    StateRule("ok", {"kind": "state"}),
    StateRule("unknown", {"has_number": False}),
    StateRule("unknown", {"kind": "growth", "is_counted": False}),
    StateRule("warning", {"is_error": True, "is_above_zero": True}),
    StateRule("ok"),
)
"""Health of a value; `kind` is that of the registered metric. SQL: `telemetry.selectors.metrics`."""
MISSED_INTERVALS = 2.5
"""Missed intervals of a slow collector after which its metrics are stale."""
REPEAT_S = 60.0
"""Agents repeat unchanged metrics this often, whatever their interval (docs/agent.md)."""
COUNTED = frozenset({0, 1, 3})
"""Outcomes with a known growth: ok, wrapped, gap (wire: DeltaOutcome)."""


class Meaning(Protocol):
    """Registry entry of a metric (wire: Metric)."""

    @property
    def kind(self) -> MetricKind: ...
    @property
    def error(self) -> bool: ...
    @property
    def good(self) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class MetricReading:
    """Last report of one metric: a number or a state."""

    number: float | None
    state: str | None
    outcome: int
    at: datetime
    duration_s: float | None


def is_fresh(reading: MetricReading, now: datetime, interval_s: float) -> bool:
    """Whether the value is current."""
    period_s = max(reading.duration_s or 0, REPEAT_S)
    longest = max(max_age_s(interval_s), MISSED_INTERVALS * period_s)
    return (now - reading.at).total_seconds() <= longest


def metric_facts(reading: MetricReading, meaning: Meaning | None, *, fresh: bool) -> Facts:
    """Facts of `METRIC_STATES`; a metric without healthy states is always healthy."""
    good = frozenset[str]() if meaning is None else meaning.good
    return {
        "is_fresh": fresh,
        "is_registered": meaning is not None,
        "kind": None if meaning is None else meaning.kind,
        "is_healthy": not good or (reading.state or "") in good,
        "has_number": reading.number is not None,
        "is_counted": reading.outcome in COUNTED,
        "is_error": meaning is not None and meaning.error,
        "is_above_zero": reading.number is not None and reading.number > 0,
    }


def metric_state(reading: MetricReading, meaning: Meaning | None, *, fresh: bool) -> MetricState:
    """Health of a value; unknown if it is stale, missing, or of an unregistered metric."""
    return decide(METRIC_STATES, metric_facts(reading, meaning, fresh=fresh)).state


def per_second(reading: MetricReading) -> float | None:
    """Growth rate; None if the growth or its interval is unknown."""
    if reading.number is None or reading.outcome not in COUNTED or not reading.duration_s:
        return None
    return reading.number / reading.duration_s


@dataclass(frozen=True, slots=True)
class Past:
    """History of one metric, ascending by time: parallel arrays, NaN for missing values.

    An entry is one report, or one bin of a roll-up.
    """

    at: Floats
    """Unix seconds: the end of the interval, or of the bin."""
    seconds: Floats
    """Time covered by the values; NaN for a level without an interval."""
    values: Floats
    """Growth, or mean level."""
    samples: Floats
    """Reports with a value that the entry stands for."""
    min: Floats
    """Of levels, and of growths per second."""
    max: Floats

    @classmethod
    def of_reports(cls, at: Floats, seconds: Floats, values: Floats, *, growth: bool) -> Past:
        """Of one report each; the growth of a report without an interval is unknown."""
        values = np.where(np.isnan(seconds), np.nan, values) if growth else values
        level = values / seconds if growth else values
        return cls(at, seconds, values, np.where(np.isnan(values), 0.0, 1.0), level, level)

    def joined(self, later: Past) -> Past:
        """With the entries after it."""
        pairs = ((getattr(self, item.name), getattr(later, item.name)) for item in fields(Past))
        return Past(*map(np.concatenate, pairs))


NO_PAST = Past(*[np.empty(0)] * 6)


@dataclass(frozen=True, slots=True)
class MetricBins:
    """Equal bins over a range; None is a gap."""

    step_s: float
    at: list[float]
    mean: list[float | None]
    min: list[float | None]
    max: list[float | None]
    coverage: float
    """Observed fraction of the range."""


@dataclass(frozen=True, slots=True)
class MetricHistory:
    """A chart of one metric, and what it was made from."""

    bins: MetricBins
    p95: float | None
    """Nearest rank over 5-minute means."""
    is_p95_exact: bool
    """False: some of it is estimated, as in `core.model.history.PortHistory`."""
    level: SourceName
    """The coarsest one used."""


def in_bins(past: Past, start: float, end: float, step: float, *, growth: bool) -> MetricBins:
    """The history in bins: for a growth its time-weighted rate per second, for a level its plain mean.

    A value counts in the bin in which its interval ended: errors are rare and must not be spread over bins.
    Bins are aligned to multiples of the step, so that a refresh does not move them.
    """
    first = math.floor(start / step) * step
    count = math.ceil((end - first) / step - 1e-9)
    mean, low, high = _binned(past, first, step, count, growth=growth)
    return MetricBins(
        step_s=step,
        at=[round(first + step * number, 6) for number in range(count)],
        mean=_listed(mean),
        min=_listed(low),
        max=_listed(high),
        coverage=_coverage(past, start, end),
    )


def five_minute_levels(past: Past, start: float, end: float, *, growth: bool) -> Floats:
    """Known means of the 5-minute bins from `start`, a multiple of their width, on."""
    count = math.ceil((end - start) / P95_BIN_S - 1e-9)
    mean, *_ = _binned(past, start, P95_BIN_S, count, growth=growth)
    return mean[~np.isnan(mean)]


def _binned(
    past: Past, first: float, step: float, count: int, *, growth: bool
) -> tuple[Floats, Floats, Floats]:
    """(mean, minimum, maximum) of each bin; NaN is a gap."""
    index = np.ceil((past.at - first) / step - 1e-9).astype(np.int64) - 1
    kept = ~np.isnan(past.values) & (index >= 0) & (index < count)
    index, values = index[kept], past.values[kept]
    samples = past.samples[kept]
    weight = past.seconds[kept] if growth else samples
    amount = np.bincount(index, values if growth else values * samples, count)
    weights = np.bincount(index, weight, count)
    seen = weights > 0
    mean = np.where(seen, amount / np.where(seen, weights, 1.0), np.nan)
    low, high = np.full(count, np.nan), np.full(count, np.nan)
    np.fmin.at(low, index, past.min[kept])
    np.fmax.at(high, index, past.max[kept])
    # Extremes of roll-ups are rounded to 24 bits, means are not.
    return mean, np.fmin(low, mean), np.fmax(high, mean)


def _coverage(past: Past, start: float, end: float) -> float:
    """Of entries that overlap, such as those of two collectors, the sum; at most the whole range."""
    known = ~np.isnan(past.values) & ~np.isnan(past.seconds)
    until = past.at[known]
    observed = np.clip(until, start, end) - np.clip(until - past.seconds[known], start, end)
    return round(min(float(observed.sum()) / (end - start), 1.0), 4)


def _listed(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 6) for value in values.tolist()]
