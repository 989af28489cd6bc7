"""The listening window: a node is unreachable only if it did not report while the backend could receive.

Receiving requires the ingest, which writes a heartbeat each second while it reaches the database, and the
round. After a pause of either, the time without reports counts from its end.
"""

from __future__ import annotations

from datetime import datetime

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
