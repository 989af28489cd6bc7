"""The ingest's heart: a row that says each second that agents' reports can be stored.

Judging reads it (selectors/hearing.py): while nobody could report, nobody is called silent. Each ingest
process has one, and they share the row: one that beats is enough.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from backstay.alerts.selectors.hearing import INGEST, PAUSE_S

EVERY_S = 1.0
# A beat of another process may have come meanwhile: time only goes forward, and one of them sees a pause.
_BEAT = """
INSERT INTO alerts_round AS known (name, finished_at, took_ms) VALUES (%(name)s, %(now)s, 0)
ON CONFLICT (name) DO UPDATE SET finished_at = EXCLUDED.finished_at,
    resumed_at = CASE WHEN EXCLUDED.finished_at - known.finished_at > %(pause_s)s * interval '1 second'
        THEN EXCLUDED.finished_at ELSE known.resumed_at END
WHERE known.finished_at < EXCLUDED.finished_at
"""

log = logging.getLogger(__name__)


def beat(now: datetime) -> None:
    """Say that the ingest lives at this moment. DatabaseError when it cannot be said."""
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, {"name": INGEST, "now": now, "pause_s": PAUSE_S[INGEST]})


class Heart(threading.Thread):
    """Beats until it is stopped or its process ends."""

    def __init__(self) -> None:
        super().__init__(name="heart", daemon=True)
        self._stopped = threading.Event()

    def run(self) -> None:
        """Beat each second; while the database is away, silently go on trying."""
        while not self._stopped.wait(EVERY_S):
            try:
                connection.close_if_unusable_or_obsolete()
                beat(timezone.now())
            except (DatabaseError, InterfaceError) as problem:
                log.debug("no heartbeat: %s", problem)
                connection.close()
        connection.close()

    def stop(self) -> None:
        """End it, and wait until it has let its connection go."""
        self._stopped.set()
        self.join()
