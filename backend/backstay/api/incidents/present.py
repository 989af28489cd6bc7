"""Incidents, their evidence and the objects that they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from backstay.alerts.flapping import hold_of
from backstay.alerts.rules import RULES
from backstay.api.http.urls import (
    change_url,
    incident_url,
    link_url,
    node_url,
    path_url,
    policy_url,
    run_url,
    window_url,
)
from backstay.api.incidents.schemas import (
    IncidentCharts,
    IncidentCommentOut,
    IncidentDetail,
    IncidentEvidence,
    IncidentMetric,
    IncidentObject,
    IncidentOut,
)
from backstay.core.diagnosis.faults.fault import SOURCES
from backstay.core.model.progress import Phase
from backstay.core.model.state import seconds
from backstay.telemetry import catalogue

if TYPE_CHECKING:
    from backstay.alerts.models import Incident, IncidentComment, MaintenanceWindow
    from backstay.alerts.rule import MetricSeries
    from backstay.alerts.selectors.incident_charts import IncidentCharts as Charted
    from backstay.alerts.selectors.incident_context import IncidentContext
    from backstay.alerts.selectors.muted_incidents import Muted
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot

MOST_PATHS = 20
"""Paths of an incident that its page links."""
CHART_MARGIN = timedelta(minutes=30)
"""Time before and after an incident that its chart shows."""


@dataclass(frozen=True, slots=True)
class IncidentView:
    """What the page of an incident shows in addition to it."""

    muted: Muted
    context: IncidentContext
    charts: Charted
    windows: Sequence[MaintenanceWindow]
    """Active windows that mute it."""


def incident_out(incident: Incident, now: datetime, muted: Muted) -> IncidentOut:
    """An incident; its rule, paths and users are loaded, its effects counted."""
    return IncidentOut(**_fields(incident, now, muted))


def incident_at(incident: Incident, at: datetime, muted: Muted) -> IncidentOut:
    """An incident as it was at a moment at which it was not resolved.

    Title and severity are the last ones that are stored; who owned it and whether it notified is not stored.
    """
    known = _fields(incident, at, muted)
    is_acknowledged = incident.acknowledged_at is not None and incident.acknowledged_at <= at
    then: dict[str, Any] = {
        "state": incident.severity,
        "phase": Phase.ACKNOWLEDGED if is_acknowledged else Phase.OPEN,
        "age_s": seconds(at, incident.opened_at),
        "last_seen": min(incident.last_seen, at),
        "muted": None,
        **dict.fromkeys(
            ("resolved_at", "snoozed_until", "snoozed_by", "owner", "quiet_since", "resolves_at")
        ),
    }
    if not is_acknowledged:
        then |= {"acknowledged_by": None, "acknowledged_at": None, "comment": ""}
    return IncidentOut(**known | then)


def incident_detail(incident: Incident, snapshot: SiteSnapshot, view: IncidentView) -> IncidentDetail:
    """An incident with its evidence, objects and comments."""
    link = snapshot.topology.links.get(incident.link_id or 0)
    name = "" if link is None else snapshot.link_name(link)
    return IncidentDetail(
        **_fields(incident, snapshot.now, view.muted),
        evidence=_evidence(incident, snapshot.now),
        objects=[*_objects(incident, name), *_related(view)],
        comments=[_comment(row) for row in view.context.comments],
        charts=_charts(incident, view.charts),
    )


def _comment(row: IncidentComment) -> IncidentCommentOut:
    return IncidentCommentOut(id=row.pk, author=row.author_name, text=row.text, at=row.at)


def _charts(incident: Incident, known: Charted) -> IncidentCharts:
    """From before it began until after its end."""
    first, last = incident.flapping_since or incident.opened_at, incident.resolved_at
    return IncidentCharts.model_validate(
        {
            "start": first - CHART_MARGIN,
            "end": None if last is None else last + CHART_MARGIN,
            "metrics": [_metric(item) for item in known.metrics],
            "link_ids": known.links,
            "paths": [
                {"id": path.pk, "node": path.node.name, "prefix": path.policy.prefix} for path in known.paths
            ],
            "clock": None if known.clock is None else known.clock.name,
            "direction": incident.direction or None,
            "threshold": incident.threshold if incident.rule.kind == "saturation" else None,
            "more": known.more,
        }
    )


def _metric(item: MetricSeries) -> IncidentMetric:
    known = catalogue.metric(item.metric)
    title = item.metric if known is None else known.title
    return IncidentMetric(
        node_id=item.node_id,
        metric=item.metric,
        subject=item.subject,
        name=f"{title} of {item.subject}" if item.subject else title,
        threshold=item.threshold,
    )


def _related(view: IncidentView) -> list[IncidentObject]:
    context = view.context
    return [
        *(_object("change", f"{row.pk}: {row.title}", change_url(row.pk)) for row in context.changes),
        *(_object("test_run", f"{row.plan.name}, run {row.pk}", run_url(row.pk)) for row in context.runs),
        *(_object("window", row.name, window_url(row.pk)) for row in view.windows),
    ]


def _fields(incident: Incident, now: datetime, muted: Muted) -> dict[str, Any]:
    resolved = incident.phase == Phase.RESOLVED
    is_snoozed = not resolved and incident.snoozed_until is not None and incident.snoozed_until > now
    maintenance = "maintenance" if incident.pk in muted.in_maintenance else None
    quiet = None if resolved else incident.quiet_since
    held = hold_of(incident, quiet or now)
    return {
        "id": incident.pk,
        "name": incident.subject,
        "kind": incident.rule.kind,
        "state": "ok" if resolved else incident.severity,
        "phase": incident.phase,
        "title": incident.title,
        "detail": incident.detail,
        "direction": incident.direction or None,
        "since": incident.opened_at,
        "last_seen": incident.last_seen,
        "resolved_at": incident.resolved_at,
        "age_s": seconds(incident.resolved_at or now, incident.opened_at) or 0.0,
        "acknowledged_by": incident.acknowledged_by.get_username() if incident.acknowledged_by else None,
        "acknowledged_at": incident.acknowledged_at,
        "comment": incident.comment,
        "owner": incident.owner.get_username() if incident.owner else None,
        "snoozed_until": incident.snoozed_until if is_snoozed else None,
        "snoozed_by": incident.snoozed_by.get_username() if is_snoozed and incident.snoozed_by else None,
        "muted": "snoozed" if is_snoozed else maintenance,
        "occurrences": incident.returns + 1,
        "flapping_since": incident.flapping_since,
        "quiet_since": quiet,
        "resolves_at": None if quiet is None else quiet + held,
        "node_id": incident.node_id,
        "link_id": incident.link_id,
        "path_ids": sorted(path.pk for path in incident.paths.all()),
        "cause_id": incident.cause_id,
        "effects": getattr(incident, "effect_count", 0),
        **{
            name: incident.affected.get(name, [])
            for name in ("dead_paths", "rerouted_paths", "standby_paths")
        },
        "runbook": f"docs/runbooks/{RULES[incident.rule.kind].runbook}.md",
        "value": incident.value,
        "threshold": incident.threshold,
        "url": incident_url(incident.pk),
    }


def _evidence(incident: Incident, now: datetime) -> list[IncidentEvidence]:
    """What is stored, else the detail as the observation of the rule's source."""
    stored: list[dict[str, Any]] = incident.evidence or [
        {
            "source": RULES[incident.rule.kind].source,
            "text": incident.detail or incident.title,
            "at": incident.last_seen.isoformat(),
            "by": "",
            "supports": True,
        }
    ]
    found = [_evidence_out(item, incident.resolved_at or now) for item in stored]
    return sorted(found, key=lambda item: not item.supports)


def _evidence_out(item: dict[str, Any], now: datetime) -> IncidentEvidence:
    at = None if item["at"] is None else datetime.fromisoformat(item["at"])
    return IncidentEvidence(**{**item, "at": at, "age_s": seconds(now, at), "label": SOURCES[item["source"]]})


def _objects(incident: Incident, link: str) -> list[IncidentObject]:
    found = []
    if incident.cause is not None:
        found.append(_object("incident", incident.cause.title, incident_url(incident.cause.pk)))
    if incident.node is not None:
        found.append(_object("node", incident.node.name, node_url(incident.node.pk)))
    if incident.link_id is not None and link:
        found.append(_object("link", link, link_url(incident.link_id)))
    paths = list(incident.paths.all())
    policies = {path.policy_id: path.policy.name for path in paths}
    found += [_object("policy", name, policy_url(ident)) for ident, name in sorted(policies.items())]
    return found + [
        _object("path", f"{path.node.name} to {path.policy.prefix}", path_url(path.pk, path.node.name))
        for path in paths[:MOST_PATHS]
    ]


def _object(kind: str, name: str, url: str) -> IncidentObject:
    return IncidentObject.model_validate({"kind": kind, "name": name, "url": url})
