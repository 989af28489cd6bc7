"""Growth of a rate with the number of streams: proportional, bending or flat."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from backstay.core.diagnosis.throughput.matrix import Points
from backstay.core.diagnosis.throughput.robust_statistics import exponent

LEVEL = 0.10
"""Points within this relative distance from their median are on one level."""
KNEE = 0.95
"""The knee is the smallest count on the level, or the one that reaches this share of it."""
CONSTANT, PROPORTIONAL = 0.2, 0.75
"""Growth exponents below which a sum is constant and above which it is proportional."""


@dataclass(frozen=True, slots=True)
class Plateau:
    """A sum that no longer grows."""

    level: float
    """Bit/s."""
    knee: int
    """Number of streams from which the level is reached."""
    last: int
    """Highest number of streams measured."""
    points: int


def plateau(series: Points) -> Plateau | None:
    """The level at the end of a series; None unless the streams on it at least double."""
    kept: Points = []
    for point in reversed(series):
        middle = median([rate for _, rate in [*kept, point]])
        if any(abs(rate - middle) > LEVEL * middle for _, rate in [*kept, point]):
            break
        kept.append(point)
    if len(kept) < 2 or kept[0][0] < 2 * kept[-1][0]:
        return None
    level = median([rate for _, rate in kept])
    knee = min(at for at, rate in series if rate >= KNEE * level or (at, rate) in kept)
    return Plateau(level, int(knee), int(kept[0][0]), len(kept))


def growth(series: Points) -> float | None:
    """k of `sum ~ streams^k` between the fewest and the most streams; None for fewer than two counts."""
    return exponent(series[0], series[-1]) if len(series) > 1 else None
