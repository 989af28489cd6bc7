"""Incidents, their evidence and the objects that they are about."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from backstay.alerts.rules import RULES
from backstay.api.http.urls import incident_url, link_url, node_url, path_url, policy_url
from backstay.api.incidents.schemas import IncidentDetail, IncidentEvidence, IncidentObject, IncidentOut
from backstay.core.diagnosis.faults.fault import SOURCES
from backstay.core.model.progress import Phase
from backstay.core.model.state import seconds

if TYPE_CHECKING:
    from backstay.alerts.models import Incident
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot

MOST_PATHS = 20
"""Paths of an incident that its page links."""


def incident_out(incident: Incident, now: datetime) -> IncidentOut:
    """An incident; its rule, paths and acknowledging user are loaded, its effects counted."""
    return IncidentOut(**_fields(incident, now))


def incident_detail(incident: Incident, snapshot: SiteSnapshot) -> IncidentDetail:
    """An incident with its evidence and objects."""
    link = snapshot.topology.links.get(incident.link_id or 0)
    name = "" if link is None else snapshot.link_name(link)
    return IncidentDetail(
        **_fields(incident, snapshot.now),
        evidence=_evidence(incident, snapshot.now),
        objects=_objects(incident, name),
    )


def _fields(incident: Incident, now: datetime) -> dict[str, Any]:
    resolved = incident.phase == Phase.RESOLVED
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
