"""The ingest's heartbeat: a row written each second while agents' reports can be stored.

Rules read it (`selectors/listening_window.py`): while no agent could report, none counts as unreachable. Each
ingest process has one, and they share the row: one heartbeat is enough.

The same thread watches the rounds from outside Celery. A site that misses three of them gets an incident,
which its next round resolves.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from backstay.alerts import incidents
from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.rule import Finding
from backstay.alerts.rules.rule_failed import EVALUATION_LATE, late_finding
from backstay.alerts.selectors.listening_window import INGEST, MAX_PAUSE_S
from backstay.alerts.selectors.rounds import SiteEvaluation, evaluations
from backstay.core.model.progress import Phase

EVERY_S = 1.0
# Another process may have written in between: the time only increases, and one of them records a pause.
_BEAT = """
INSERT INTO alerts_round AS known (name, finished_at, took_ms) VALUES (%(name)s, %(now)s, 0)
ON CONFLICT (name) DO UPDATE SET finished_at = EXCLUDED.finished_at,
    resumed_at = CASE WHEN EXCLUDED.finished_at - known.finished_at > %(pause_s)s * interval '1 second'
        THEN EXCLUDED.finished_at ELSE known.resumed_at END
WHERE known.finished_at < EXCLUDED.finished_at
"""

CONFIRM_BEATS = 4
"""A site counts as late when it is for so many beats in a row: after a suspension of the machine both the
heartbeat and the rounds start again."""
LOCK_WAIT_S = 0.5

log = logging.getLogger(__name__)


def beat(now: datetime) -> None:
    """Record that the ingest runs at this moment; raises DatabaseError."""
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, {"name": INGEST, "now": now, "pause_s": MAX_PAUSE_S})


class RoundWatch:
    """Raises the alarm for sites whose rules are not evaluated."""

    def __init__(self) -> None:
        self._late: dict[int, int] = {}
        """Site id -> beats in a row at which it was late."""
        self._raised: set[int] = set()
        """Late sites whose alarm is raised; that of the others is tried again at each beat."""

    def look(self, now: datetime) -> None:
        """Look at every site; call it once per beat. Raises DatabaseError."""
        late = {item.site.pk: item for item in evaluations(now) if item.is_late}
        self._late = {site: self._late.get(site, 0) + 1 for site in late}
        self._raised &= self._late.keys()
        for site, beats in self._late.items():
            if beats >= CONFIRM_BEATS and site not in self._raised:
                raise_alarm(late[site], now)
                self._raised.add(site)


def raise_alarm(late: SiteEvaluation, now: datetime) -> None:
    """Open the incident of a site whose rules are not evaluated. Raises DatabaseError."""
    found = late_finding(late.site.name, late.since, now)
    log.error("%s", found.title)
    rule = SiteRule.objects.select_related("site").get(site=late.site, kind=EVALUATION_LATE.kind)
    try:
        with incidents.exclusive(late.site, LOCK_WAIT_S):
            _open(rule, found, now)
    except OperationalError:
        # A worker that was stopped in a round keeps its site locked. An index admits one such incident.
        with transaction.atomic():
            _open(rule, found, now)


def _open(rule: SiteRule, found: Finding, now: datetime) -> None:
    known = Incident.objects.filter(rule=rule, fingerprint=found.fingerprint).exclude(phase=Phase.RESOLVED)
    if rule.enabled and not known.exists():
        incidents.raise_all(rule, [(None, found)], now)


class Heartbeat(threading.Thread):
    """Writes a beat each second until it is stopped or its process ends."""

    def __init__(self) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self._stopped = threading.Event()
        self._rounds = RoundWatch()

    def run(self) -> None:
        """Beat each second; while the database is unreachable, keep trying."""
        while not self._stopped.wait(EVERY_S):
            try:
                connection.close_if_unusable_or_obsolete()
                beat(timezone.now())
                self._rounds.look(timezone.now())
            except (DatabaseError, InterfaceError) as problem:
                log.debug("no heartbeat: %s", problem)
                connection.close()
        connection.close()

    def stop(self) -> None:
        """End it, and wait until its connection is closed."""
        self._stopped.set()
        self.join()
