"""Transitions of incidents that nobody asked for: held open, back again, worse, or no longer snoozed.

Callers hold `incidents.exclusive(site)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from backstay.alerts import flips, incidents
from backstay.alerts.flips import Transition
from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.rule import Finding
from backstay.core.alerting.flapping import hold
from backstay.core.formatting import duration
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.progress import Phase
from backstay.inventory.models import Site

_CURRENT = Q(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED])


def hold_of(incident: Incident, quiet_since: datetime) -> timedelta:
    """How long an incident stays open whose condition is over since then; 0 with BACKSTAY_FLAP_HOLD=0."""
    if not settings.FLAP_HOLD:
        return timedelta()
    return hold(incident.returns, quiet_since - incident.opened_at)


def hold_back(rule: SiteRule, over: Sequence[Incident], now: datetime) -> tuple[list[Incident], bool]:
    """Those whose condition is over that resolve now, and whether others began to be quiet.

    A rule that was disabled resolves at once.
    """
    due: list[Incident] = []
    quiet: list[Incident] = []
    for incident in over:
        since = incident.quiet_since or now
        held = hold_of(incident, since)
        if not rule.enabled or now - since >= held:
            due.append(incident)
        elif incident.quiet_since is None:
            quiet.append(incident)
    for incident in quiet:
        incident.quiet_since = now
    Incident.objects.filter(pk__in=[incident.pk for incident in quiet]).update(quiet_since=now)
    flips.report(rule.site, EventKind.INCIDENT_QUIET, [_quiet(row, now) for row in quiet], now)
    return due, bool(quiet)


def _quiet(incident: Incident, now: datetime) -> Transition:
    after = duration(hold_of(incident, now).total_seconds())
    return Transition(
        incident, incident.phase, f"Quiet, resolves after {after} without return: {incident.title}", "ok"
    )


def come_back_all(site: Site, findings: Sequence[tuple[Incident, Finding]]) -> bool:
    """Begin the next occurrence of quiet incidents that were found again; whether there are any."""
    back = [pair for pair in findings if pair[0].quiet_since is not None and not pair[1].is_pending]
    for incident, finding in back:
        incidents.come_back(incident, finding.since)
    rows = [incident for incident, _ in back]
    Incident.objects.bulk_update(
        rows, ["returns", "flapping_since", "opened_at", "quiet_since"], batch_size=incidents.BATCH
    )
    return bool(rows)


def reopen_worse(site: Site, now: datetime) -> None:
    """Open acknowledged and snoozed incidents that became critical since a person saw them."""
    known = Incident.objects.select_for_update(no_key=True, of=("self",)).filter(
        _CURRENT, site=site, seen_severity="warning", severity="critical"
    )
    rows = list(known.select_related("rule").order_by("pk"))
    if not rows:
        return
    worse = [
        Transition(row, row.phase, f"Worse, now critical: {row.title}", "critical", comment="now critical")
        for row in rows
    ]
    for row in rows:
        row.phase = Phase.OPEN
    Incident.objects.filter(pk__in=[row.pk for row in rows]).update(
        phase=Phase.OPEN, snoozed_until=None, snoozed_by=None, seen_severity=""
    )
    flips.record(site, EventKind.INCIDENT_REOPENED, worse, now)


def end_snoozes(site: Site, now: datetime) -> None:
    """Record a flip of each unresolved incident whose snooze is over, so that it notifies."""
    known = Incident.objects.select_for_update(no_key=True, of=("self",)).filter(
        _CURRENT, site=site, snoozed_until__lte=now
    )
    rows = list(known.select_related("rule").order_by("pk"))
    if not rows:
        return
    Incident.objects.filter(pk__in=[row.pk for row in rows]).update(snoozed_until=None, snoozed_by=None)
    ended = [
        Transition(row, row.phase, f"No longer snoozed: {row.title}", row.severity, comment="snooze ended")
        for row in rows
    ]
    flips.record(site, EventKind.INCIDENT_REOPENED, ended, now)
