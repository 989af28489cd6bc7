"""Occurrences of maintenance windows: time zones, changes of daylight saving time, hostile rules."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.alerts.windows.recurrence import MAX_PAST, Recurrence, upcoming, validate
from backstay.core.errors import Invalid

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
ZURICH, CHICAGO = ZoneInfo("Europe/Zurich"), ZoneInfo("America/Chicago")


def starts(recurrence: Recurrence, most: int = 4, now: datetime = NOW) -> list[str]:
    validate(recurrence, now)
    return [one.begins_at.isoformat() for one in upcoming(recurrence, now, None, most)]


def test_weekly_window_keeps_its_local_time_when_zurich_moves_its_clocks() -> None:
    first = datetime(2026, 3, 22, 4, tzinfo=ZURICH)
    found = starts(Recurrence(first, 3600, "Europe/Zurich", "FREQ=WEEKLY;BYDAY=SU"))
    assert found == [
        "2026-03-22T03:00:00+00:00",
        "2026-03-29T02:00:00+00:00",
        "2026-04-05T02:00:00+00:00",
        "2026-04-12T02:00:00+00:00",
    ]


def test_weekly_window_keeps_its_local_time_when_chicago_moves_its_clocks() -> None:
    first = datetime(2026, 10, 18, 4, tzinfo=CHICAGO)
    found = starts(
        Recurrence(first, 3600, "America/Chicago", "FREQ=WEEKLY"), now=datetime(2026, 10, 18, tzinfo=UTC)
    )
    assert found == [
        "2026-10-18T09:00:00+00:00",
        "2026-10-25T09:00:00+00:00",
        "2026-11-01T10:00:00+00:00",
        "2026-11-08T10:00:00+00:00",
    ]


def test_time_that_the_change_skips_is_taken_with_the_offset_before_it() -> None:
    """02:30 does not exist in Zurich on 29 March 2026: 01:30 UTC, which clocks show as 03:30."""
    first = datetime(2026, 3, 28, 2, 30, tzinfo=ZURICH)
    found = starts(Recurrence(first, 3600, "Europe/Zurich", "FREQ=DAILY"), 3)
    assert found == ["2026-03-28T01:30:00+00:00", "2026-03-29T01:30:00+00:00", "2026-03-30T00:30:00+00:00"]


def test_time_that_exists_twice_is_the_first() -> None:
    first = datetime(2026, 10, 25, 2, 30, tzinfo=ZURICH)
    assert starts(Recurrence(first, 3600, "Europe/Zurich")) == ["2026-10-25T00:30:00+00:00"]


def test_occurrence_lasts_the_same_elapsed_time_across_the_change() -> None:
    first = datetime(2026, 3, 28, 22, tzinfo=ZURICH)
    (one,) = upcoming(Recurrence(first, 8 * 3600, "Europe/Zurich"), NOW, None, 2)
    assert one.ends_at - one.begins_at == timedelta(hours=8)
    assert one.ends_at.astimezone(ZURICH).hour == 7


def test_excluded_starts_are_left_out_and_a_count_includes_them() -> None:
    first = datetime(2026, 4, 1, 4, tzinfo=ZURICH)
    rule = Recurrence(first, 60, "Europe/Zurich", "FREQ=DAILY;COUNT=3", ("2026-04-02T04:00:00",))
    assert starts(rule) == ["2026-04-01T02:00:00+00:00", "2026-04-03T02:00:00+00:00"]


def test_until_in_utc_includes_the_occurrence_at_that_moment() -> None:
    first = datetime(2026, 4, 1, 4, tzinfo=ZURICH)
    rule = Recurrence(first, 60, "Europe/Zurich", "FREQ=DAILY;UNTIL=20260402T020000Z")
    assert starts(rule) == ["2026-04-01T02:00:00+00:00", "2026-04-02T02:00:00+00:00"]


def test_29_february_recurs_in_leap_years() -> None:
    first = datetime(2024, 2, 29, 4, tzinfo=UTC)
    assert starts(Recurrence(first, 60, "UTC", "FREQ=YEARLY"), 3) == [
        f"{year}-02-29T04:00:00+00:00" for year in (2028, 2032, 2036)
    ]


HOSTILE = [
    "FREQ=SECONDLY",
    "FREQ=MINUTELY;INTERVAL=1",
    "FREQ=DAILY;BYSECOND=" + ",".join(map(str, range(60))),
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;COUNT=99999",
    "FREQ=DAILY;COUNT=2;UNTIL=20270101",
    "FREQ=DAILY;FREQ=YEARLY",
    "FREQ=YEARLY;BYDAY=53MO,53TU;BYMONTH=2,4,6;BYSETPOS=300",
    "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1;BYSETPOS=-366",
    "FREQ=WEEKLY;BYDAY=9SU",
    "FREQ=DAILY;UNTIL=soon",
    "FREQ=DAILY;BYMONTHDAY=" + ",".join(["1"] * 500),
    "FREQ=DAILY\nDTSTART:19700101T000000",
    "RDATE:20260101T000000",
]


@pytest.mark.parametrize("rule", HOSTILE)
def test_hostile_rule_is_refused_within_a_second(rule: str) -> None:
    began = time.process_time()
    with pytest.raises(Invalid) as refused:
        validate(Recurrence(NOW, 60, "Europe/Zurich", rule), NOW)
    assert "rule" in refused.value.fields
    assert time.process_time() - began < 1


ITEMS = st.lists(st.integers(-40, 40).map(str), min_size=1, max_size=4).map(",".join)
PARTS = st.fixed_dictionaries(
    {"FREQ": st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])},
    optional={
        "INTERVAL": st.integers(0, 1200).map(str),
        "BYMONTH": ITEMS,
        "BYMONTHDAY": ITEMS,
        "BYSETPOS": ITEMS,
        "BYDAY": st.sampled_from(["MO", "SU,MO", "5FR", "-5SU,2MO", "6TU"]),
        "COUNT": st.integers(0, 6000).map(str),
    },
)


@given(PARTS)
@settings(max_examples=200, deadline=None)
def test_any_rule_is_refused_or_expanded_in_order_within_a_second(parts: dict[str, str]) -> None:
    rule = ";".join(f"{name}={value}" for name, value in parts.items())
    recurrence = Recurrence(NOW - MAX_PAST, 3600, "America/Chicago", rule)
    began = time.process_time()
    try:
        validate(recurrence, NOW)
    except Invalid:
        found = []
    else:
        found = [one.begins_at for one in upcoming(recurrence, NOW, None, 10)]
    assert time.process_time() - began < 1
    assert found == sorted(set(found))


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"zone": "../../etc/passwd"}, "zone"),
        ({"duration_s": 0}, "duration_s"),
        ({"duration_s": 367 * 86400}, "duration_s"),
        ({"starts_at": datetime(1990, 1, 1, tzinfo=UTC), "rule": "FREQ=DAILY"}, "starts_at"),
        ({"excluded": ("tomorrow",)}, "excluded"),
        ({"excluded": ("2026-01-01T00:00:00+01:00",)}, "excluded"),
    ],
)
def test_unusable_window_names_the_field(more: dict[str, object], field: str) -> None:
    fields: dict[str, object] = {"starts_at": NOW, "duration_s": 60, "zone": "Europe/Zurich"}
    with pytest.raises(Invalid) as refused:
        validate(Recurrence(**(fields | more)), NOW)  # type: ignore[arg-type]
    assert list(refused.value.fields) == [field]
