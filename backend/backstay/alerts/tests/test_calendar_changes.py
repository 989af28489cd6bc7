"""Calendar files with further dates, moved and cancelled occurrences, across changes of summer time."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from itertools import islice

import pytest

from backstay.alerts.models import MaintenanceWindow
from backstay.alerts.windows.calendar_files import CalendarEvent, read_calendar, write_calendar
from backstay.alerts.windows.recurrence import Occurrence, Recurrence

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
NIGHTLY = """
UID:nightly@planner
SUMMARY:Nightly
DTSTART;TZID=Europe/Zurich:20260328T023000
DURATION:PT1H
RRULE:FREQ=DAILY;COUNT=4
"""


def calendar(*events: str) -> str:
    bodies = (f"BEGIN:VEVENT\n{body.strip()}\nEND:VEVENT\n" for body in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n{''.join(bodies)}END:VCALENDAR\n"


def read(*events: str) -> CalendarEvent:
    (event,), problems = read_calendar(calendar(*events), "Europe/Zurich", NOW)
    assert problems == []
    return event


def times(recurrence: Recurrence, most: int = 10) -> list[tuple[str, int]]:
    """(start in UTC, minutes) of each occurrence."""
    return [
        (f"{one.begins_at:%m-%d %H:%M}", round((one.ends_at - one.begins_at).total_seconds() / 60))
        for one in islice(recurrence.occurrences(), most)
    ]


def problem(*events: str) -> str:
    found, (one,) = read_calendar(calendar(*events), "Europe/Zurich", NOW)
    assert found == []
    return one.text


def change(identity: str, *lines: str) -> str:
    return "\n".join(("UID:nightly@planner", f"RECURRENCE-ID;{identity}", *lines))


def test_further_dates_follow_the_clocks_of_the_zone() -> None:
    """02:30 is skipped on 29 March, and occurs twice on 25 October: the first counts."""
    event = read(
        """
UID:spare@planner
DTSTART;TZID=Europe/Zurich:20260328T023000
DURATION:PT1H
RDATE;TZID=Europe/Zurich:20260329T023000,20261025T023000
RDATE;VALUE=DATE:20260402
"""
    )
    assert times(event.recurrence) == [
        ("03-28 01:30", 60),
        ("03-29 01:30", 60),
        ("04-02 00:30", 60),
        ("10-25 00:30", 60),
    ]


def test_periods_have_a_length_of_their_own_and_one_of_the_rule_is_replaced() -> None:
    more = "RDATE;VALUE=PERIOD:20260401T000000Z/PT3H,20260330T003000Z/20260330T023000Z"
    assert times(read(NIGHTLY + more).recurrence) == [
        ("03-28 01:30", 60),
        ("03-29 01:30", 60),
        ("03-30 00:30", 120),
        ("03-31 00:30", 60),
        ("04-01 00:00", 180),
    ]


def test_a_moved_occurrence_leaves_its_place_and_keeps_its_own_length() -> None:
    moved = change(
        "TZID=Europe/Zurich:20260330T023000",
        "DTSTART;TZID=America/Chicago:20260330T220000",
        "DURATION:PT2H",
        "SUMMARY:Nightly, later",
    )
    for order in ((NIGHTLY, moved), (moved, NIGHTLY)):
        event = read(*order)
        assert event.name == "Nightly"
        assert times(event.recurrence) == [
            ("03-28 01:30", 60),
            ("03-29 01:30", 60),
            ("03-31 00:30", 60),
            ("03-31 03:00", 120),
        ]


@pytest.mark.parametrize(
    "identity",
    [
        "TZID=Europe/Zurich:20260329T023000",
        "TZID=Europe/Zurich:20260329T033000",
        "VALUE=DATE-TIME:20260329T013000Z",
        "VALUE=DATE:20260329",
    ],
)
def test_an_occurrence_in_the_skipped_hour_is_cancelled_by_each_of_its_names(identity: str) -> None:
    cancelled = change(identity, "STATUS:CANCELLED", "DTSTART;TZID=Europe/Zurich:20260329T023000")
    assert times(read(NIGHTLY, cancelled).recurrence) == [
        ("03-28 01:30", 60),
        ("03-30 00:30", 60),
        ("03-31 00:30", 60),
    ]


def test_of_several_changes_of_one_occurrence_the_newest_counts() -> None:
    place = "TZID=Europe/Zurich:20260331T023000"
    newer = change(place, "SEQUENCE:3", "DTSTART;TZID=Europe/Zurich:20260331T100000", "DURATION:PT1H")
    older = change(place, "SEQUENCE:2", "STATUS:CANCELLED", "DTSTART;TZID=Europe/Zurich:20260331T023000")
    assert times(read(NIGHTLY, newer, older).recurrence)[-1] == ("03-31 08:00", 60)


def test_a_further_date_can_be_moved_too() -> None:
    moved = change("VALUE=DATE-TIME:20260410T100000Z", "DTSTART:20260411T100000Z", "DTEND:20260411T103000Z")
    event = read(NIGHTLY + "RDATE:20260410T100000Z", moved)
    assert times(event.recurrence)[4:] == [("04-11 10:00", 30)]


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ((NIGHTLY + "EXRULE:FREQ=WEEKLY",), "RFC 5545 has removed: use EXDATE"),
        (
            (NIGHTLY, change("RANGE=THISANDFUTURE:20260330T003000Z", "DTSTART:20260330T013000Z")),
            "split the event",
        ),
        (
            (
                NIGHTLY,
                change("VALUE=DATE-TIME:20260330T003000Z", "DTSTART:20260330T013000Z", "RRULE:FREQ=DAILY"),
            ),
            "recurs itself",
        ),
        ((NIGHTLY, change("VALUE=DATE-TIME:20260330T003000Z", "DURATION:PT1H")), "no DTSTART"),
        ((NIGHTLY + "RDATE;VALUE=PERIOD:20260330T003000Z/PT1S",), "added: expected occurrences of 60"),
    ],
)
def test_what_cannot_be_imported_says_why(events: tuple[str, ...], text: str) -> None:
    found, problems = read_calendar(calendar(*events), "Europe/Zurich", NOW)
    assert found == []
    assert text in problems[0].text
    assert len(problems) == len(events), "changes of an event that is left out are listed too"


def test_a_change_of_an_event_that_the_file_lacks_is_listed() -> None:
    text = problem(change("VALUE=DATE-TIME:20260330T003000Z", "DTSTART:20260330T013000Z", "DURATION:PT1H"))
    assert "of an event that the file does not have" in text


def test_what_is_exported_is_imported_as_it_was() -> None:
    added = (
        Occurrence(datetime(2026, 4, 5, 8, tzinfo=UTC), datetime(2026, 4, 5, 9, tzinfo=UTC)),
        Occurrence(datetime(2026, 10, 25, 1, 30, tzinfo=UTC), datetime(2026, 10, 25, 5, tzinfo=UTC)),
    )
    window = MaintenanceWindow(
        name="Nightly",
        uid="nightly@planner",
        starts_at=datetime(2026, 3, 28, 1, 30, tzinfo=UTC),
        duration_s=3600,
        zone="Europe/Zurich",
        rule="FREQ=DAILY;COUNT=4",
        excluded=["2026-03-29T02:30:00"],
        added=[
            {"begins_at": one.begins_at.isoformat(), "duration_s": seconds}
            for one, seconds in zip(added, (3600, 12_600), strict=True)
        ],
        changed_at=NOW,
    )
    (event,), problems = read_calendar(write_calendar("all", [window]).decode(), "UTC", NOW)
    assert problems == []
    assert event.recurrence.added == added
    assert times(event.recurrence) == [
        ("03-28 01:30", 60),
        ("03-30 00:30", 60),
        ("03-31 00:30", 60),
        ("04-05 08:00", 60),
        ("10-25 01:30", 210),
    ]


def test_a_file_full_of_changes_is_read_within_seconds() -> None:
    place = "VALUE=DATE-TIME:2026{:02}{:02}T003000Z"
    many = [
        change(place.format(1 + number % 12, 1 + number % 28), "DTSTART:20260330T013000Z", "DURATION:PT1H")
        for number in range(499)
    ]
    began = time.process_time()
    read_calendar(calendar(NIGHTLY, *many), "Europe/Zurich", NOW)
    assert time.process_time() - began < 5
