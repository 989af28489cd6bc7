"""Advisory locks of PostgreSQL, and rounds that run in one process at a time.

The first of the two keys is a `LockClass`; the second is a site's id, or 0 for all sites.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from django.db import connection

from backstay.inventory.models import Site

_ALL_SITES = 0


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


def lock_until_commit(what: LockClass, site: Site) -> None:
    """Wait for a site's lock and hold it to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [what.value, site.pk])


def run_in_one_process(what: LockClass, work: Callable[[], object], site: int = _ALL_SITES) -> bool:
    """Run `work` unless another process does, of this site's id or of all sites; whether it ran.

    The lock ends with the connection, so a killed process does not block the others.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [what.value, site])
        if not cursor.fetchone()[0]:
            return False
        try:
            work()
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [what.value, site])
    return True
