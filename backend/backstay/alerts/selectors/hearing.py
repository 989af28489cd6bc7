"""Since when agents could be heard at all: silence is theirs only while we listen.

Two things must live for that: the ingest, which beats each second as long as it can write to the database,
and the round, which judges. When either paused, silence counts from when it came back.
"""

from __future__ import annotations

from datetime import datetime

from backstay.alerts.models import Round

JUDGE, INGEST = "judge", "ingest"
PAUSE_S = {JUDGE: 8.0, INGEST: 2.5}
"""Longer without a sign is a pause: of the round, due each two seconds; of the ingest's heart, each one."""


def heard_from(now: datetime) -> datetime | None:
    """Nobody could be heard before this: `now` itself during a pause, None when there never was any.

    An ingest that never beat is not waited for: then reports are all the evidence there is.
    """
    moments = []
    for name, finished_at, resumed_at in Round.objects.values_list("name", "finished_at", "resumed_at"):
        paused = (now - finished_at).total_seconds() > PAUSE_S.get(name, float("inf"))
        moments.append(now if paused else resumed_at)
    return max((moment for moment in moments if moment is not None), default=None)
