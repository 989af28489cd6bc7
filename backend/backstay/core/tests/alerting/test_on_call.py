"""On-call rotations: one person at a time, one handover per shift, also across changes of daylight saving."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.alerting.on_call import Override, Rotation, handover_at, next_shifts, on_call
from backstay.core.alerting.weekly_times import WeeklyTime, is_within

ZURICH = "Europe/Zurich"
WEEK = Rotation(("ann", "bob", "cid"), ZURICH, date(2026, 3, 2), time(9), days=7)


def local(text: str, zone: str = ZURICH, *, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)


@pytest.mark.parametrize(
    ("at", "person"),
    [
        ("2026-03-02T08:59", None),
        ("2026-03-02T09:00", "ann"),
        ("2026-03-09T08:59", "ann"),
        ("2026-03-09T09:00", "bob"),
        ("2026-03-23T09:00", "ann"),
        # Summer time begins on 2026-03-29: the handover stays at nine on the clock.
        ("2026-03-30T08:59", "ann"),
        ("2026-03-30T09:00", "bob"),
    ],
)
def test_handover_is_on_the_zones_clock(at: str, person: str | None) -> None:
    assert on_call(WEEK, local(at)) == person


def test_handover_in_the_repeated_hour_happens_once() -> None:
    nightly = Rotation(("ann", "bob"), ZURICH, date(2026, 10, 24), time(2, 30), days=1)
    before = [local("2026-10-25T02:29"), local("2026-10-25T02:30"), local("2026-10-25T02:59")]
    assert [on_call(nightly, at) for at in before] == ["ann", "bob", "bob"]
    again = [local("2026-10-25T02:00", fold=1), local("2026-10-25T02:29", fold=1)]
    assert [on_call(nightly, at) for at in again] == ["bob", "bob"]


def test_handover_in_the_skipped_hour_happens() -> None:
    nightly = Rotation(("ann", "bob"), ZURICH, date(2026, 3, 28), time(2, 30), days=1)
    assert on_call(nightly, local("2026-03-29T01:59")) == "ann"
    assert on_call(nightly, local("2026-03-29T03:30")) == "bob"
    assert on_call(nightly, local("2026-03-30T02:29")) == "bob"
    assert on_call(nightly, local("2026-03-30T02:30")) == "ann"


def test_override_replaces_the_rotation_even_outside_its_restrictions() -> None:
    nights = Rotation(
        ("ann",),
        ZURICH,
        date(2026, 1, 1),
        time(9),
        restrictions=(WeeklyTime(frozenset(range(7)), time(20), time(8)),),
        overrides=(
            Override(local("2026-06-01T12:00"), local("2026-06-01T14:00"), "bob"),
            Override(local("2026-06-01T13:00"), local("2026-06-01T13:30"), "cid"),
        ),
    )
    assert on_call(nights, local("2026-06-01T11:59")) is None
    assert on_call(nights, local("2026-06-01T12:00")) == "bob"
    assert on_call(nights, local("2026-06-01T13:00")) == "cid"
    assert on_call(nights, local("2026-06-01T14:00")) is None
    assert on_call(nights, local("2026-06-01T23:00")) == "ann"
    assert on_call(nights, local("2026-06-02T07:59")) == "ann"
    assert on_call(nights, local("2026-06-02T08:00")) is None


def test_weekly_time_over_midnight_belongs_to_the_day_on_which_it_began() -> None:
    friday = (WeeklyTime(frozenset({4}), time(22), time(6)),)
    assert is_within(friday, ZURICH, local("2026-06-06T05:59"))
    assert not is_within(friday, ZURICH, local("2026-06-06T22:30"))
    assert not is_within(friday, ZURICH, local("2026-06-05T05:59"))


ZONES = st.sampled_from([ZURICH, "America/Chicago", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"])
MOMENTS = st.integers(0, 3 * 365 * 86_400).map(
    lambda s: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=s)
)


@st.composite
def rotations(draw: st.DrawFn) -> Rotation:
    people = tuple(f"p{number}" for number in range(draw(st.integers(1, 5))))
    handover = draw(st.times().map(lambda at: at.replace(second=0, microsecond=0)))
    return Rotation(people, draw(ZONES), date(2026, 1, 1), handover, days=draw(st.integers(1, 40)))


@given(rotation=rotations(), number=st.integers(0, 400))
def test_person_changes_exactly_at_each_handover(rotation: Rotation, number: int) -> None:
    start, end = handover_at(rotation, number), handover_at(rotation, number + 1)
    person = rotation.people[number % len(rotation.people)]
    moments = [start, start + (end - start) / 2, end - timedelta(seconds=1)]
    assert [on_call(rotation, at) for at in moments] == [person] * 3
    assert on_call(rotation, end) == rotation.people[(number + 1) % len(rotation.people)]


@given(rotation=rotations(), now=MOMENTS)
def test_listed_shifts_are_gapless_and_agree_with_who_is_on_call(rotation: Rotation, now: datetime) -> None:
    shifts = next_shifts(rotation, now, 4)
    assert all(one.end == other.start for one, other in pairwise(shifts))
    if on_call(rotation, now) is not None:
        assert shifts[0].start <= now < shifts[0].end
    assert [on_call(rotation, shift.start) for shift in shifts] == [shift.person for shift in shifts]
