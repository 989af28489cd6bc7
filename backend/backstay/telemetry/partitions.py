"""The days of samples, figures and neighbours past: made ahead of time and dropped whole, never row by row.

A day is made when the first report of it arrives, too, so nothing is lost when no worker runs.
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
TABLES = ("telemetry_samples", "telemetry_metrichistory", "telemetry_neighbourpast")
_NAME = re.compile(r"telemetry_(?:samples|metrichistory|neighbourpast)_(\d{4})(\d{2})(\d{2})")
# Out-of-line storage begins at half a page and not at a quarter: a switch's row stays in one place.
_STORAGE = "WITH (toast_tuple_target = 4080)"

_known: set[date] = set()
"""Days that this process has seen committed."""


def kept_from(now: datetime) -> datetime:
    """Samples older than this are not kept."""
    return now - timedelta(days=settings.HOT_DAYS)


def ensure_day(day: date) -> None:
    """Make the partitions of a UTC day unless they are there. Not inside the transaction that needs it."""
    if day in _known:
        return
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('telemetry partitions', 0))")
        for table in TABLES:
            name = f"{table}_{day:%Y%m%d}"
            cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [name])
            if not cursor.fetchone()[0]:
                cursor.execute(
                    f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES FROM (%s) TO (%s) {_STORAGE}",
                    [start, start + timedelta(days=1)],
                )
        transaction.on_commit(lambda: _known.add(day))


def days() -> list[date]:
    """The days that have a partition, in order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = ANY(%s::regclass[])",
            [list(TABLES)],
        )
        names = [row[0] for row in cursor.fetchall()]
    found = [match for name in names if (match := _NAME.fullmatch(name))]
    return sorted({date(int(match[1]), int(match[2]), int(match[3])) for match in found})


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


def forget_unused_layouts(now: datetime) -> int:
    """Forget the figure layouts of before the days that are kept which nothing refers to; how many."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM telemetry_metriclayout l WHERE l.created_at < %s"
            " AND NOT EXISTS (SELECT FROM telemetry_metricset s WHERE s.layout_id = l.id)"
            " AND NOT EXISTS"
            " (SELECT FROM telemetry_metrichistory f WHERE f.node_id = l.node_id AND f.layout_id = l.id)",
            [kept_from(now) - GRACE],
        )
        return int(cursor.rowcount)


def _end(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)


def _drop(day: date) -> None:
    """Waits only briefly for readers: a queue behind an exclusive lock would stop ingest."""
    _known.discard(day)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        for table in TABLES:
            cursor.execute(f"DROP TABLE IF EXISTS {table}_{day:%Y%m%d}")
