"""The tick of changes: every second one worker, and never two at once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from celery import shared_task
from django.db import OperationalError, connection
from django.db.models import Q
from django.utils import timezone

from backstay.core.model.change import RUNNING
from backstay.rollout import drift, moves
from backstay.rollout.changes import execution
from backstay.rollout.drills import services
from backstay.rollout.models import Change, PendingNodeReport

LOCK_CLASS = 0x0C4A
"""First key of the advisory lock; the rounds of alerts have another."""
TICK_LOCK = 0


@shared_task(name="backstay.rollout.tasks.tick", soft_time_limit=20, time_limit=30)
def tick_once() -> bool:
    """One tick; False when another worker is at it. The lock goes with the connection if we are killed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_CLASS, TICK_LOCK])
        if not cursor.fetchone()[0]:
            return False
        try:
            run_due(timezone.now())
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_CLASS, TICK_LOCK])
    return True


log = logging.getLogger(__name__)


def changes_due(now: datetime) -> None:
    """Move every change that is under way, and those of which a node told something after their end."""
    running = Q(state__in=RUNNING) | Q(pk__in=PendingNodeReport.objects.values("change"))
    for change in list(Change.objects.filter(running).order_by("pk").values_list("pk", flat=True)):
        drift.judge(execution.advance(change, now), now)


DUE: dict[str, Callable[[datetime], None]] = {
    "changes": changes_due,
    "drift": drift.due,
    "moves": moves.due,
    "drills": services.due,
}
"""In this order; one that fails does not keep the others from their turn."""


def run_due(now: datetime, due: dict[str, Callable[[datetime], None]] = DUE) -> list[str]:
    """One round; the names of the parts that failed. OperationalError: the database is away."""
    failed = []
    for name, part in due.items():
        try:
            part(now)
        except OperationalError:
            raise
        except Exception:
            log.exception("the tick of %s failed", name)
            failed.append(name)
    return failed
