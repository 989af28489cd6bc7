"""Transitions of incidents as rows: each is a flip, which notifications read, and an event.

A transition is a compare-and-set: `unmoved` locks the incidents and leaves out those that moved meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from backstay.alerts.models import Flip, Incident
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.telemetry import events

NOUNS = frozenset({"incidents", "overview", "topology", "links", "nodes"})
"""Collections whose content changes with an incident."""


@dataclass(frozen=True, slots=True)
class Transition:
    """A transition that was made, and the event that reports it."""

    incident: Incident
    before: str
    message: str
    severity: str
    actor: str = ""
    comment: str = ""


def unmoved(incidents: Sequence[Incident]) -> list[Incident]:
    """Lock and return the incidents still in the expected phase: the compare of compare-and-set."""
    if not incidents:
        return []
    rows = Incident.objects.select_for_update(no_key=True).filter(
        pk__in=[incident.pk for incident in incidents]
    )
    phases = dict(rows.order_by("pk").values_list("pk", "phase"))
    return [incident for incident in incidents if phases.get(incident.pk) == incident.phase]


def record(site: Site, kind: EventKind, transitions: Sequence[Transition], now: datetime) -> None:
    """Record a flip and an event for each, in this order."""
    if not transitions:
        return
    Flip.objects.bulk_create(
        Flip(
            incident=item.incident,
            from_phase=item.before,
            to_phase=item.incident.phase,
            at=now,
            actor=item.actor,
            comment=item.comment,
        )
        for item in transitions
    )
    report(site, kind, transitions, now)


def report(site: Site, kind: EventKind, transitions: Sequence[Transition], now: datetime) -> None:
    """Record an event for each without a flip: nobody is notified of it."""
    if not transitions:
        return
    events.record_all(
        site,
        (
            events.Occurrence(
                kind,
                item.message,
                at=now,
                subject=item.incident.subject,
                severity=item.severity,
                node_id=item.incident.node_id,
                link_id=item.incident.link_id,
                incident_id=item.incident.pk,
                data={"rule": item.incident.rule.kind},
            )
            for item in transitions
        ),
    )
    publish.changed(site.name, NOUNS)
