"""The throughput tick, once per second, in one worker at a time: due plans, cells to end, cells to start.

All timers are columns: a late, lost or repeated tick changes nothing but the time.
"""

from __future__ import annotations

import logging
from datetime import datetime

from celery import shared_task
from django.db import OperationalError, transaction
from django.utils import timezone

from backstay.core.model.progress import OPEN_RUNS
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.inventory.models import Site
from backstay.throughput import run_lifecycle, services
from backstay.throughput.dispatch import start_due
from backstay.throughput.models import TestRun
from backstay.throughput.site_context import SiteContext


@shared_task(name="backstay.throughput.tasks.tick", soft_time_limit=20, time_limit=30)
def tick_once() -> bool:
    """One tick; False while another worker runs it."""
    return run_in_one_process(LockClass.THROUGHPUT_TICK, lambda: run_due(timezone.now()))


log = logging.getLogger(__name__)


def run_due(now: datetime) -> list[str]:
    """Run all sites; the names of those that failed. A failing site does not stop the others."""
    failed = []
    try:
        services.plans_due(now)
    except OperationalError:
        raise
    except Exception:
        log.exception("the timetables of tests failed")
        failed.append("timetables")
    sites = Site.objects.filter(archived_at=None, test_plans__runs__state__in=OPEN_RUNS).distinct()
    for site in sites.order_by("pk"):
        try:
            advance_site(site, now)
        except OperationalError:
            raise
        except Exception:
            log.exception("the tests of %s failed to go on", site.name)
            failed.append(site.name)
    return failed


def advance_site(site: Site, now: datetime) -> None:
    """End and start what is due at a site, in one transaction under the site lock."""
    with transaction.atomic():
        lock = services.lock_site(site)
        for run in _open_runs(site):
            run_lifecycle.end_due(run, now, site.interval_s)
        idle = [run for run in _open_runs(site) if not run.cells.filter(state="running").exists()]
        start_due(lock, SiteContext(site, now), idle)
        for run in idle:
            run_lifecycle.finish_due(run, now)


def _open_runs(site: Site) -> list[TestRun]:
    rows = TestRun.objects.filter(plan__site=site, state__in=OPEN_RUNS)
    return list(rows.select_related("plan__site").order_by("pk"))
