"""Incidents and their acknowledgement."""

from typing import Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from backstay.alerts import services
from backstay.alerts.selectors import incidents as selectors
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import (
    Lookup,
    principal,
    require_operator,
    site_of,
)
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page, State
from backstay.api.incidents.present import incident_detail, incident_out
from backstay.api.incidents.schemas import Acknowledge, IncidentDetail, IncidentKind, IncidentOut
from backstay.core.model.progress import ShownPhase

router = Router(tags=["incidents"])
_incident = Lookup("incident", selectors.incident)
PhaseFilter = Literal[ShownPhase, "current"]
SORTS = {
    "since": Column("opened_at"),
    "age": Column("opened_at", backwards=True),
    "last_seen": Column("last_seen"),
    "name": Column("subject"),
    "kind": Column("rule__kind"),
    "state": Column("severity"),
    "phase": Column("phase"),
}


class IncidentQuery(ListQuery):
    """Filters of `list_incidents`."""

    phase: PhaseFilter | None = None
    state: State | None = None
    kind: IncidentKind | None = None
    node: Text | None = None
    link_id: Id | None = None
    root: bool | None = Field(None, description="true: only root causes; false: only effects")
    cause_id: Id | None = Field(None, description="Only the effects of this incident")


@router.get("/incidents", response={200: Page[IncidentOut], **READ}, operation_id="list_incidents")
def list_incidents(request: HttpRequest, query: Query[IncidentQuery]) -> Page[IncidentOut]:
    """A site's incidents, newest first; `phase=current`: open or acknowledged."""
    row, now = site_of(request, query.site), timezone.now()
    known = selectors.matching(
        row,
        phase=query.phase,
        state=query.state,
        text=query.q,
        rule__kind=query.kind,
        node__name=query.node,
        link_id=query.link_id,
        is_root=query.root,
        cause_id=query.cause_id,
    )
    rows, following = query.rows(known, SORTS, "-since")
    return Page(items=[incident_out(incident, now) for incident in rows], next=following)


@router.get("/incidents/{id}", response={200: IncidentDetail, **READ}, operation_id="get_incident")
def get_incident(request: HttpRequest, id: Id) -> IncidentDetail:  # noqa: A002  (the name in the path)
    """One incident with its evidence."""
    incident = _incident(request, id)
    return incident_detail(incident, SiteSnapshot(incident.site, timezone.now()))


@router.post(
    "/incidents/{id}/acknowledge",
    response={200: IncidentDetail, **WRITE},
    operation_id="acknowledge_incident",
)
@idempotent
def acknowledge_incident(request: HttpRequest, id: Id, body: Acknowledge) -> IncidentDetail:  # noqa: A002
    """Acknowledge an open incident. Needs operator at the site."""
    incident = _incident(request, id)
    require_operator(request, incident.site)
    now = timezone.now()
    services.acknowledge(incident, principal(request).user, body.comment, now)
    incident = _incident(request, id)
    return incident_detail(incident, SiteSnapshot(incident.site, timezone.now()))
