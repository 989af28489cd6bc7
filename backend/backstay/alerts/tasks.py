"""The round: every two seconds one worker, never two at once, evaluates the rules of all sites."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from backstay.alerts.services import run_round
from backstay.inventory.advisory_locks import LockClass, run_in_one_process


@shared_task(name="backstay.alerts.tasks.evaluate", soft_time_limit=30, time_limit=40)
def evaluate() -> bool:
    """One round; False if another worker runs one."""
    return run_in_one_process(LockClass.ALERTS, lambda: run_round(timezone.now()))
