"""Device metrics: health of a value, growth rate, and history in a few hundred bins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

import numpy as np

from backstay.core.model.freshness import max_age_s
from backstay.core.model.history import Floats, step_for
from backstay.core.model.state.rules import Facts, StateRule, decide

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
    """History of one metric, ascending by time: parallel arrays, NaN for missing values."""

    at: Floats
    """Unix seconds: the interval's end."""
    seconds: Floats
    """Length of each interval; NaN for a level."""
    values: Floats


@dataclass(frozen=True, slots=True)
class MetricBins:
    """Equal bins over a range; None is a gap."""

    step_s: float
    at: list[float]
    mean: list[float | None]
    max: list[float | None]


def binned(
    past: Past, start: float, end: float, points: int, interval_s: float, *, growth: bool
) -> MetricBins:
    """The history in bins: for a growth its time-weighted rate per second, for a level its plain mean.

    A value counts in the bin in which its interval ended: errors are rare and must not be spread over bins.
    """
    step = step_for(start, end, points, interval_s)
    first = math.floor(start / step) * step
    count = math.ceil((end - first) / step - 1e-9)
    known = ~np.isnan(past.values) & (~np.isnan(past.seconds) if growth else True)
    values, seconds = past.values[known], past.seconds[known]
    index = np.ceil((past.at[known] - first) / step).astype(np.int64) - 1
    inside = (index >= 0) & (index < count)
    index, values, seconds = index[inside], values[inside], seconds[inside]
    weight = seconds if growth else np.ones_like(values)
    amount = np.bincount(index, values, count)
    weights = np.bincount(index, weight, count)
    top = np.full(count, -np.inf)
    np.maximum.at(top, index, values / weight)
    seen = weights > 0
    mean = np.where(seen, amount / np.where(seen, weights, 1.0), np.nan)
    return MetricBins(
        step_s=step,
        at=[round(first + step * number, 6) for number in range(count)],
        mean=_listed(mean),
        max=_listed(np.where(seen, top, np.nan)),
    )


def _listed(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 6) for value in values.tolist()]
