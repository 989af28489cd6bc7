"""A source's own readings over time, and how much it grew between two moments. Pure.

A reading is a value with the moments at which reading it began and ended. What a counter was at another
moment is not known, only that it was not less than the last reading before and not more than the first one
after: `at` returns those and all between, so the truth about a growth is an interval, as narrow as the
readings are dense, and a single number where nothing moved.
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
    """How far the moment that a report names may lie from that of its reading, seconds."""

    early: float
    """The reading was at most so long before the moment named, ..."""
    late: float
    """... or at most so long after it."""


@dataclass(slots=True)
class Series:
    """The readings of one quantity, in the order of time."""

    began: list[float] = field(default_factory=list)
    """Unix seconds."""
    ended: list[float] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def add(self, began: float, ended: float, value: Value) -> None:
        """One more reading."""
        self.began.append(began)
        self.ended.append(ended)
        self.values.append(value)

    def at(self, moment: float, slack: Slack) -> Sequence[Value]:
        """What it may have been at that moment: the readings around it; none when it lies outside of them."""
        first = bisect_right(self.ended, moment - slack.early) - 1
        last = bisect_left(self.began, moment + slack.late)
        if first < 0 or last >= len(self.values):
            return ()
        return self.values[first : last + 1]


@dataclass(frozen=True, slots=True)
class Grown:
    """What a source allows for a growth."""

    least: float
    most: float
    seen: frozenset[float]
    """Every growth between a reading around the beginning and one around the end."""


def growth(series: Series, start: float, end: float, slack: Slack) -> Grown | None:
    """How much the source grew from `start` to `end`; None when it was not read around both."""
    before, after = _numbers(series.at(start, slack)), _numbers(series.at(end, slack))
    if not before or not after:
        return None
    seen = frozenset(new - old for old in before for new in after if new >= old)
    return Grown(max(0, min(after) - max(before)), max(after) - min(before), seen)


def _numbers(values: Sequence[Value]) -> set[float]:
    return {value for value in values if not isinstance(value, str)}
