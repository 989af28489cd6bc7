"""The days of the sample store: made ahead, made on demand, dropped whole."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from pytest_django import Settings

from backstay.telemetry import partitions

NOW = datetime(2031, 5, 10, 23, 30, tzinfo=UTC)


def test_today_and_the_days_ahead_are_made(db: None) -> None:
    partitions.maintain(NOW)
    assert {date(2031, 5, 10), date(2031, 5, 11), date(2031, 5, 12)} <= set(partitions.days())


def test_making_a_day_again_is_free(db: None) -> None:
    partitions.ensure_day(date(2031, 5, 10))
    partitions.ensure_day(date(2031, 5, 10))
    assert partitions.days().count(date(2031, 5, 10)) == 1


def test_a_day_is_dropped_only_when_all_of_it_is_past_keeping(db: None, settings: Settings) -> None:
    settings.HOT_DAYS = 7
    for ago in range(10):
        partitions.ensure_day((NOW - timedelta(days=ago)).date())
    gone = partitions.maintain(NOW)
    assert date(2031, 5, 1) in gone
    assert date(2031, 5, 2) in gone
    assert date(2031, 5, 3) in partitions.days()
    assert partitions.maintain(NOW) == []


def test_a_day_outlives_its_end_by_the_grace(db: None, settings: Settings) -> None:
    settings.HOT_DAYS = 1
    partitions.ensure_day(date(2031, 5, 8))
    assert date(2031, 5, 8) not in partitions.maintain(datetime(2031, 5, 10, 0, 30, tzinfo=UTC))
    assert date(2031, 5, 8) in partitions.maintain(datetime(2031, 5, 10, 1, 30, tzinfo=UTC))
