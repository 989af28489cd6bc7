"""Incidents, and taking them."""

from typing import Literal

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.accounts.models import Role
from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.alerts.selectors.incidents import CURRENT, SHOWN, shown
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page, State
from backstay.api.incidents.present import incident_out
from backstay.api.incidents.schemas import Acknowledge, IncidentKind, IncidentOut

router = Router(tags=["incidents"])
PhaseFilter = Literal["open", "acknowledged", "resolved", "current"]
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


@router.get("/incidents", response={200: Page[IncidentOut], **READ}, operation_id="list_incidents")
def list_incidents(request: HttpRequest, query: Query[IncidentQuery]) -> Page[IncidentOut]:
    """What is or was wrong at a site, the newest first; `phase=current` is open or acknowledged."""
    row, now = site_of(request, query.site), timezone.now()
    wanted = _phase(query.phase) & _state(query.state)
    for column, value in (("rule__kind", query.kind), ("node__name", query.node), ("link_id", query.link_id)):
        wanted &= Q(**{column: value}) if value is not None else Q()
    wanted &= Q(title__icontains=query.q) if query.q else Q()
    rows, following = query.rows(shown(row).filter(wanted), SORTS, "-since")
    return Page(items=[incident_out(incident, now) for incident in rows], next=following)


def _phase(phase: PhaseFilter | None) -> Q:
    if phase is None:
        return Q()
    return CURRENT if phase == "current" else Q(phase=phase)


def _state(state: State | None) -> Q:
    """A resolved incident is shown as ok."""
    if state is None:
        return Q()
    return Q(phase="resolved") if state == "ok" else Q(severity=state) & ~Q(phase="resolved")


@router.get("/incidents/{id}", response={200: IncidentOut, **READ}, operation_id="get_incident")
def get_incident(request: HttpRequest, id: Id) -> IncidentOut:  # noqa: A002  (the path's own word)
    """One incident."""
    return incident_out(_incident(request, id), timezone.now())


@router.post(
    "/incidents/{id}/acknowledge",
    response={200: IncidentOut, **WRITE},
    operation_id="acknowledge_incident",
)
@idempotent
def acknowledge_incident(request: HttpRequest, id: Id, body: Acknowledge) -> IncidentOut:  # noqa: A002
    """Take an open incident, so that others know. Needs operator at the site."""
    incident = _incident(request, id)
    principal(request).require(incident.site.name, Role.OPERATOR)
    now = timezone.now()
    services.acknowledge(incident, principal(request).user, body.comment, now)
    return incident_out(_incident(request, id), now)


def _incident(request: HttpRequest, ident: int) -> Incident:
    rows = Incident.objects.filter(SHOWN, pk=ident).select_related("site", "rule", "acknowledged_by")
    incident = found(rows.prefetch_related("paths").first(), "incident")
    see(request, incident.site, "incident")
    return incident
