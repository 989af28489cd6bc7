"""Incidents, and what people do with them."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from backstay.accounts.selectors import active_user
from backstay.alerts import services
from backstay.alerts.selectors import incidents as selectors
from backstay.alerts.selectors.incident_charts import incident_charts
from backstay.alerts.selectors.incident_context import incident_context
from backstay.alerts.selectors.muted_incidents import Muted, windows_about
from backstay.alerts.selectors.muted_incidents import muted as muted_of
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.services import Bulk
from backstay.api.http.auth import (
    Lookup,
    principal,
    require_operator,
    site_of,
)
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text, past_at
from backstay.api.http.schemas import READ, WRITE, Page, State
from backstay.api.incidents.present import IncidentView, incident_at, incident_detail, incident_out
from backstay.api.incidents.schemas import (
    Acknowledge,
    Assign,
    BulkFilter,
    BulkIn,
    BulkOut,
    CommentIn,
    IncidentDetail,
    IncidentKind,
    IncidentOut,
    IncidentSummary,
    PhaseFilter,
    Snooze,
)
from backstay.core.errors import Invalid
from backstay.inventory.standby_reads import reads_standby

router = Router(tags=["incidents"])
_incident = Lookup("incident", selectors.incident)
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
    """Filters of incidents."""

    phase: PhaseFilter | None = None
    state: State | None = None
    kind: IncidentKind | None = None
    node: Text | None = None
    link_id: Id | None = None
    root: bool | None = Field(None, description="true: only root causes; false: only effects")
    cause_id: Id | None = Field(None, description="Only the effects of this incident")
    owner: Text | None = Field(None, description="User name")
    has_owner: bool | None = None
    muted: bool | None = Field(
        None, description="true: only snoozed ones and those in maintenance; false: only the others"
    )


class IncidentListQuery(IncidentQuery):
    """Filters of `list_incidents`, and a moment."""

    at: Text | None = Field(
        None,
        description="Only those that were not resolved at this moment, as `now-1h` or `2026-11-23T10:00:00Z`,"
        " as they were then; other filters apply to what they are today",
    )


@router.get("/incidents", response={200: Page[IncidentOut], **READ}, operation_id="list_incidents")
@reads_standby
def list_incidents(request: HttpRequest, query: Query[IncidentListQuery]) -> Page[IncidentOut]:
    """A site's incidents, newest first; `phase=current`: open or acknowledged."""
    row, now = site_of(request, query.site), timezone.now()
    hidden = muted_of(row, now)
    at = past_at(query.at, now)
    rows, following = query.rows(_matching(row, query, hidden, at), SORTS, "-since")
    items = [
        incident_out(item, now, hidden) if at is None else incident_at(item, at, hidden) for item in rows
    ]
    return Page(items=items, next=following)


@router.get(
    "/incidents/summary", response={200: IncidentSummary, **READ}, operation_id="get_incident_summary"
)
def get_incident_summary(request: HttpRequest, query: Query[IncidentQuery]) -> IncidentSummary:
    """Number of a site's incidents with the filters of a list, and what it may hide."""
    row, now = site_of(request, query.site), timezone.now()
    hidden = muted_of(row, now)
    known = selectors.selected(_matching(row, query, hidden))
    return IncidentSummary(
        count=known.count,
        digest=known.digest,
        snoozed=len(hidden.snoozed),
        in_maintenance=len(hidden.in_maintenance - hidden.snoozed),
        suppressed=selectors.suppressed(row),
    )


@router.post("/incidents/bulk", response={200: BulkOut, **WRITE}, operation_id="bulk_incidents")
@idempotent
def bulk_incidents(request: HttpRequest, body: BulkIn) -> BulkOut:
    """Acknowledge, snooze or assign exactly the incidents that the user saw. Needs operator at the site.

    409 if the filters select other incidents now than `count` and `digest` name; then nothing is done.
    """
    row, now = site_of(request, body.site), timezone.now()
    require_operator(request, row)
    chosen = _matching(row, body.filter, muted_of(row, now))
    bulk = Bulk(body.action, body.comment, _until(body.until, body.for_s, now), _owner(body.owner))
    seen = selectors.Selection(body.count, body.digest)
    changed, unchanged = services.change_all(row, chosen, seen, bulk, user=principal(request).user, now=now)
    return BulkOut(changed=changed, unchanged=unchanged)


@router.get("/incidents/{id}", response={200: IncidentDetail, **READ}, operation_id="get_incident")
def get_incident(request: HttpRequest, id: Id) -> IncidentDetail:  # noqa: A002  (the name in the path)
    """One incident with its evidence, comments, and what happened around it."""
    return _detail(request, id)


@router.post(
    "/incidents/{id}/acknowledge",
    response={200: IncidentDetail, **WRITE},
    operation_id="acknowledge_incident",
)
@idempotent
def acknowledge_incident(request: HttpRequest, id: Id, body: Acknowledge) -> IncidentDetail:  # noqa: A002
    """Acknowledge an open incident. Needs operator at the site."""
    incident = _writable(request, id)
    services.acknowledge(incident, principal(request).user, body.comment, timezone.now())
    return _detail(request, id)


@router.post(
    "/incidents/{id}/snooze", response={200: IncidentDetail, **WRITE}, operation_id="snooze_incident"
)
@idempotent
def snooze_incident(request: HttpRequest, id: Id, body: Snooze) -> IncidentDetail:  # noqa: A002
    """Send no notifications of an unresolved incident for a time. Needs operator at the site.

    It stays open and counted; when it becomes critical meanwhile, the snooze ends.
    """
    incident, now = _writable(request, id), timezone.now()
    until = _until(body.until, body.for_s, now)
    services.snooze(incident, principal(request).user, until, body.comment, now)
    return _detail(request, id)


@router.post(
    "/incidents/{id}/assign", response={200: IncidentDetail, **WRITE}, operation_id="assign_incident"
)
@idempotent
def assign_incident(request: HttpRequest, id: Id, body: Assign) -> IncidentDetail:  # noqa: A002
    """Give an unresolved incident an owner, who needs a role at the site. Needs operator at the site."""
    incident = _writable(request, id)
    services.assign(incident, principal(request).user, _owner(body.owner), body.comment, timezone.now())
    return _detail(request, id)


@router.post(
    "/incidents/{id}/comments", response={200: IncidentDetail, **WRITE}, operation_id="comment_incident"
)
@idempotent
def comment_incident(request: HttpRequest, id: Id, body: CommentIn) -> IncidentDetail:  # noqa: A002
    """Write a comment about an incident, also a resolved one. Needs operator at the site."""
    services.add_comment(_writable(request, id), principal(request).user, body.text, timezone.now())
    return _detail(request, id)


def _matching(site: Any, query: IncidentQuery | BulkFilter, hidden: Muted, at: datetime | None = None) -> Any:
    return selectors.matching(
        site,
        phase=query.phase,
        state=query.state,
        text=query.q,
        rule__kind=query.kind,
        node__name=query.node,
        link_id=query.link_id,
        is_root=query.root,
        cause_id=query.cause_id,
        owner__username=query.owner,
        has_owner=query.has_owner,
        is_hidden=query.muted,
        hidden=hidden.snoozed | hidden.in_maintenance,
        at=at,
    )


def _writable(request: HttpRequest, ident: int) -> Any:
    incident = _incident(request, ident)
    require_operator(request, incident.site)
    return incident


def _detail(request: HttpRequest, ident: int) -> IncidentDetail:
    incident, now = _incident(request, ident), timezone.now()
    hidden = muted_of(incident.site, now)
    is_covered = incident.pk in hidden.in_maintenance
    snapshot = SiteSnapshot(incident.site, now)
    view = IncidentView(
        muted=hidden,
        charts=incident_charts(incident, snapshot),
        context=incident_context(incident, now),
        windows=windows_about(incident, now) if is_covered else (),
    )
    return incident_detail(incident, snapshot, view)


def _until(until: datetime | None, for_s: int | None, now: datetime) -> datetime | None:
    if until is not None and for_s is not None:
        raise Invalid("A snooze has one end.", fields={"for_s": "expected `until` or `for_s`, not both"})
    return until if for_s is None else now + timedelta(seconds=for_s)


def _owner(name: str | None) -> Any:
    if name is None:
        return None
    found = active_user(name)
    if found is None:
        raise Invalid("The owner is unknown.", fields={"owner": "expected the name of a user"})
    return found
