"""Advisory locks of PostgreSQL, and rounds that run in one process at a time.

The first of the two keys is a `LockClass`; the second is a site's id, or 0 for all sites.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import IntEnum
from typing import Any

import psycopg
from django.db import connection

from backstay.inventory.models import Site

_ALL_SITES = 0
LONGEST_S = 70.0
"""Longer than any task: Celery ends them after 60 s."""


class LockClass(IntEnum):
    """The first key: what the lock protects."""

    ROLLOUT_TICK = 0x0C4A
    ALERTS = 0x42AC
    WIRING = 0x42AD
    ROUTES = 0x42AF
    JUDGED = 0x42B0
    THROUGHPUT_TICK = 0x7E57
    ROUND = 0x42AE
    RETENTION = 0x0DE1
    ARCHIVE = 0x0DE2
    ROLLUPS = 0x0DE3
    EXPORTS = 0x0DE5
    NOTIFICATIONS = 0x42B1
    PREVIEWS = 0x42B2
    CAPACITY = 0x42B3
    FORECASTS = 0x42B4


def lock_until_commit(what: LockClass, site: Site) -> None:
    """Wait for a site's lock and hold it to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [what.value, site.pk])


def try_lock_until_commit(what: LockClass, site: Site) -> bool:
    """Take a site's lock to the end of the transaction; False, at once, if another transaction holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [what.value, site.pk])
        row = cursor.fetchone()
    return bool(row and row[0])


def run_in_one_process(
    what: LockClass,
    work: Callable[[], object],
    site: int = _ALL_SITES,
    longest_s: float | None = LONGEST_S,
) -> bool:
    """Run `work` unless another process does, of this site's id or of all sites; whether it ran.

    A transaction on a connection of its own holds the lock: behind PgBouncer in transaction mode, that of a
    session would stay with whoever gets the session next (docs/decisions/0021). It ends with the process, and
    `longest_s` (None: no limit) after a host vanished. Raises psycopg.Error if it ended before `work` did.
    """
    with _own_connection() as holder, holder.transaction():
        if longest_s is not None:
            limit = f"{longest_s:g}s"
            holder.execute("SELECT set_config('idle_in_transaction_session_timeout', %s, true)", [limit])
        row = holder.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [what.value, site]).fetchone()
        assert row is not None
        if not row[0]:
            return False
        work()
    return True


def _own_connection() -> AbstractContextManager[psycopg.Connection[Any]]:
    """A second connection, next to Django's: from its pool, or a new one."""
    pool = connection.pool  # type: ignore[attr-defined]  # Of Django's PostgreSQL backend.
    if pool is None:
        driver: Any = connection.Database  # type: ignore[attr-defined]
        made: psycopg.Connection[Any] = driver.connect(**connection.get_connection_params())
        return made
    pool.open()
    held: AbstractContextManager[psycopg.Connection[Any]] = pool.connection()
    return held
