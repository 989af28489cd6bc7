"""The tick of throughput tests: every second one worker, and never two at once."""

from __future__ import annotations

from celery import shared_task
from django.db import connection
from django.utils import timezone

from backstay.throughput.tick import tick

LOCK_CLASS = 0x7E57
"""First key of the advisory lock; changes and the rounds of alerts have others."""
TICK_LOCK = 0


@shared_task(name="backstay.throughput.tasks.tick", soft_time_limit=20, time_limit=30)
def tick_once() -> bool:
    """One tick; False when another worker is at it. The lock goes with the connection if we are killed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_CLASS, TICK_LOCK])
        if not cursor.fetchone()[0]:
            return False
        try:
            tick(timezone.now())
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_CLASS, TICK_LOCK])
    return True
