"""Daily partitions of the sample store: created ahead or on demand, dropped entirely."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from pytest_django import Settings

from backstay.telemetry import partitions

NOW = datetime(2031, 5, 10, 23, 30, tzinfo=UTC)


def test_partitions_for_today_and_coming_days_are_created(db: None) -> None:
    partitions.maintain(NOW)
    assert {date(2031, 5, 10), date(2031, 5, 11), date(2031, 5, 12)} <= set(partitions.days())


def test_creating_an_existing_partition_does_nothing(db: None) -> None:
    partitions.ensure_day(date(2031, 5, 10))
    partitions.ensure_day(date(2031, 5, 10))
    assert partitions.days().count(date(2031, 5, 10)) == 1


def test_partition_is_dropped_only_when_entirely_expired(db: None, settings: Settings) -> None:
    settings.HOT_DAYS = 7
    for ago in range(10):
        partitions.ensure_day((NOW - timedelta(days=ago)).date())
    gone = partitions.maintain(NOW)
    assert date(2031, 5, 1) in gone
    assert date(2031, 5, 2) in gone
    assert date(2031, 5, 3) in partitions.days()
    assert partitions.maintain(NOW) == []


def test_partition_is_kept_for_the_grace_period(db: None, settings: Settings) -> None:
    settings.HOT_DAYS = 1
    partitions.ensure_day(date(2031, 5, 8))
    assert date(2031, 5, 8) not in partitions.maintain(datetime(2031, 5, 10, 0, 30, tzinfo=UTC))
    assert date(2031, 5, 8) in partitions.maintain(datetime(2031, 5, 10, 1, 30, tzinfo=UTC))
