"""The round: every two seconds one worker, and never two at once, judges all sites."""

from __future__ import annotations

from celery import shared_task
from django.db import connection
from django.utils import timezone

from backstay.alerts.incidents import LOCK_CLASS
from backstay.alerts.services import judge_all

ROUND_LOCK = 0
"""Second key of the advisory lock; sites have theirs from 1 on."""


@shared_task(name="backstay.alerts.tasks.judge", soft_time_limit=30, time_limit=40)
def judge() -> bool:
    """One round; False when another worker is at it. The lock goes with the connection if we are killed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_CLASS, ROUND_LOCK])
        if not cursor.fetchone()[0]:
            return False
        try:
            judge_all(timezone.now())
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_CLASS, ROUND_LOCK])
    return True
