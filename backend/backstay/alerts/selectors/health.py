"""Reads for health checks, which must answer also while PostgreSQL hangs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from backstay.alerts.selectors.listening_window import ROUND
from backstay.alerts.selectors.rounds import MAX_LATE_S

CONNECT_S = 2
STATEMENT_MS = 2000
# A site that was never evaluated waits since its import.
_EVALUATIONS = """
SELECT (SELECT finished_at FROM alerts_round WHERE name = %(name)s),
    count(*), count(*) FILTER (WHERE coalesce(round.finished_at, site.imported_at) < %(late)s),
    min(coalesce(round.finished_at, site.imported_at))
FROM inventory_site AS site LEFT JOIN alerts_siteround AS round ON round.site_id = site.id
WHERE site.archived_at IS NULL
"""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How current the evaluation of rules is, over all sites in use."""

    dispatched_at: datetime | None
    """When a worker last sent the rounds of all sites; None: never."""
    sites: int
    late: int
    """Sites whose rules were not evaluated for MAX_LATE_S."""
    oldest_at: datetime | None
    """Newest round of the site that waits longest; None without sites."""


def last_evaluation(now: datetime) -> Evaluation:
    """Read over a connection of its own, because the pool's may all be stuck. Raises psycopg.Error."""
    parameters = connection.get_connection_params() | {"connect_timeout": CONNECT_S}
    driver: Any = connection.Database  # type: ignore[attr-defined]  # Of Django's PostgreSQL backend.
    with driver.connect(**parameters, autocommit=True) as own, own.transaction():
        own.execute(f"SET LOCAL statement_timeout = {STATEMENT_MS}")
        late = now - timedelta(seconds=MAX_LATE_S)
        row = own.execute(_EVALUATIONS, {"name": ROUND, "late": late}).fetchone()
    assert row is not None  # An aggregate has one row.
    return Evaluation(*row)


def check_database() -> None:
    """Raise DatabaseError unless the database answers this thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM alerts_round LIMIT 1")
