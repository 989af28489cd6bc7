"""A device's own figures: whether one is well, how fast one grows, and one's past as a few hundred bins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

import numpy as np

from backstay.core.model.freshness import max_age_s
from backstay.core.model.history import Floats, step_for

FigureState = Literal["ok", "warning", "unknown"]
MISSED_INTERVALS = 2.5
"""Of a collector that is slower than the site: after these its figures are old."""
REPEAT_S = 60.0
"""Agents tell figures that did not change this often, whatever their interval (docs/agent.md)."""
COUNTED = frozenset({0, 1, 3})
"""Outcomes with which a growth is known: ok, wrapped, gap (wire: DeltaOutcome)."""


class Meaning(Protocol):
    """What is known of a metric (wire: Metric)."""

    @property
    def kind(self) -> Literal["growth", "level", "state"]: ...
    @property
    def error(self) -> bool: ...
    @property
    def good(self) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class Reading:
    """One figure as it was last told: a number or a word."""

    number: float | None
    state: str | None
    outcome: int
    at: datetime
    duration_s: float | None


def is_fresh(reading: Reading, now: datetime, interval_s: float) -> bool:
    """Whether it may still be shown as true."""
    period_s = max(reading.duration_s or 0, REPEAT_S)
    longest = max(max_age_s(interval_s), MISSED_INTERVALS * period_s)
    return (now - reading.at).total_seconds() <= longest


def figure_state(reading: Reading, meaning: Meaning | None, *, fresh: bool) -> FigureState:
    """Well, worth a look, or not known: old, without a figure, or of a metric that nobody explained."""
    if not fresh or meaning is None:
        return "unknown"
    if meaning.kind == "state":
        return "warning" if meaning.good and (reading.state or "") not in meaning.good else "ok"
    if reading.number is None or (meaning.kind == "growth" and reading.outcome not in COUNTED):
        return "unknown"
    return "warning" if meaning.error and reading.number > 0 else "ok"


def per_second(reading: Reading) -> float | None:
    """How fast a growth grew; None when its growth or its interval is not known."""
    if reading.number is None or reading.outcome not in COUNTED or not reading.duration_s:
        return None
    return reading.number / reading.duration_s


@dataclass(frozen=True, slots=True)
class Past:
    """One figure's past, ascending by time: parallel arrays, NaN where there is no figure."""

    at: Floats
    """Unix seconds: the interval's end."""
    seconds: Floats
    """Length of each interval; NaN of a level."""
    values: Floats


@dataclass(frozen=True, slots=True)
class FigureBins:
    """Equal bins over a range; None is a gap."""

    step_s: float
    at: list[float]
    mean: list[float | None]
    max: list[float | None]


def binned(
    past: Past, start: float, end: float, points: int, interval_s: float, *, growth: bool
) -> FigureBins:
    """The past in bins: of a growth its rate per second, weighted by time; of a level its plain mean.

    A figure belongs to the bin in which its interval ended: errors are few, and none may be spread thin.
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
    return FigureBins(
        step_s=step,
        at=[round(first + step * number, 6) for number in range(count)],
        mean=_listed(mean),
        max=_listed(np.where(seen, top, np.nan)),
    )


def _listed(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 6) for value in values.tolist()]
