"""Maintenance windows as iCalendar (RFC 5545): the feed that calendars read, and files that are imported.

Time zones are taken by name from the system's tables. Those that a file defines itself (VTIMEZONE) are
dropped before it is parsed: their rules may be endless, and what they are called says where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from icalendar import Calendar, Event, vRecur

from backstay.alerts.windows.models import MaintenanceWindow
from backstay.alerts.windows.recurrence import Recurrence, validate
from backstay.core.errors import Invalid

MOST_EVENTS = 500
LONGEST_NAME, LONGEST_REASON, LONGEST_UID = 100, 2000, 255
PRODUCT = "-//Backstay//maintenance windows//EN"
_ZONES = re.compile(r"^BEGIN:VTIMEZONE\s*$.*?^END:VTIMEZONE\s*$", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_UNSUPPORTED = {
    "RDATE": "has additional dates (RDATE)",
    "EXRULE": "has an exception rule (EXRULE)",
    "RECURRENCE-ID": "changes one occurrence of another event (RECURRENCE-ID)",
}


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
    events: dict[str, CalendarEvent] = {}
    problems = []
    for event in found:
        try:
            one = _event(event, zone, now)
            if one.uid in events:
                raise _Unusable("has the UID of another event")
            events[one.uid] = one
        except _Unusable as problem:
            problems.append(CalendarProblem(_name(event), str(problem)))
        except (ValueError, TypeError, AttributeError, OverflowError) as problem:
            problems.append(CalendarProblem(_name(event), f"has an invalid value: {str(problem)[:200]}"))
    return list(events.values()), problems


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
    return event


def _event(event: Any, zone: str, now: datetime) -> CalendarEvent:
    for name, text in _UNSUPPORTED.items():
        if name in event:
            raise _Unusable(f"{text}, which is not supported")
    if str(event.get("STATUS", "")).upper() == "CANCELLED":
        raise _Unusable("is cancelled")
    if event.errors:
        part, text = event.errors[0]
        raise _Unusable(f"has an invalid {part}: {text[:200]}")
    uid = str(event.get("UID", ""))
    if not 1 <= len(uid) <= LONGEST_UID:
        raise _Unusable(f"has no UID of 1 to {LONGEST_UID} characters")
    recurrence = _recurrence(event, zone)
    try:
        validate(recurrence, now)
    except Invalid as problem:
        field, text = next(iter(problem.fields.items()))
        raise _Unusable(f"cannot take place: {field}: {text}") from problem
    reason = str(event.get("DESCRIPTION", ""))[:LONGEST_REASON]
    return CalendarEvent(uid, _name(event), reason, recurrence)


def _recurrence(event: Any, zone: str) -> Recurrence:
    if "DTSTART" not in event:
        raise _Unusable("has no DTSTART")
    start, named = _moment(event["DTSTART"], zone)
    if "DTEND" in event:
        length = _moment(event["DTEND"], zone)[0].astimezone(UTC) - start.astimezone(UTC)
    elif "DURATION" in event:
        length = event["DURATION"].dt
    else:
        length = timedelta() if isinstance(event["DTSTART"].dt, datetime) else timedelta(days=1)
    rule = event.get("RRULE")
    if isinstance(rule, list):
        raise _Unusable("has several rules (RRULE)")
    return Recurrence(
        starts_at=start,
        duration_s=int(length.total_seconds()),
        zone=named,
        rule="" if rule is None else rule.to_ical().decode(),
        excluded=tuple(dict.fromkeys(_excluded(event.get("EXDATE"), start, named))),
    )


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
