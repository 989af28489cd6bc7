"""Writes: rules of a site, evaluation after a batch and in rounds, and acknowledgement."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from backstay.accounts.models import User
from backstay.alerts import incidents
from backstay.alerts.evaluation import evaluate_rules
from backstay.alerts.models import Incident, Round, SiteRule
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.listening_window import MAX_PAUSE_S, ROUND, listening_since
from backstay.core.errors import Conflict
from backstay.inventory.models import Site
from backstay.telemetry import freshness, wiring
from backstay.telemetry.facts import Facts


def ensure_rules(site: Site) -> None:
    """Create the site's missing rules; changed thresholds stay."""
    SiteRule.objects.bulk_create(default_rules(SiteRule, site), ignore_conflicts=True)


def default_rules(model: type[SiteRule], site: Site) -> list[SiteRule]:
    """A row for every rule, with its defaults; `model` may be the one of a migration."""
    return [model(site=site, kind=rule.kind, parameters=dict(rule.defaults)) for rule in RULES.values()]


def on_facts(facts: Facts) -> None:
    """Evaluate the rules that a batch triggers, once it commits.

    It runs outside the ingest transaction, so that a report never waits for an evaluation or is lost with
    it. If the evaluation fails, the next round repeats it.
    """
    kinds = [rule.kind for rule in RULES.values() if rule.triggers is not None and rule.triggers(facts)]
    if kinds:
        site_id = facts.site_id
        transaction.on_commit(
            lambda: evaluate_rules(Site.objects.get(pk=site_id), kinds, timezone.now()), robust=True
        )


def run_round(now: datetime) -> None:
    """Run one round over every site: freshness and cables first, then every rule."""
    started = time.monotonic()
    _note_pause(now)
    since = listening_since(now)
    for site in Site.objects.filter(archived_at=None).order_by("pk"):
        freshness.mark_stale_nodes(site, now, since)
        wiring.apply_due(site, now, since)
        evaluate_rules(site, RULES, now)
    took_ms = (time.monotonic() - started) * 1000
    Round.objects.update_or_create(
        name=ROUND, defaults={"finished_at": now + timedelta(milliseconds=took_ms), "took_ms": took_ms}
    )


def _note_pause(now: datetime) -> None:
    """After a pause of the rounds, the time without reports counts from now."""
    paused = now - timedelta(seconds=MAX_PAUSE_S[ROUND])
    Round.objects.filter(name=ROUND, finished_at__lt=paused).update(resumed_at=now)


def acknowledge(incident: Incident, user: User, comment: str, now: datetime) -> Incident:
    """Acknowledge an open incident; raises `Conflict` if it is no longer open."""
    with incidents.exclusive(incident.site):
        if not incidents.acknowledge(incident, user.get_username(), user.pk, comment, now):
            incident.refresh_from_db()
            raise Conflict(f"The incident is {incident.get_phase_display().lower()}, not open.")
    return incident
