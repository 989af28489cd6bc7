"""Rounds and notifications: one task per site, and several that send, so that none waits for another."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from backstay.alerts import services
from backstay.alerts.notify import delivery, outbox
from backstay.alerts.rounds import run_site_round
from backstay.core.thresholds import NOTIFY_S, ROUND_S
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


@shared_task(name="backstay.alerts.tasks.notify", soft_time_limit=20, time_limit=30)
def notify() -> bool:
    """Send the tasks of sites with something to report, and of deliveries; False: another worker does."""
    return run_in_one_process(LockClass.NOTIFICATIONS, _notify)


def _notify() -> None:
    for site in outbox.sites_with_work():
        notify_site.apply_async((site,), expires=NOTIFY_S * 3)
    for _ in range(delivery.tasks_needed(timezone.now())):
        deliver.apply_async(expires=delivery.TASK_S)


@shared_task(name="backstay.alerts.tasks.notify_site", soft_time_limit=20, time_limit=30)
def notify_site(site_id: int) -> bool:
    """Decide which messages of a site are due; False while another worker does, or if the site is gone."""
    site = Site.objects.filter(pk=site_id, archived_at=None).first()
    if site is None:
        return False
    return run_in_one_process(
        LockClass.NOTIFICATIONS, lambda: outbox.notify_site(site, timezone.now()), site.pk
    )


@shared_task(name="backstay.alerts.tasks.deliver")
def deliver() -> int:
    """Send what is due. Celery cannot limit the time of threads; every transport limits its own."""
    return delivery.deliver_due()
