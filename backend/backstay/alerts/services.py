"""Writes of what is wrong: at once for what a report told, in rounds for the rest, and by people."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from backstay.accounts.models import User
from backstay.alerts import incidents, judgement
from backstay.alerts.models import Incident, Round, RuleKind
from backstay.alerts.selectors.hearing import JUDGE, PAUSE_S, heard_from
from backstay.core.errors import Conflict
from backstay.inventory.models import Site
from backstay.telemetry import freshness, wiring
from backstay.telemetry.facts import Facts

JUDGE_ROUND = JUDGE


def on_facts(facts: Facts) -> None:
    """Judge at once, when the batch commits, what it says of silence, ports, alarms, clocks, paths and drift.

    Not inside the ingest transaction: an incident is a conclusion, and the next round draws it again if
    this one fails; a report must never wait for, or be lost with, a conclusion.
    """
    kinds = []
    if facts.heard:
        kinds.append(RuleKind.NODE_STALE)
    if facts.ports:
        kinds.append(RuleKind.PORT_DOWN)
    if facts.alarms or facts.restarts:
        kinds.append(RuleKind.DEVICE_ALARM)
    if facts.clocks:
        kinds.append(RuleKind.CLOCK)
    if facts.routings:
        kinds.append(RuleKind.DRIFT)
    if any(seen.switch is not None for seen in facts.paths):
        kinds.append(RuleKind.GATEWAY_FAILED_OVER)
    if kinds:
        site_id = facts.site_id
        transaction.on_commit(
            lambda: judgement.judge(Site.objects.get(pk=site_id), kinds, timezone.now()), robust=True
        )


def judge_all(now: datetime) -> None:
    """One round over every site: freshness and cables first, then every rule."""
    started = time.monotonic()
    _note_pause(now)
    silence_from = heard_from(now)
    for site in Site.objects.filter(archived_at=None).order_by("pk"):
        freshness.judge(site, now, silence_from)
        wiring.apply_due(site, now, silence_from)
        judgement.judge(site, list(RuleKind), now)
    took_ms = (time.monotonic() - started) * 1000
    Round.objects.update_or_create(
        name=JUDGE_ROUND, defaults={"finished_at": now + timedelta(milliseconds=took_ms), "took_ms": took_ms}
    )


def _note_pause(now: datetime) -> None:
    """When nobody made rounds for a while, we were away, and not the agents: silence counts from here."""
    paused = now - timedelta(seconds=PAUSE_S[JUDGE])
    Round.objects.filter(name=JUDGE, finished_at__lt=paused).update(resumed_at=now)


def acknowledge(incident: Incident, user: User, comment: str, now: datetime) -> Incident:
    """A person takes an open incident; raises `Conflict` when it is not open any more."""
    with incidents.exclusive(incident.site):
        if not incidents.acknowledge(incident, user.get_username(), user.pk, comment, now):
            incident.refresh_from_db()
            raise Conflict(
                f"The incident is {incident.get_phase_display().lower()}, not open: nothing to acknowledge."
            )
    return incident
