"""Rounds: every two seconds one task per site, so that no site waits for another."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from backstay.alerts import services
from backstay.alerts.rounds import run_site_round
from backstay.core.thresholds import ROUND_S
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.inventory.models import Site


@shared_task(name="backstay.alerts.tasks.evaluate", soft_time_limit=10, time_limit=15)
def evaluate() -> int:
    """Send the task of each site; their number, 0 if another beat's were sent just now.

    A task that is not due any more expires.
    """
    if not services.claim_dispatch():
        return 0
    sites = services.dispatched_sites(timezone.now())
    for site in sites:
        evaluate_site.apply_async((site,), expires=ROUND_S * 2)
    return len(sites)


@shared_task(name="backstay.alerts.tasks.evaluate_site", soft_time_limit=50, time_limit=60)
def evaluate_site(site_id: int) -> bool:
    """One round of a site; False while another worker runs one, or if the site is gone."""
    site = Site.objects.filter(pk=site_id, archived_at=None).first()
    if site is None:
        return False
    return run_in_one_process(LockClass.ROUND, lambda: run_site_round(site, timezone.now()), site.pk)
