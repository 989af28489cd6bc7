"""The round of one site: freshness and links from evidence first, then every rule.

Sites are independent: each has its own task, lock, time limits and failures. A step that fails is recorded
and left out for a growing time, as a rule is; the others run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.db import connection

from backstay.alerts import budget, failures, flapping, incidents
from backstay.alerts.evaluation import evaluate_round
from backstay.alerts.models import SiteRound
from backstay.alerts.selectors.listening_window import listening_since
from backstay.alerts.windows import services as windows
from backstay.inventory.models import Site
from backstay.policy import path_routes
from backstay.telemetry import freshness, state_evidence, wiring

Step = Callable[[Site, datetime, datetime | None], object]
"""(site, now, since when agents could report)."""


def _end_due(site: Site, now: datetime, _: datetime | None) -> None:
    windows.advance(site, now)
    with incidents.exclusive(site):
        flapping.end_snoozes(site, now)


STEPS: dict[str, Step] = {
    "windows": _end_due,
    "freshness": freshness.mark_stale_nodes,
    "wiring": wiring.apply_due,
    "routes": path_routes.refresh,
    "evidence": state_evidence.refresh,
}
"""In this order, before the rules."""


def run_site_round(site: Site, now: datetime) -> None:
    """Run one round of a site. Raises only if the database is unreachable, or the site is locked."""
    started = time.monotonic()
    _run_steps(site, now)
    postponed = evaluate_round(site, now)
    took_s = time.monotonic() - started
    SiteRound.objects.update_or_create(
        site=site,
        defaults={
            "finished_at": now + timedelta(seconds=took_s),
            "took_ms": took_s * 1000,
            "postponed": postponed,
        },
    )


def _run_steps(site: Site, now: datetime) -> None:
    known, since = failures.failing(site), listening_since(now)
    failed, worked = dict[str, str](), list[str]()
    for part, step in STEPS.items():
        if part in known and known[part].retry_at > now:
            continue
        reason = failures.attempt(site, part, partial(_limited, step, site, now, since), budget.STEP_S)
        if reason is None:
            worked.append(part)
        else:
            failed[part] = reason
    failures.record(site, now, failed, worked, known)


def _limited(step: Step, site: Site, now: datetime, since: datetime | None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{budget.STEP_S * 1000:.0f}"])
    step(site, now, since)
