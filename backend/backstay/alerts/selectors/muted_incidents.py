"""Incidents that must not notify: snoozed, or about objects in maintenance."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from backstay.alerts.models import Incident
from backstay.alerts.rules import OF_EVALUATION, RULES
from backstay.alerts.windows.coverage import Concern, Coverage, active_windows, coverage, covered_by
from backstay.alerts.windows.models import MaintenanceWindow
from backstay.core.model.progress import Phase
from backstay.inventory.models import Site

UNRESOLVED = Q(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED])


@dataclass(frozen=True, slots=True)
class Muted:
    """Ids of unresolved incidents that do not notify."""

    snoozed: frozenset[int]
    in_maintenance: frozenset[int]


def muted_incidents(site: Site, now: datetime) -> frozenset[int]:
    """Ids of unresolved incidents that must not notify now."""
    found = muted(site, now)
    return found.snoozed | found.in_maintenance


def muted(site: Site, now: datetime) -> Muted:
    """By reason; two queries without maintenance windows, at most nine."""
    rows = Incident.objects.filter(UNRESOLVED, site=site)
    snoozed = frozenset(rows.filter(snoozed_until__gt=now).values_list("pk", flat=True))
    return Muted(snoozed, in_maintenance(site, coverage(site, now, "mutes_notifications")))


def in_maintenance(site: Site, covered: Coverage) -> frozenset[int]:
    """Ids of unresolved incidents about covered objects, and of their effects.

    Incidents about the evaluation of the site are never muted by a window: nothing would say that it stopped.
    """
    if not covered:
        return frozenset()
    known = Incident.objects.filter(UNRESOLVED, site=site).exclude(rule__kind__in=OF_EVALUATION)
    rows = list(known.values_list("pk", "cause_id", "rule__kind", "node_id", "link_id", "affected"))
    paths = _paths([row[0] for row in rows])
    found = {
        pk
        for pk, _, kind, node, link, affected in rows
        if kind in RULES
        and covered.covers(
            Concern(RULES[kind].cause_rank, node, link, paths.get(pk, ()), affected.get("links", ()))
        )
    }
    return frozenset(found | {pk for pk, cause, *_ in rows if cause in found})


def windows_about(incident: Incident, now: datetime) -> list[MaintenanceWindow]:
    """Active windows that mute an unresolved incident."""
    known = active_windows(incident.site, now, "mutes_notifications")
    site = incident.site
    return [row for row in known if incident.pk in in_maintenance(site, covered_by(site, [row.pk]))]


def _paths(incidents: Collection[int]) -> dict[int, list[int]]:
    """Incident id -> ids of its paths; one query."""
    found: dict[int, list[int]] = {}
    rows = Incident.paths.through.objects.filter(incident_id__in=incidents) if incidents else ()
    for row in rows:
        found.setdefault(row.incident_id, []).append(row.path_id)
    return found
