"""Partitions of the roll-ups: months of 5 min and 1 h, years of 1 d. Created ahead, dropped whole.

As those of samples (`telemetry.partitions`), by functions of the tables' owner (migration 0028).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from django.db import OperationalError, connection, transaction
from django.utils import timezone
from psycopg.errors import LockNotAvailable

from backstay.core.rollups.levels import LEVELS, Level
from backstay.inventory.sql import fetch_rows
from backstay.telemetry import level_retention

log = logging.getLogger(__name__)
AHEAD = timedelta(days=3)
LOCK_TIMEOUT = "300ms"
"""For a lock of a whole table: inserts queue behind whoever waits for one."""
_NAME = re.compile(r"telemetry_rollup_(5m|1h|1d)_(\d{4})(\d{2})?")
_PARTITIONS = """
    SELECT inhrelid::regclass::text FROM pg_inherits
    WHERE inhparent = ANY (%s::regclass[])
"""
_known: set[tuple[int, int]] = set()
"""Months whose partitions this process knows to be committed."""


def ensure_rollups(day: date) -> None:
    """Create the missing partitions that a UTC day needs. Call outside the transaction that needs them."""
    month = (day.year, day.month)
    if month in _known:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute("SELECT telemetry_create_rollups(%s)", [day])
        transaction.on_commit(lambda: _known.add(month))


def starts() -> dict[str, list[date]]:
    """Level -> starts of its partitions, ascending."""
    found: dict[str, list[date]] = {level.name: [] for level in LEVELS}
    for (name,) in fetch_rows(_PARTITIONS, [[level.table for level in LEVELS]]):
        if match := _NAME.fullmatch(name):
            found[match[1]].append(date(int(match[2]), int(match[3] or 1), 1))
    return {name: sorted(days) for name, days in found.items()}


def kept_from() -> Mapping[str, float]:
    """Level -> start of its oldest partition, Unix seconds."""
    return {name: _start(days[0]).timestamp() for name, days in starts().items() if days}


def kept_at(own: Mapping[str, int]) -> dict[str, float]:
    """The same at a site with this `retention`."""
    return level_retention.kept_from(kept_from(), own, timezone.now())


def oldest_start() -> datetime | None:
    """Start of the oldest stored row's partition; older layouts have no roll-ups."""
    return min((_start(days[0]) for days in starts().values() if days), default=None)


def maintain(now: datetime) -> list[tuple[str, date]]:
    """Create the coming partitions and drop those that no site keeps; returns the dropped ones."""
    kept = level_retention.longest_rollup_days()
    ensure_rollups((now + AHEAD).astimezone(UTC).date())
    found = starts()
    expired = [
        (level, day)
        for level in LEVELS
        for day in found[level.name]
        if _end(level, day) < now - timedelta(days=kept[level.name])
    ]
    return [(level.name, day) for level, day in expired if _dropped(level, day)]


def _start(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _end(level: Level, day: date) -> datetime:
    if level.period == "year":
        return _start(date(day.year + 1, 1, 1))
    return _start(date(day.year + day.month // 12, day.month % 12 + 1, 1))


def _dropped(level: Level, day: date) -> bool:
    """Drop a partition; one that is being read is left for the next time. Returns whether it was dropped."""
    _known.discard((day.year, day.month))
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
            cursor.execute("SELECT telemetry_drop_rollup(%s, %s)", [level.name, day])
    except OperationalError as problem:
        if not isinstance(problem.__cause__, LockNotAvailable):
            raise
        log.warning("the roll-ups %s of %s are being read; they are dropped later", level.name, day)
        return False
    return True
