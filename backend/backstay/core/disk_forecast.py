"""How much disk stored history will take, and when a disk is full, from measured growth. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

LONGEST_DAYS = 36_500.0
RECENT_DAYS = 28
"""Days from which the use of coming days is predicted: whole weeks."""


@dataclass(frozen=True, slots=True)
class LevelUse:
    """What one level of history takes, of one site or of all."""

    bytes: float
    daily_bytes: float
    """Growth each day, until as much is removed."""
    stored_days: float
    kept_days: float | None
    """None: for ever."""

    @property
    def is_measured(self) -> bool:
        """Whether the growth of a day is known."""
        return self.stored_days >= 1

    @property
    def growing_days(self) -> float:
        """For how long it still grows."""
        return LONGEST_DAYS if self.kept_days is None else max(self.kept_days - self.stored_days, 0.0)

    @property
    def predicted_bytes(self) -> float | None:
        """Once as much is removed as is added; None: it grows for ever.

        If more days are stored than kept, it shrinks to what is kept.
        """
        if self.kept_days is None:
            return None if self.daily_bytes > 0 else self.bytes
        added = self.daily_bytes * (self.kept_days - self.stored_days)
        return max(self.bytes + added, 0.0)

    def added_bytes(self, days: float) -> float:
        """What is added within so many days; removals that are due are not counted as space."""
        return self.daily_bytes * min(days, self.growing_days)


def full_in_days(levels: Sequence[LevelUse], free_bytes: float) -> float | None:
    """Days until these levels have filled the free space; None: never, or not within a century.

    Growth is constant until the first level stops to grow, then less, and so on.
    """
    reached, used = 0.0, 0.0
    for stop in sorted({level.growing_days for level in levels}):
        rate = sum(level.daily_bytes for level in levels if level.growing_days > reached)
        if rate > 0 and used + rate * (stop - reached) >= free_bytes:
            days = reached + (free_bytes - used) / rate
            return days if days < LONGEST_DAYS else None
        used += rate * (stop - reached)
        reached = stop
    return None


def full_at(now: datetime, levels: Sequence[LevelUse], free_bytes: float) -> datetime | None:
    """The same as a time."""
    days = full_in_days(levels, free_bytes)
    return None if days is None else now + timedelta(days=days)


def bytes_per_day(days: Sequence[int]) -> float:
    """Mean bytes of the newest RECENT_DAYS; `days` in order of time. 0 if there are none."""
    recent = days[-RECENT_DAYS:]
    return sum(recent) / len(recent) if recent else 0.0


def daily_growth(sizes: Sequence[int], days: float) -> float:
    """Mean bytes of a day, of parts that together cover so many days; 0 if nothing is covered."""
    return sum(sizes) / days if days > 0 else 0.0
