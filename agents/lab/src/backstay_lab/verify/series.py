"""A source's readings over time, and its growth between two moments. Pure.

A reading is a value with the start and end times of its reading. At other moments a counter is only known
to lie between the last reading before and the first one after: `at` returns those and all between. A growth
is therefore a range, as narrow as the readings are dense, and a single number for a constant counter.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

Key = tuple[str, str, str]
"""(node, port or part, quantity)."""
Value = int | float | str


@dataclass(frozen=True, slots=True)
class Slack:
    """Difference between a report's time and that of its reading, seconds."""

    early: float
    """Maximum time of the reading before the reported time."""
    late: float
    """Maximum time of the reading after the reported time."""


@dataclass(slots=True)
class Series:
    """The readings of one quantity, in the order of time."""

    began: list[float] = field(default_factory=list)
    """Unix seconds."""
    ended: list[float] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def add(self, began: float, ended: float, value: Value) -> None:
        """Add a reading."""
        self.began.append(began)
        self.ended.append(ended)
        self.values.append(value)

    def at(self, moment: float, slack: Slack) -> Sequence[Value]:
        """Possible values at a moment: the readings around it; empty outside of the readings."""
        first = bisect_right(self.ended, moment - slack.early) - 1
        last = bisect_left(self.began, moment + slack.late)
        if first < 0 or last >= len(self.values):
            return ()
        return self.values[first : last + 1]


@dataclass(frozen=True, slots=True)
class Grown:
    """A source's possible growths."""

    least: float
    most: float
    seen: frozenset[float]
    """Every growth between a reading around the beginning and one around the end."""


def growth(series: Series, start: float, end: float, slack: Slack) -> Grown | None:
    """The source's growth from `start` to `end`; None when it was not read around both."""
    before, after = _numbers(series.at(start, slack)), _numbers(series.at(end, slack))
    if not before or not after:
        return None
    seen = frozenset(new - old for old in before for new in after if new >= old)
    return Grown(max(0, min(after) - max(before)), max(after) - min(before), seen)


def _numbers(values: Sequence[Value]) -> set[float]:
    return {value for value in values if not isinstance(value, str)}
