"""The ingest's heartbeat: a row written each second while agents' reports can be stored.

Rules read it (`selectors/listening_window.py`): while no agent could report, none counts as unreachable. Each
ingest process has one, and they share the row: one heartbeat is enough.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from backstay.alerts.selectors.listening_window import INGEST, MAX_PAUSE_S

EVERY_S = 1.0
# Another process may have written meanwhile: the time only increases, and one of them records a pause.
_BEAT = """
INSERT INTO alerts_round AS known (name, finished_at, took_ms) VALUES (%(name)s, %(now)s, 0)
ON CONFLICT (name) DO UPDATE SET finished_at = EXCLUDED.finished_at,
    resumed_at = CASE WHEN EXCLUDED.finished_at - known.finished_at > %(pause_s)s * interval '1 second'
        THEN EXCLUDED.finished_at ELSE known.resumed_at END
WHERE known.finished_at < EXCLUDED.finished_at
"""

log = logging.getLogger(__name__)


def beat(now: datetime) -> None:
    """Record that the ingest runs at this moment; raises DatabaseError."""
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, {"name": INGEST, "now": now, "pause_s": MAX_PAUSE_S[INGEST]})


class Heartbeat(threading.Thread):
    """Writes a beat each second until it is stopped or its process ends."""

    def __init__(self) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self._stopped = threading.Event()

    def run(self) -> None:
        """Beat each second; while the database is unreachable, keep trying."""
        while not self._stopped.wait(EVERY_S):
            try:
                connection.close_if_unusable_or_obsolete()
                beat(timezone.now())
            except (DatabaseError, InterfaceError) as problem:
                log.debug("no heartbeat: %s", problem)
                connection.close()
        connection.close()

    def stop(self) -> None:
        """End it, and wait until its connection is closed."""
        self._stopped.set()
        self.join()
