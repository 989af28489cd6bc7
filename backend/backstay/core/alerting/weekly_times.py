"""Times of a week on the wall clock of a zone: when a route applies, when a schedule is in force."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class WeeklyTime:
    """From `start` to `end` on these weekdays (0: Monday). An end not after the start is on the next day."""

    weekdays: frozenset[int]
    start: time
    end: time

    def contains(self, local: datetime) -> bool:
        """Whether a wall-clock time is inside; the day on which the span began decides."""
        clock, today = local.time(), local.weekday()
        if self.start < self.end:
            return today in self.weekdays and self.start <= clock < self.end
        yesterday = (local - timedelta(days=1)).weekday()
        return (today in self.weekdays and clock >= self.start) or (
            yesterday in self.weekdays and clock < self.end
        )


def is_within(times: Iterable[WeeklyTime], zone: str, now: datetime) -> bool:
    """Whether any of them contains `now` in the zone (IANA name); without times: always."""
    known = list(times)
    local = now.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return not known or any(item.contains(local) for item in known)
