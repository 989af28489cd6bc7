"""Incidents."""

from datetime import datetime

from backstay.alerts.models import Incident, Phase
from backstay.api.http.urls import incident_url
from backstay.api.incidents.schemas import IncidentOut
from backstay.core.model.state import seconds


def incident_out(incident: Incident, now: datetime) -> IncidentOut:
    """An incident; its rule, paths and acknowledging user are loaded."""
    resolved = incident.phase == Phase.RESOLVED
    return IncidentOut(
        id=incident.pk,
        name=incident.subject,
        kind=incident.rule.kind,
        state="ok" if resolved else incident.severity,
        phase=incident.phase,
        title=incident.title,
        detail=incident.detail,
        direction=incident.direction or None,
        since=incident.opened_at,
        last_seen=incident.last_seen,
        resolved_at=incident.resolved_at,
        age_s=seconds(incident.resolved_at or now, incident.opened_at) or 0.0,
        acknowledged_by=incident.acknowledged_by.get_username() if incident.acknowledged_by else None,
        acknowledged_at=incident.acknowledged_at,
        comment=incident.comment,
        node_id=incident.node_id,
        link_id=incident.link_id,
        path_ids=sorted(path.pk for path in incident.paths.all()),
        cause_id=incident.cause_id,
        value=incident.value,
        threshold=incident.threshold,
        url=incident_url(incident.pk),
    )
