"""The rollout tick, once per second, in one worker at a time: changes, drift, moves, holds, drills; and the
minute's study of each site's capacity, in tasks of its own, which no tick or round waits for.

All timers are columns: a late, lost or repeated tick changes nothing but the time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from celery import shared_task
from django.db import OperationalError
from django.db.models import Q
from django.utils import timezone

from backstay.core.model.change import RUNNING
from backstay.core.thresholds import CAPACITY_PERIOD_S
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.inventory.models import Site
from backstay.rollout import drift, holds, moves
from backstay.rollout.capacity import advice, track_record
from backstay.rollout.capacity import services as capacity_services
from backstay.rollout.changes import execution
from backstay.rollout.drills import services
from backstay.rollout.models import Change, PendingNodeReport


@shared_task(name="backstay.rollout.tasks.tick", soft_time_limit=20, time_limit=30)
def tick_once() -> bool:
    """One tick; False while another worker runs it."""
    return run_in_one_process(LockClass.ROLLOUT_TICK, lambda: run_due(timezone.now()))


@shared_task(name="backstay.rollout.tasks.study_capacity", soft_time_limit=10, time_limit=15)
def study_capacity() -> int:
    """Send the task of each site; their number. A task that is not due any more expires."""
    sites = list(Site.objects.filter(archived_at=None).order_by("pk").values_list("pk", flat=True))
    for site in sites:
        study_site_capacity.apply_async((site,), expires=CAPACITY_PERIOD_S)
    return len(sites)


@shared_task(name="backstay.rollout.tasks.study_site_capacity", soft_time_limit=50, time_limit=60)
def study_site_capacity(site_id: int) -> bool:
    """The minute's study of a site; False while another worker does it, or if the site is gone."""
    site = Site.objects.filter(pk=site_id, archived_at=None).first()
    if site is None:
        return False
    return run_in_one_process(LockClass.CAPACITY, lambda: study_once(site, timezone.now()), site.pk)


log = logging.getLogger(__name__)


def study_once(site: Site, now: datetime) -> bool:
    """Compare the stored study with failovers since, then replace it and its advice; whether it was new.

    A comparison that fails does not stop the study. OperationalError: database unavailable.
    """
    try:
        track_record.follow(site, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("the failovers of %s cannot be compared with their predictions", site.name)
    is_new = capacity_services.refresh(site, now)
    advice.refresh(site, now)
    return is_new


def changes_due(now: datetime) -> None:
    """Advance changes in progress and ended changes with unprocessed reports."""
    running = Q(state__in=RUNNING) | Q(pk__in=PendingNodeReport.objects.values("change"))
    for change in list(Change.objects.filter(running).order_by("pk").values_list("pk", flat=True)):
        drift.judge(execution.advance(change, now), now)


DUE: dict[str, Callable[[datetime], None]] = {
    "changes": changes_due,
    "drift": drift.due,
    "moves": moves.due,
    "holds": holds.due,
    "drills": services.due,
}
"""In this order; a failing part does not stop the others."""


def run_due(now: datetime, due: dict[str, Callable[[datetime], None]] = DUE) -> list[str]:
    """Run all parts; the names of those that failed. OperationalError: database unavailable."""
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
