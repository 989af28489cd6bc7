"""How far a predicted load of a link was off, once a failure had happened. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

Direction = tuple[int, bool]
"""(link id, whether it is the direction from b to a)."""


@dataclass(frozen=True, slots=True)
class PredictedLoad:
    """One direction of a link that was predicted to gain load, bit/s."""

    direction: Direction
    bps: int
    usable_rate: int | None
    """None: unknown."""
    is_measured: bool
    """Whether its load before the failure was known; if not, `bps` is only the part of the known flows."""


@dataclass(frozen=True, slots=True)
class LoadError:
    """A prediction compared with the load that was measured; None: not known."""

    predicted: PredictedLoad
    measured_bps: int | None

    @property
    def share(self) -> float | None:
        """(measured - predicted) / usable rate; positive: more load than predicted."""
        difference, rate = self._difference, self.predicted.usable_rate
        return None if difference is None or not rate else difference / rate

    @property
    def relative(self) -> float | None:
        """(measured - predicted) / predicted."""
        difference, predicted = self._difference, self.predicted.bps
        return None if difference is None or not predicted else difference / predicted

    @property
    def _difference(self) -> int | None:
        if self.measured_bps is None or not self.predicted.is_measured:
            return None
        return self.measured_bps - self.predicted.bps


def load_errors(
    predicted: Iterable[PredictedLoad], measured: Mapping[Direction, int | None]
) -> list[LoadError]:
    """In the order of the predictions."""
    return [LoadError(item, measured.get(item.direction)) for item in predicted]


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """Errors of one failure, or of several: shares of the usable rate, without sign."""

    median: float
    worst: float


def summarise(errors: Iterable[LoadError]) -> ErrorSummary | None:
    """None if there is no error, or if one is unknown: the unknown one may be the worst."""
    shares = [error.share for error in errors]
    known = [abs(share) for share in shares if share is not None]
    if not known or len(known) < len(shares):
        return None
    return ErrorSummary(median(known), max(known))


def unmoved(expected: Mapping[str, int], moved: Mapping[str, int]) -> int:
    """Policy -> nodes: how many of the expected nodes did not move."""
    return sum(max(number - moved.get(policy, 0), 0) for policy, number in expected.items())
