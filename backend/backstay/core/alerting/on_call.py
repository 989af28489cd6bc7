"""Who is on call: a rotation with handovers on the wall clock of a zone, restrictions, and overrides.

Handovers are instants: of a time that occurs twice (the end of summer time) the first counts, and one that is
skipped takes place an hour later on the clock (PEP 495, fold=0). So nobody is on call twice in one night.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from backstay.core.alerting.weekly_times import WeeklyTime, is_within


@dataclass(frozen=True, slots=True)
class Override:
    """A person who is on call instead of the rotation, also outside its restrictions; `end` is exclusive."""

    start: datetime
    end: datetime
    person: str


@dataclass(frozen=True, slots=True)
class Rotation:
    """People in order. The first begins on `starts_on` at `handover`; each stays for `days` days."""

    people: tuple[str, ...]
    zone: str
    starts_on: date
    handover: time
    days: int = 7
    restrictions: tuple[WeeklyTime, ...] = ()
    """Weekly times in which somebody is on call; empty: always."""
    overrides: tuple[Override, ...] = ()


@dataclass(frozen=True, slots=True)
class Shift:
    """One person's time of a schedule."""

    person: str
    start: datetime
    end: datetime


def on_call(rotation: Rotation, now: datetime) -> str | None:
    """The person on call; None: nobody. The newest of several overrides counts."""
    for override in reversed(rotation.overrides):
        if override.start <= now < override.end:
            return override.person
    if not rotation.people or not is_within(rotation.restrictions, rotation.zone, now):
        return None
    number = _shift_number(rotation, now)
    return None if number < 0 else rotation.people[number % len(rotation.people)]


def next_shifts(rotation: Rotation, now: datetime, most: int) -> list[Shift]:
    """The current shift of the rotation and those after it, without restrictions and overrides."""
    if not rotation.people:
        return []
    first = max(_shift_number(rotation, now), 0)
    return [
        Shift(
            rotation.people[number % len(rotation.people)],
            handover_at(rotation, number),
            handover_at(rotation, number + 1),
        )
        for number in range(first, first + most)
    ]


def handover_at(rotation: Rotation, number: int) -> datetime:
    """When a shift begins, UTC."""
    return _instant(rotation, rotation.starts_on + timedelta(days=number * rotation.days))


def _shift_number(rotation: Rotation, now: datetime) -> int:
    """Of the shift at this time; negative before the rotation starts."""
    day = now.astimezone(ZoneInfo(rotation.zone)).date()
    if now < _instant(rotation, day):
        day -= timedelta(days=1)
    return (day - rotation.starts_on).days // rotation.days


def _instant(rotation: Rotation, day: date) -> datetime:
    return datetime.combine(day, rotation.handover, ZoneInfo(rotation.zone)).astimezone(UTC)
