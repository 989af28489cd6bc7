"""Maintenance windows as iCalendar (RFC 5545): the feed that calendars read, and files that are imported.

Time zones are taken by name from the system's tables. Those that a file defines itself (VTIMEZONE) are
dropped before it is parsed: their rules may be endless, and what they are called says where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from icalendar import Calendar, Event, vRecur

from backstay.alerts.windows.models import MaintenanceWindow
from backstay.alerts.windows.recurrence import (
    Occurrence,
    Recurrence,
    moment_of,
    occurrence,
    validate,
)
from backstay.alerts.windows.services import recurrence_of
from backstay.core.errors import Invalid

MOST_EVENTS = 500
LONGEST_NAME, LONGEST_REASON, LONGEST_UID = 100, 2000, 255
PRODUCT = "-//Backstay//maintenance windows//EN"
_ZONES = re.compile(r"^BEGIN:VTIMEZONE\s*$.*?^END:VTIMEZONE\s*$", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_CHANGES = "RECURRENCE-ID"


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event that can become a window."""

    uid: str
    name: str
    reason: str
    recurrence: Recurrence


@dataclass(frozen=True, slots=True)
class CalendarProblem:
    """Why an event cannot become a window."""

    name: str
    text: str


class _Unusable(Exception):  # noqa: N818  (never leaves this module)
    """The event cannot become a window; its text is the reason."""


def read_calendar(text: str, zone: str, now: datetime) -> tuple[list[CalendarEvent], list[CalendarProblem]]:
    """Events of a file, and those that cannot be imported with the reason; raises `Invalid`.

    `zone`: of times without one.
    """
    if zone not in available_timezones():
        raise Invalid("The time zone is unknown.", fields={"zone": "expected an IANA time zone"})
    try:
        calendar = Calendar.from_ical(_ZONES.sub("", text))
        found = list(calendar.walk("VEVENT"))
    except (ValueError, IndexError, KeyError, TypeError) as problem:
        expected = f"expected an iCalendar file (RFC 5545): {str(problem)[:200]}"
        raise Invalid("The calendar file cannot be read.", fields={"text": expected}) from problem
    if len(found) > MOST_EVENTS:
        expected = f"expected at most {MOST_EVENTS} events, it has {len(found)}"
        raise Invalid("The calendar file is too large.", fields={"text": expected})
    changes: dict[str, list[Any]] = {}
    for event in found:
        if _CHANGES in event:
            changes.setdefault(str(event.get("UID", "")), []).append(event)
    events: dict[str, CalendarEvent] = {}
    problems: list[CalendarProblem] = []
    for event in found:
        if _CHANGES not in event:
            with _noted(event, problems):
                one = _event(event, changes.get(str(event.get("UID", "")), []), zone, now)
                if one.uid in events:
                    raise _Unusable("has the UID of another event")
                events[one.uid] = one
    for event in (event for uid, items in changes.items() if uid not in events for event in items):
        text = (
            f"changes one occurrence ({_CHANGES}) of an event that the file does not have or that is left out"
        )
        problems.append(CalendarProblem(_name(event), text))
    return list(events.values()), problems


@contextmanager
def _noted(event: Any, problems: list[CalendarProblem]) -> Iterator[None]:
    """Within, what makes an event unusable becomes one of the problems."""
    try:
        yield
    except _Unusable as problem:
        problems.append(CalendarProblem(_name(event), str(problem)))
    except (ValueError, TypeError, AttributeError, OverflowError) as problem:
        problems.append(CalendarProblem(_name(event), f"has an invalid value: {str(problem)[:200]}"))


def write_calendar(name: str, windows: Iterable[MaintenanceWindow]) -> bytes:
    """A calendar of these windows, whose targets are loaded."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    for window in windows:
        calendar.add_component(_component(window))
    calendar.add_missing_timezones()
    content: bytes = calendar.to_ical()
    return content


def _component(window: MaintenanceWindow) -> Event:
    zone = ZoneInfo(window.zone)
    event = Event()
    event.add("uid", window.uid)
    event.add("dtstamp", window.changed_at.astimezone(UTC))
    event.add("dtstart", window.starts_at.astimezone(zone))
    event.add("duration", timedelta(seconds=window.duration_s))
    event.add("summary", window.name)
    event.add("description", window.reason)
    if window.rule:
        event.add("rrule", vRecur.from_ical(window.rule))
    left_out = [datetime.fromisoformat(text).replace(tzinfo=zone) for text in window.excluded]
    if left_out:
        event.add("exdate", left_out)
    same = [one.begins_at for one in _added(window) if _length(one) == window.duration_s]
    if same:
        event.add("rdate", same)
    others = [(one.begins_at, one.ends_at) for one in _added(window) if _length(one) != window.duration_s]
    if others:
        event.add("rdate", others, parameters={"VALUE": "PERIOD"})
    return event


def _added(window: MaintenanceWindow) -> tuple[Occurrence, ...]:
    return recurrence_of(window).added


def _length(one: Occurrence) -> int:
    return int((one.ends_at - one.begins_at).total_seconds())


def _event(event: Any, changes: Sequence[Any], zone: str, now: datetime) -> CalendarEvent:
    if "EXRULE" in event:
        raise _Unusable("has an exception rule (EXRULE), which RFC 5545 has removed: use EXDATE")
    if str(event.get("STATUS", "")).upper() == "CANCELLED":
        raise _Unusable("is cancelled")
    if event.errors:
        part, text = event.errors[0]
        raise _Unusable(f"has an invalid {part}: {text[:200]}")
    uid = str(event.get("UID", ""))
    if not 1 <= len(uid) <= LONGEST_UID:
        raise _Unusable(f"has no UID of 1 to {LONGEST_UID} characters")
    recurrence = _changed(_recurrence(event, zone), changes, zone)
    try:
        validate(recurrence, now)
    except Invalid as problem:
        field, text = next(iter(problem.fields.items()))
        raise _Unusable(f"cannot take place: {field}: {text}") from problem
    reason = str(event.get("DESCRIPTION", ""))[:LONGEST_REASON]
    return CalendarEvent(uid, _name(event), reason, recurrence)


def _times(event: Any, zone: str) -> tuple[datetime, str, timedelta]:
    """Start, name of its zone, and length."""
    if "DTSTART" not in event:
        raise _Unusable("has no DTSTART")
    start, named = _moment(event["DTSTART"], zone)
    if "DTEND" in event:
        length = _moment(event["DTEND"], zone)[0].astimezone(UTC) - start.astimezone(UTC)
    elif "DURATION" in event:
        length = event["DURATION"].dt
    else:
        length = timedelta() if isinstance(event["DTSTART"].dt, datetime) else timedelta(days=1)
    return start, named, length


def _changed(recurrence: Recurrence, changes: Sequence[Any], zone: str) -> Recurrence:
    """With single occurrences that are cancelled or moved; of several changes of one, the newest counts.

    A moved occurrence keeps the name and the reason of its window.
    """
    newest: dict[str, tuple[int, Occurrence | None]] = {}
    own = ZoneInfo(recurrence.zone)
    for event in changes:
        if event.errors:
            part, text = event.errors[0]
            raise _Unusable(f"has a changed occurrence with an invalid {part}: {text[:200]}")
        identity = event[_CHANGES]
        if isinstance(identity, list) or "RANGE" in identity.params:
            raise _Unusable(
                f"changes an occurrence and all later ones ({_CHANGES} with RANGE): split the event"
            )
        if "RRULE" in event or "RDATE" in event:
            raise _Unusable("has a changed occurrence that recurs itself")
        moved = None
        if str(event.get("STATUS", "")).upper() != "CANCELLED":
            start, _, length = _times(event, zone)
            moved = occurrence(start, length.total_seconds())
        key, version = _local_start(identity, recurrence, own, zone), int(event.get("SEQUENCE", 0))
        if key not in newest or version >= newest[key][0]:
            newest[key] = (version, moved)
    replaced = {moment_of(datetime.fromisoformat(key), own) for key in newest}
    added = [one for one in recurrence.added if one.begins_at not in replaced]
    added += [moved for _, moved in newest.values() if moved is not None]
    excluded = dict.fromkeys((*recurrence.excluded, *newest))
    return replace(recurrence, excluded=tuple(excluded), added=tuple(added))


def _local_start(identity: Any, recurrence: Recurrence, own: ZoneInfo, zone: str) -> str:
    """The occurrence that an event changes; a date names the one on that day."""
    if not isinstance(identity.dt, datetime):
        first = recurrence.starts_at.astimezone(own).replace(tzinfo=None)
        return datetime.combine(identity.dt, first.time()).isoformat()
    return _moment(identity, zone)[0].astimezone(own).replace(tzinfo=None).isoformat()


def _recurrence(event: Any, zone: str) -> Recurrence:
    start, named, length = _times(event, zone)
    rule = event.get("RRULE")
    if isinstance(rule, list):
        raise _Unusable("has several rules (RRULE)")
    return Recurrence(
        starts_at=start,
        duration_s=int(length.total_seconds()),
        zone=named,
        rule="" if rule is None else rule.to_ical().decode(),
        excluded=tuple(dict.fromkeys(_excluded(event.get("EXDATE"), start, named))),
        added=tuple(_further(event.get("RDATE"), start, named, length.total_seconds())),
    )


def _further(value: Any, start: datetime, zone: str, length_s: float) -> Iterator[Occurrence]:
    """Further dates: times, days (at the time of the start), and periods with a length of their own."""
    own = ZoneInfo(zone)
    local = start.astimezone(own).replace(tzinfo=None)
    for part in value if isinstance(value, list) else [] if value is None else [value]:
        for item in part.dts:
            begins: Any = item.dt
            seconds = length_s
            if isinstance(begins, tuple):
                begins, end = begins
                length = end if isinstance(end, timedelta) else _aware(end, own) - _aware(begins, own)
                seconds = length.total_seconds()
            if not isinstance(begins, datetime):
                begins = datetime.combine(begins, local.time())
            yield occurrence(_aware(begins, own), seconds)


def _aware(found: datetime, zone: ZoneInfo) -> datetime:
    return moment_of(found, zone) if found.tzinfo is None else found.astimezone(UTC)


def _moment(value: Any, zone: str) -> tuple[datetime, str]:
    """An aware time and the name of its zone; a date is its midnight, a time without a zone is in `zone`."""
    found = value.dt
    named = str(value.params.get("TZID", ""))
    if not isinstance(found, datetime):
        return datetime.combine(found, time(), ZoneInfo(zone)), zone
    if found.tzinfo is None:
        if named:
            raise _Unusable(f"is in an unknown time zone: {named[:100]}")
        return found.replace(tzinfo=ZoneInfo(zone)), zone
    key = getattr(found.tzinfo, "key", None)
    if key is None and found.utcoffset() == timedelta():
        key = "UTC"
    if key is None:
        raise _Unusable(f"is in an unknown time zone: {named[:100]}")
    return found, key


def _excluded(value: Any, start: datetime, zone: str) -> Iterator[str]:
    """Local starts that are left out; a date leaves out the start on that day."""
    local = start.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    for part in value if isinstance(value, list) else [] if value is None else [value]:
        for item in part.dts:
            found: date = item.dt
            if not isinstance(found, datetime):
                yield datetime.combine(found, local.time()).isoformat()
            elif found.tzinfo is None:
                yield found.isoformat()
            else:
                yield found.astimezone(ZoneInfo(zone)).replace(tzinfo=None).isoformat()


def _name(event: Any) -> str:
    return str(event.get("SUMMARY", "")).strip()[:LONGEST_NAME] or "Maintenance"
