"""Measured scaling compared with linear scaling from a run's first point.

As in Andrews, Sherwin and Hazlewood (figures 4 and 5): the measured sums, and the line that results if each
further node adds as much as the first.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.diagnosis.throughput.matrix import Points
from backstay.core.diagnosis.throughput.series import CONSTANT, PROPORTIONAL, growth, plateau
from backstay.core.formatting import rate, share


@dataclass(frozen=True, slots=True)
class ScalingPoint:
    """One number of streams, nodes or stripes."""

    count: float
    measured: float
    """Bit/s."""
    linear: float
    """Bit/s on the line."""
    efficiency: float
    """measured / linear"""


@dataclass(frozen=True, slots=True)
class Scaling:
    """A series with its linear extrapolation."""

    points: tuple[ScalingPoint, ...]
    growth: float
    """k of `sum ~ count^k`: 1 is linear, 0 constant."""
    knee: int | None
    """Count from which the sum is constant, if it is."""
    sentence: str


def scaling_of(series: Points) -> Scaling | None:
    """None for fewer than two counts. `series` ascends by count."""
    grown = growth(series)
    if grown is None or series[0][1] <= 0:
        return None
    single = series[0][1] / series[0][0]
    points = tuple(ScalingPoint(at, one, single * at, one / (single * at)) for at, one in series)
    flat = plateau(series)
    return Scaling(
        points, grown, flat.knee if flat else None, _sentence(points, grown, flat.knee if flat else 0)
    )


def _sentence(points: tuple[ScalingPoint, ...], grown: float, knee: int) -> str:
    last = points[-1]
    text = (
        f"{rate(last.measured)} by {last.count:g}, {share(last.efficiency)} of the line ({rate(last.linear)})"
    )
    if grown >= PROPORTIONAL:
        return f"Near linear: {text}."
    if grown < CONSTANT or knee:
        return f"Flat{f' from {knee} on' if knee else ''}: {text}."
    return f"Less than linear: {text}; the sum grows as the count to the power {grown:.2f}."
