"""The listening window: a node is unreachable only if it did not report while the backend could receive.

Receiving requires the ingest, which writes a heartbeat each second while it reaches the database. After a
pause of it, the time without reports counts from its end. Rounds do not count: while a site is not evaluated,
agents report all the same, and a node that stopped meanwhile did stop (`selectors.rounds`: late evaluation).
"""

from __future__ import annotations

from datetime import datetime

from backstay.alerts.models import Round

ROUND, INGEST = "judge", "ingest"
MAX_PAUSE_S = 2.5
"""A longer gap between heartbeats, due every second, is a pause."""


def listening_since(now: datetime) -> datetime | None:
    """No report could arrive before this: `now` during a pause, None if there never was one.

    An ingest without any heartbeat does not count as paused: then reports are the only evidence.
    """
    beat = Round.objects.filter(name=INGEST).values_list("finished_at", "resumed_at").first()
    if beat is None:
        return None
    finished_at, resumed_at = beat
    return now if (now - finished_at).total_seconds() > MAX_PAUSE_S else resumed_at
