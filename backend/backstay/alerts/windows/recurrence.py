"""Occurrences of a window: RRULE of RFC 5545 in a time zone, within limits whatever the rule is.

A rule recurs in local time: every Sunday at 02:00 stays at 02:00 across a change of daylight saving time. A
local time that does not exist (the hour that is skipped) is taken with the offset before the change, one that
exists twice is the first (RFC 5545, 3.3.5). Each occurrence lasts the same number of elapsed seconds
(3.8.5.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from dateutil.rrule import rrulestr

from backstay.core.errors import Invalid

FREQUENCIES = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})
_NUMBERS = {"INTERVAL": 1000, "COUNT": 5000}
_LISTS = {
    "BYDAY": r"[+-]?[0-9]{0,2}(MO|TU|WE|TH|FR|SA|SU)",
    "BYMONTHDAY": r"-?[0-9]{1,2}",
    "BYMONTH": r"[0-9]{1,2}",
    "BYSETPOS": r"-?[0-9]{1,3}",
}
LONGEST_RULE, LONGEST_LIST = 500, 62
SHORTEST_S, LONGEST_S = 60, 366 * 86400
MOST_EXCLUDED = 500
MOST_ADDED = 500
MAX_PAST = timedelta(days=3660)
"""A recurring window began at most so long ago: the library counts from the first occurrence."""
_CYCLES = 19
_CYCLE_YEARS = 400
"""The Gregorian calendar repeats after 400 years, weekdays included. Rules are expanded this many cycles
later, near the year 9999 at which the library stops: one without occurrences ends there after some 370
years, which takes 0.3 s at most, instead of 8,000."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time of a window, in UTC."""

    begins_at: datetime
    ends_at: datetime


def occurrence(begins_at: datetime, duration_s: float) -> Occurrence:
    """One that begins at an aware time."""
    start = begins_at.astimezone(UTC)
    return Occurrence(start, start + timedelta(seconds=duration_s))


@dataclass(frozen=True, slots=True)
class Recurrence:
    """When a window takes place."""

    starts_at: datetime
    duration_s: int
    zone: str
    rule: str = ""
    excluded: tuple[str, ...] = ()
    """Local starts, ISO 8601 without offset."""
    added: tuple[Occurrence, ...] = ()
    """Occurrences besides the rule's: further dates, and those that were moved."""

    def occurrences(self) -> Iterator[Occurrence]:
        """All in order, lazily; of two that begin at the same time, the added one."""
        added = sorted(self.added, key=_begins_at)
        newest: datetime | None = None
        for one in merge(added, self._of_rule(), key=_begins_at):
            if one.begins_at != newest:
                newest = one.begins_at
                yield one

    def _of_rule(self) -> Iterator[Occurrence]:
        zone = ZoneInfo(self.zone)
        # Compared as moments: a calendar names a start in the skipped hour by the time that clocks show.
        left_out = {moment_of(datetime.fromisoformat(text), zone) for text in self.excluded}
        for local in self._local_starts(zone):
            begins_at = moment_of(local, zone)
            if begins_at not in left_out:
                yield occurrence(begins_at, self.duration_s)

    def _local_starts(self, zone: ZoneInfo) -> Iterator[datetime]:
        first = self.starts_at.astimezone(zone).replace(tzinfo=None, fold=0)
        if not self.rule:
            yield first
            return
        text = re.sub(r"UNTIL=([^;]+)", lambda match: f"UNTIL={_shifted_until(match[1], zone)}", self.rule)
        for local in rrulestr(text, dtstart=_moved(first, _CYCLES)):
            yield _moved(local, -_CYCLES)

    def following(self, now: datetime, after: datetime | None = None) -> Iterator[Occurrence]:
        """Those that end after `now`, and begin after `after`."""
        for one in self.occurrences():
            if one.ends_at > now and (after is None or one.begins_at > after):
                yield one


def _begins_at(one: Occurrence) -> datetime:
    return one.begins_at


def moment_of(local: datetime, zone: ZoneInfo) -> datetime:
    """UTC of a local time without an offset (RFC 5545, 3.3.5)."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def validate(recurrence: Recurrence, now: datetime) -> None:
    """Raise `Invalid` naming each field that cannot be used."""
    problems = {
        "zone": ""
        if recurrence.zone in available_timezones()
        else "expected an IANA zone, e.g. Europe/Zurich",
        "duration_s": ""
        if SHORTEST_S <= recurrence.duration_s <= LONGEST_S
        else f"expected {SHORTEST_S} to {LONGEST_S} seconds",
        "starts_at": _start_problem(recurrence, now),
        "rule": _rule_problem(recurrence.rule),
        "excluded": _excluded_problem(recurrence.excluded),
        "added": _added_problem(recurrence.added, now),
    }
    fields = {name: text for name, text in problems.items() if text}
    if not fields and not _takes_place(recurrence):
        fields = {"rule": "expected a rule with at least one occurrence"}
    if fields:
        raise Invalid("The window cannot take place so: correct the marked fields.", fields=fields)


def _takes_place(recurrence: Recurrence) -> bool:
    try:
        return next(recurrence.occurrences(), None) is not None
    except (IndexError, ValueError):  # The library's answer to some parts that exclude each other.
        return False


def upcoming(recurrence: Recurrence, now: datetime, after: datetime | None, most: int) -> list[Occurrence]:
    """The current and next occurrences."""
    return list(islice(recurrence.following(now, after), most))


def _start_problem(recurrence: Recurrence, now: datetime) -> str:
    if recurrence.starts_at.tzinfo is None:
        return "expected a time with an offset"
    if recurrence.rule and recurrence.starts_at < now - MAX_PAST:
        return "expected a start in the last ten years"
    if recurrence.starts_at.year > now.year + 100:
        return "expected a start within 100 years"
    return ""


def _rule_problem(text: str) -> str:
    if not text:
        return ""
    if len(text) > LONGEST_RULE:
        return f"expected at most {LONGEST_RULE} characters"
    parts = [part.partition("=")[::2] for part in text.split(";")]
    names = [name for name, _ in parts]
    if len(set(names)) < len(names):
        return "expected each part once"
    found = (*_conflicts(dict(parts)), *(_part_problem(name, value) for name, value in parts))
    return next((problem for problem in found if problem), "")


def _conflicts(parts: dict[str, str]) -> Iterator[str]:
    """Parts that are missing or exclude each other."""
    if parts.get("FREQ") not in FREQUENCIES:
        yield f"expected FREQ={'|'.join(sorted(FREQUENCIES))}"
    elif parts["FREQ"] in {"DAILY", "WEEKLY"} and re.search("[0-9]", parts.get("BYDAY", "")):
        yield "expected BYDAY without numbers: only months and years have a second Sunday"
    if {"COUNT", "UNTIL"} <= parts.keys():
        yield "expected COUNT or UNTIL, not both"


def _part_problem(name: str, value: str) -> str:
    if name == "FREQ" or (name == "WKST" and re.fullmatch("MO|TU|WE|TH|FR|SA|SU", value)):
        return ""
    if name == "UNTIL":
        return "" if _until(value) is not None else "expected UNTIL=YYYYMMDD or YYYYMMDDTHHMMSSZ"
    if name in _NUMBERS:
        most = _NUMBERS[name]
        is_known = re.fullmatch(r"[0-9]{1,4}", value) and 1 <= int(value) <= most
        return "" if is_known else f"expected {name}=1 to {most}"
    if name in _LISTS:
        return "" if _is_list(name, value) else f"{name}={value} is not usable"
    known = ", ".join(sorted(("FREQ", "UNTIL", "WKST", *_NUMBERS, *_LISTS)))
    return f"{name} is not supported: expected {known}"


_BOUNDS = {"BYMONTHDAY": 31, "BYMONTH": 12, "BYSETPOS": 366, "BYDAY": 5}


def _is_list(name: str, value: str) -> bool:
    items = value.split(",")
    if len(items) > LONGEST_LIST or not all(re.fullmatch(_LISTS[name], item) for item in items):
        return False
    numbers = [int(found[0]) for item in items if (found := re.match(r"[+-]?[0-9]+", item))]
    return all(1 <= abs(number) <= _BOUNDS[name] for number in numbers)


def _excluded_problem(texts: tuple[str, ...]) -> str:
    if len(texts) > MOST_EXCLUDED:
        return f"expected at most {MOST_EXCLUDED} times"
    for text in texts:
        try:
            is_local = datetime.fromisoformat(text).tzinfo is None
        except ValueError:
            is_local = False
        if not is_local:
            return "expected local times without an offset, e.g. 2026-12-24T22:00:00"
    return ""


def _added_problem(added: tuple[Occurrence, ...], now: datetime) -> str:
    if len(added) > MOST_ADDED:
        return f"expected at most {MOST_ADDED} occurrences"
    for one in added:
        if not SHORTEST_S <= (one.ends_at - one.begins_at).total_seconds() <= LONGEST_S:
            return f"expected occurrences of {SHORTEST_S} to {LONGEST_S} seconds"
        if one.begins_at < now - MAX_PAST or one.begins_at.year > now.year + 100:
            return "expected occurrences within the last ten and the next 100 years"
    return ""


def _until(text: str) -> datetime | None:
    """The end of a rule: aware if in UTC, a date is its whole day."""
    for form in ("%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S", "%Y%m%d"):
        try:
            found = datetime.strptime(text, form)  # noqa: DTZ007 (its zone is the window's)
        except ValueError:
            continue
        if form.endswith("Z"):
            return found.replace(tzinfo=UTC)
        return found if "T" in text else found.replace(hour=23, minute=59, second=59)
    return None


def _shifted_until(text: str, zone: ZoneInfo) -> str:
    until = _until(text)
    assert until is not None  # `validate` has refused it.
    if until.tzinfo is not None:
        until = until.astimezone(zone).replace(tzinfo=None)
    last = 9999 - _CYCLES * _CYCLE_YEARS
    return f"{_moved(until, _CYCLES):%Y%m%dT%H%M%S}" if until.year <= last else "99991231T235959"


def _moved(local: datetime, cycles: int) -> datetime:
    """The same day of the calendar in another cycle."""
    return local.replace(year=local.year + cycles * _CYCLE_YEARS)
