"""Daily partitions of samples, metric history and neighbour history: created ahead, dropped whole.

The first report of a day also creates its partitions, so nothing is lost when no worker runs. The application
owns no table: two functions of the tables' owner (migration 0022) create and drop a day.
"""

from __future__ import annotations

import logging
import re
import time
from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from backstay.telemetry.archive import release
from backstay.telemetry.rollup_models import rolled_up_until

log = logging.getLogger(__name__)
AHEAD_DAYS = 2
GRACE = timedelta(hours=1)
"""Kept beyond the retention time, so that reports in flight still find their partition."""
LOCK_TIMEOUT = "300ms"
"""For a lock of a whole table: inserts queue behind whoever waits for one."""
DROP_ATTEMPTS, DROP_PAUSE_S = 5, 1.0
TABLES = ("telemetry_samples", "telemetry_metrichistory", "telemetry_neighbourpast")
_NAME = re.compile(r"telemetry_(?:samples|metrichistory|neighbourpast)_(\d{4})(\d{2})(\d{2})")

_known: set[date] = set()
"""Days whose partitions this process knows to be committed."""


def kept_from(now: datetime) -> datetime:
    """Start of the retention period."""
    return now - timedelta(days=settings.HOT_DAYS)


def ensure_day(day: date) -> None:
    """Create missing partitions of a UTC day. Call outside the transaction that needs them."""
    if day in _known:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute("SELECT telemetry_create_day(%s)", [day])
        transaction.on_commit(lambda: _known.add(day))


def days() -> list[date]:
    """Days with a partition, in order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = ANY(%s::regclass[])",
            [list(TABLES)],
        )
        names = [row[0] for row in cursor.fetchall()]
    found = [match for name in names if (match := _NAME.fullmatch(name))]
    return sorted({date(int(match[1]), int(match[2]), int(match[3])) for match in found})


def maintain(now: datetime) -> list[date]:
    """Create the coming days and drop expired ones; returns the dropped days."""
    today = now.astimezone(UTC).date()
    for ahead in range(AHEAD_DAYS + 1):
        ensure_day(today + timedelta(days=ahead))
    expired = [day for day in days() if _end(day) < kept_from(now) - GRACE and _is_rolled_up(day, now)]
    return [day for day in expired if release.permits(day) and _dropped(day)]


def forget_removed_nodes() -> int:
    """Delete the newest-sample rows of removed nodes; returns the number of nodes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM telemetry_newest l WHERE NOT EXISTS"
            " (SELECT FROM inventory_node n WHERE n.id = l.node_id)"
        )
        return int(cursor.rowcount)


def forget_expired_newest() -> int:
    """Delete newest-sample rows whose sample is dropped; returns the count."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM telemetry_newest WHERE ts < %s", [stored_from()])
        return int(cursor.rowcount)


def stored_from() -> datetime:
    """Start of the oldest stored day; older samples, metrics and history are dropped."""
    oldest = min(days(), default=date.max)
    return datetime(oldest.year, oldest.month, oldest.day, tzinfo=UTC)


def _is_rolled_up(day: date, now: datetime) -> bool:
    """Whether every device's roll-ups include the day. If they fail for long, the disk comes first."""
    until = rolled_up_until()
    if until is None or _end(day) <= until:
        return True
    if _end(day) > now - 2 * timedelta(days=settings.HOT_DAYS):
        log.warning("%s is kept until it is rolled up; the roll-ups end at %s", day, until)
        return False
    log.error("%s is dropped although the roll-ups end at %s", day, until)
    return True


def _end(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)


def _dropped(day: date) -> bool:
    """Drop a day. A day that is being read is left for the next time; returns whether it was dropped."""
    for attempt in range(DROP_ATTEMPTS):
        if attempt:
            time.sleep(DROP_PAUSE_S)
        try:
            _drop(day)
        except OperationalError as problem:
            if not isinstance(problem.__cause__, LockNotAvailable):
                raise
        except release.ChangedDayError:
            release.reopen(day)
            return False
        else:
            return True
    log.warning("the partitions of %s are being read; they are dropped later", day)
    return False


def _drop(day: date) -> None:
    _known.discard(day)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        release.confirm(day)
        cursor.execute("SELECT telemetry_drop_day(%s)", [day])
