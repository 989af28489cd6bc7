"""Daily partitions of the sample store: created ahead or on demand, dropped entirely."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
from django.db import connection
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


@contextmanager
def reader(table: str) -> Iterator[psycopg.Connection[object]]:
    """A session that has read a table in a transaction that stays open, as a dump does."""
    known = connection.get_connection_params()
    parameters = {key: known[key] for key in ("host", "port", "user", "dbname")}
    with psycopg.connect(**parameters) as session:
        session.execute(f"SELECT count(*) FROM {table}")
        yield session
        session.rollback()


@pytest.fixture
def some_days(transactional_db: None, settings: Settings) -> Iterator[list[date]]:
    """Days far in the past, which are created here and dropped in the end."""
    settings.HOT_DAYS = 7
    used = [date(2001, 5, 1) + timedelta(days=number) for number in range(3)]
    yield used
    partitions._known.difference_update(used)
    for day in used:
        partitions._drop(day)


def test_open_reader_delays_no_new_day(some_days: list[date]) -> None:
    """Nothing waits behind the reader, so no insert waits behind the new day."""
    with reader("telemetry_samples"), reader("telemetry_metrichistory"):
        began = time.monotonic()
        partitions.ensure_day(some_days[0])
        assert time.monotonic() - began < 1
    assert some_days[0] in partitions.days()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO telemetry_samples (node_id, ts, duration_ns, shift_ns, layout_id, in_octets,"
            " out_octets, in_packets, out_packets)"
            " VALUES (1, '2001-05-01 12:00Z', 1, 0, 1, '{1}', '{1}', '{1}', '{1}')"
            " RETURNING tableoid::regclass::text"
        )
        assert cursor.fetchone() == ("telemetry_samples_20010501",)


def test_new_day_is_as_the_older_ones(some_days: list[date]) -> None:
    partitions.ensure_day(some_days[0])
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reloptions FROM pg_class"
            " WHERE relname LIKE '%\\_20010501' AND relkind = 'r' ORDER BY 1"
        )
        tables = cursor.fetchall()
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = 'telemetry_samples_20010501'")
        (index,) = [row[0] for row in cursor.fetchall()]
    assert [name for name, _ in tables] == sorted(f"{table}_20010501" for table in partitions.TABLES)
    assert {tuple(options) for _, options in tables} == {("toast_tuple_target=4080",)}
    assert "(node_id, ts)" in index


def test_day_that_is_being_read_is_dropped_later(
    some_days: list[date], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(partitions, "DROP_PAUSE_S", 0.01)
    for day in some_days[:2]:
        partitions.ensure_day(day)
    with reader("telemetry_samples_20010501"):
        began = time.monotonic()
        gone = partitions.maintain(NOW)
        assert time.monotonic() - began < 5
        assert some_days[0] not in gone
        assert some_days[1] in gone, "one day that is being read keeps no other"
    assert "the partitions of 2001-05-01 are being read" in caplog.text
    assert some_days[0] in partitions.maintain(NOW)
