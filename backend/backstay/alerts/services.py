"""Writes: rules of a site, evaluation after a batch and in rounds, and acknowledgement."""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction
from django.db.models import F

from backstay.accounts.models import User
from backstay.alerts import incidents
from backstay.alerts.evaluation_triggers import evaluations
from backstay.alerts.models import Incident, Round, SiteRule
from backstay.alerts.rounds import run_site_round
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.listening_window import ROUND
from backstay.core.errors import Conflict
from backstay.core.thresholds import ROUND_S
from backstay.inventory.models import Site
from backstay.telemetry.facts import Facts

DISPATCH = "dispatch"
"""Name of the row with the time at which the rounds were sent."""
_CLAIM = """
INSERT INTO alerts_round AS known (name, finished_at, took_ms) VALUES (%(name)s, clock_timestamp(), 0)
ON CONFLICT (name) DO UPDATE SET finished_at = EXCLUDED.finished_at
WHERE known.finished_at NOT BETWEEN EXCLUDED.finished_at - %(pause_s)s * interval '1 second'
    AND EXCLUDED.finished_at + %(pause_s)s * interval '1 second'
"""


def ensure_rules(site: Site) -> None:
    """Create the site's missing rules; changed thresholds stay."""
    SiteRule.objects.bulk_create(default_rules(SiteRule, site), ignore_conflicts=True)


def default_rules(model: type[SiteRule], site: Site) -> list[SiteRule]:
    """A row for every rule without overrides; `model` may be the one of a migration."""
    return [model(site=site, kind=rule.kind, enabled=rule.enabled) for rule in RULES.values()]


def on_facts(facts: Facts, *, waits: bool = True) -> None:
    """Evaluate the rules that a batch triggers, once it commits; `waits`: in the thread that commits.

    It runs outside the ingest transaction, so that a report never waits for an evaluation or is lost with
    it. If the evaluation fails, the next round repeats it. Batches that arrive while the site is being
    evaluated share one evaluation that follows.
    """
    kinds = [rule.kind for rule in RULES.values() if rule.triggers is not None and rule.triggers(facts)]
    if kinds:
        site_id = facts.site_id
        transaction.on_commit(lambda: evaluations.trigger(site_id, kinds, waits=waits), robust=True)


def claim_dispatch() -> bool:
    """Whether this process may send the rounds: nobody did within half of their interval.

    By PostgreSQL's clock. So each host may run a beat, and a host that is lost takes no rounds with it.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, {"name": DISPATCH, "pause_s": ROUND_S / 2})
        return bool(cursor.rowcount)


def dispatched_sites(now: datetime) -> list[int]:
    """Ids of the sites in use, the longest without a round first.

    Records until when all of them were evaluated: a row that grows old means a site, or all, are not.
    """
    longest = F("round__finished_at").asc(nulls_first=True)
    rows = Site.objects.filter(archived_at=None).order_by(longest, "pk")
    sites = list(rows.values_list("pk", "round__finished_at"))
    finished_at = min((at for _, at in sites if at is not None), default=now)
    Round.objects.update_or_create(name=ROUND, defaults={"finished_at": finished_at, "took_ms": 0.0})
    return [site for site, _ in sites]


def run_round(now: datetime) -> None:
    """Run one round over every site in this process."""
    for site in Site.objects.filter(pk__in=dispatched_sites(now)).order_by("pk"):
        run_site_round(site, now)


def acknowledge(incident: Incident, user: User, comment: str, now: datetime) -> Incident:
    """Acknowledge an open incident; raises `Conflict` if it is no longer open."""
    with incidents.exclusive(incident.site):
        if not incidents.acknowledge(incident, user.get_username(), user.pk, comment, now):
            incident.refresh_from_db()
            raise Conflict(f"The incident is {incident.get_phase_display().lower()}, not open.")
    return incident
