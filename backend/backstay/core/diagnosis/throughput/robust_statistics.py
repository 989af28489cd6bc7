"""Robust statistics for small numbers of cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, pstdev


@dataclass(frozen=True, slots=True)
class LinearFit:
    """`y = intercept + slope x`, with the mean relative error of its points."""

    intercept: float
    slope: float
    error: float


def relative_line(points: Sequence[tuple[float, float]]) -> LinearFit | None:
    """The line with the smallest relative errors; None for fewer than two different x.

    Relative errors give a point of 1 ms the same weight as one of 100 ms.
    """
    if len({x for x, _ in points}) < 2 or any(y <= 0 for _, y in points):
        return None
    weights = [1 / y**2 for _, y in points]
    total = sum(weights)
    mean_x = sum(w * x for w, (x, _) in zip(weights, points, strict=True)) / total
    mean_y = sum(w * y for w, (_, y) in zip(weights, points, strict=True)) / total
    spread = sum(w * (x - mean_x) ** 2 for w, (x, _) in zip(weights, points, strict=True))
    joint = sum(w * (x - mean_x) * (y - mean_y) for w, (x, y) in zip(weights, points, strict=True))
    slope = joint / spread
    intercept = mean_y - slope * mean_x
    errors = [abs(intercept + slope * x - y) / y for x, y in points]
    return LinearFit(intercept, slope, fmean(errors))


def spread(values: Sequence[float]) -> float:
    """Standard deviation / mean; 0 for fewer than two values."""
    mean = fmean(values) if values else 0.0
    return pstdev(values) / mean if len(values) > 1 and mean > 0 else 0.0


def worst(values: Sequence[float]) -> float:
    """Largest distance from the median, relative to the median."""
    middle = median(values)
    return max(abs(value - middle) for value in values) / middle if middle > 0 else math.inf


def exponent(first: tuple[float, float], last: tuple[float, float]) -> float:
    """k of `y ~ x^k` through two points: 1 is proportional, 0 constant."""
    if min(*first, *last) <= 0 or first[0] == last[0]:
        return 0.0
    return math.log(last[1] / first[1]) / math.log(last[0] / first[0])
