"""The round: every two seconds one worker, never two at once, evaluates the rules of all sites."""

from __future__ import annotations

from celery import shared_task
from django.db import connection
from django.utils import timezone

from backstay.alerts.incidents import LOCK_CLASS
from backstay.alerts.services import run_round

ROUND_LOCK = 0
"""Second key of the advisory lock; those of sites are their ids, from 1."""


@shared_task(name="backstay.alerts.tasks.evaluate", soft_time_limit=30, time_limit=40)
def evaluate() -> bool:
    """One round; False if another worker runs one. The lock ends with the connection of a killed worker."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_CLASS, ROUND_LOCK])
        if not cursor.fetchone()[0]:
            return False
        try:
            run_round(timezone.now())
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_CLASS, ROUND_LOCK])
    return True
