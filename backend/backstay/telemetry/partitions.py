"""The days of the sample store: partitions are made ahead of time and dropped whole, never row by row.

A day is made when the first sample of it arrives, too, so nothing is lost when no worker runs.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.db import connection, transaction

AHEAD_DAYS = 2
GRACE = timedelta(hours=1)
"""A day outlives its end by this much more than promised, so that no report in flight finds it gone."""
LOCK_TIMEOUT = "3s"
_NAME = re.compile(r"telemetry_samples_(\d{4})(\d{2})(\d{2})")
# Out-of-line storage begins at half a page and not at a quarter: a switch's row stays in one place.
_STORAGE = "WITH (toast_tuple_target = 4080)"

_known: set[date] = set()
"""Days that this process has seen committed."""


def kept_from(now: datetime) -> datetime:
    """Samples older than this are not kept."""
    return now - timedelta(days=settings.HOT_DAYS)


def ensure_day(day: date) -> None:
    """Make the partition of a UTC day unless it is there. Call it outside the transaction that needs it."""
    if day in _known:
        return
    name = f"telemetry_samples_{day:%Y%m%d}"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('telemetry partitions', 0))")
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [name])
        if not cursor.fetchone()[0]:
            start = datetime(day.year, day.month, day.day, tzinfo=UTC)
            cursor.execute(
                f"CREATE TABLE {name} PARTITION OF telemetry_samples FOR VALUES FROM (%s) TO (%s) {_STORAGE}",
                [start, start + timedelta(days=1)],
            )
        transaction.on_commit(lambda: _known.add(day))


def days() -> list[date]:
    """The days that have a partition, in order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'telemetry_samples'::regclass"
        )
        names = [row[0] for row in cursor.fetchall()]
    found = [match for name in names if (match := _NAME.fullmatch(name))]
    return sorted(date(int(match[1]), int(match[2]), int(match[3])) for match in found)


def maintain(now: datetime) -> list[date]:
    """Make the days ahead and drop those that are no longer kept; the dropped ones are returned."""
    today = now.astimezone(UTC).date()
    for ahead in range(AHEAD_DAYS + 1):
        ensure_day(today + timedelta(days=ahead))
    gone = [day for day in days() if _end(day) < kept_from(now) - GRACE]
    for day in gone:
        _drop(day)
    return gone


def forget_removed_nodes() -> int:
    """Forget which samples are the newest of nodes that no longer exist; how many nodes there were."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM telemetry_newest l WHERE NOT EXISTS"
            " (SELECT FROM inventory_node n WHERE n.id = l.node_id)"
        )
        return int(cursor.rowcount)


def _end(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)


def _drop(day: date) -> None:
    """Waits only briefly for readers: a queue behind an exclusive lock would stop ingest."""
    _known.discard(day)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute(f"DROP TABLE IF EXISTS telemetry_samples_{day:%Y%m%d}")
