"""The listening window: a node is unreachable only if it did not report while the backend could receive.

Receiving requires the ingest, which writes a heartbeat each second while it reaches the database, and the
round. After a pause of either, the time without reports counts from its end.
"""

from __future__ import annotations

from datetime import datetime

from django.db import Error, connection

from backstay.alerts.models import Round

ROUND, INGEST = "judge", "ingest"
MAX_PAUSE_S = {ROUND: 8.0, INGEST: 2.5}
"""A longer gap is a pause: of the round, due every two seconds; of the ingest's heartbeat, every second."""


def listening_since(now: datetime) -> datetime | None:
    """No report could arrive before this: `now` during a pause, None if there never was one.

    An ingest without any heartbeat does not count as paused: then reports are the only evidence.
    """
    moments = []
    for name, finished_at, resumed_at in Round.objects.values_list("name", "finished_at", "resumed_at"):
        is_paused = (now - finished_at).total_seconds() > MAX_PAUSE_S.get(name, float("inf"))
        moments.append(now if is_paused else resumed_at)
    return max((moment for moment in moments if moment is not None), default=None)


def database_health(now: datetime) -> tuple[bool, float | None]:
    """(whether the database answers within 2 s, seconds since a worker finished a round; None: never)."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = '2s'; SELECT 1; RESET statement_timeout")
        finished = Round.objects.filter(name=ROUND).values_list("finished_at", flat=True).first()
    except Error:
        return False, None
    return True, None if finished is None else round((now - finished).total_seconds(), 1)
