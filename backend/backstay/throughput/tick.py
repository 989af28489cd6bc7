"""What time alone brings about: plans whose time has come, cells that end, cells that may begin.

All timers stand in rows. A tick that is late, lost or done twice changes nothing but the moment.
"""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import OperationalError, transaction

from backstay.inventory.models import Site
from backstay.throughput import run_lifecycle, runs
from backstay.throughput.dispatch import start_due
from backstay.throughput.models import OPEN, TestRun
from backstay.throughput.site_context import SiteContext

log = logging.getLogger(__name__)


def tick(now: datetime) -> list[str]:
    """One round; the names of the sites that failed, which keep no other from its turn."""
    failed = []
    try:
        runs.plans_due(now)
    except OperationalError:
        raise
    except Exception:
        log.exception("the timetables of tests failed")
        failed.append("timetables")
    sites = Site.objects.filter(archived_at=None, test_plans__runs__state__in=OPEN).distinct()
    for site in sites.order_by("pk"):
        try:
            move_on(site, now)
        except OperationalError:
            raise
        except Exception:
            log.exception("the tests of %s failed to go on", site.name)
            failed.append(site.name)
    return failed


def move_on(site: Site, now: datetime) -> None:
    """End and start what is due at a site, in one transaction that has its turn."""
    with transaction.atomic():
        turn = runs.lock_site(site)
        for run in _open(site):
            run_lifecycle.end_due(run, now, site.interval_s)
        idle = [run for run in _open(site) if not run.cells.filter(state="running").exists()]
        start_due(turn, SiteContext(site, now), idle)
        for run in idle:
            run_lifecycle.finish_due(run, now)


def _open(site: Site) -> list[TestRun]:
    rows = TestRun.objects.filter(plan__site=site, state__in=OPEN)
    return list(rows.select_related("plan__site").order_by("pk"))
