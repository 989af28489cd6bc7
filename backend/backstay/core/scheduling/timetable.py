"""Schedule of a plan: minute, hour, day, month and weekday as in crontab(5), in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_HORIZON = timedelta(days=366 * 8)
"""29 February occurs within this time, also around 2100."""


@dataclass(frozen=True, slots=True)
class Timetable:
    """Allowed values of each field; weekdays from 0, Sunday."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool = False
    """Both day and weekday are given: either of them matches, as in crontab(5)."""

    def after(self, now: datetime) -> datetime | None:
        """The next time later than `now`; None if it never occurs (30 February)."""
        at = now.astimezone(UTC).replace(second=0, microsecond=0) + timedelta(minutes=1)
        end = at + _HORIZON
        while at < end:
            if at.month not in self.months or not self._day(at):
                at = at.replace(hour=0, minute=0) + timedelta(days=1)
            elif at.hour not in self.hours:
                at = at.replace(minute=0) + timedelta(hours=1)
            elif at.minute not in self.minutes:
                at += timedelta(minutes=1)
            else:
                return at
        return None

    def _day(self, at: datetime) -> bool:
        day, weekday = at.day in self.days, at.isoweekday() % 7 in self.weekdays
        return day or weekday if self.either_day else day and weekday
