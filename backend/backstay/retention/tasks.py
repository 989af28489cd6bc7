"""Celery task of retention."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.retention import levels, services


@shared_task(name="backstay.retention.tasks.remove_expired", soft_time_limit=45, time_limit=60)
def remove_expired() -> bool:
    """Remove expired history for a few seconds; False while another worker does."""
    return run_in_one_process(LockClass.RETENTION, _remove)


def _remove() -> None:
    now = timezone.now()
    services.remove_expired(now)
    levels.remove_expired_bins(now)
