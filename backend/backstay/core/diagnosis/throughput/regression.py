"""A new rate against the run's own past: how many robust deviations below the median it lies.

Median and median absolute deviation (Hampel 1974; 1.4826 MAD estimates a normal distribution's deviation), so
that one bad day in the past neither hides nor makes a regression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from backstay.core.formatting import count, rate, share

LEAST = 5
"""Fewer past runs than these have no usual rate."""
DEVIATIONS = 4.0
SMALLEST = 0.05
"""Of the median: less is never a regression, however steady the past."""
_MAD = 1.4826


@dataclass(frozen=True, slots=True)
class Regression:
    """What the past says of the newest rate."""

    outcome: Literal["too_few", "usual", "slower", "faster"]
    usual: float
    """Median of the past, bit/s; 0 when there is none."""
    change: float
    """Newest over usual, less one."""
    deviations: float
    sentence: str


def regression(past: Sequence[float], newest: float) -> Regression:
    """`past` is rates of done cells with the same parameters, bit/s, in any order."""
    if len(past) < LEAST:
        text = f"{count(len(past), 'earlier run')}: {LEAST} are needed to tell what is usual."
        return Regression("too_few", median(past) if past else 0.0, 0.0, 0.0, text)
    usual = median(past)
    deviation = max(_MAD * median([abs(one - usual) for one in past]), SMALLEST / DEVIATIONS * usual)
    distance = (newest - usual) / deviation if deviation else 0.0
    change = newest / usual - 1 if usual else 0.0
    if abs(distance) <= DEVIATIONS:
        text = f"Usual: {rate(newest)} where {rate(usual)} is the median of {len(past)} runs."
        return Regression("usual", usual, change, distance, text)
    slower = distance < 0
    text = (
        f"{'Slower' if slower else 'Faster'} than usual by {share(abs(change))}: {rate(newest)} where "
        f"{rate(usual)} is the median of {len(past)} runs ({abs(distance):.0f} deviations)."
    )
    return Regression("slower" if slower else "faster", usual, change, distance, text)
