"""Events: the timeline."""

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.api.events.present import event_out
from backstay.api.events.schemas import EventKind, EventOut
from backstay.api.http.auth import site_of
from backstay.api.http.paging import (
    DEFAULT_LIMIT,
    Column,
    CursorText,
    Id,
    Limit,
    Text,
    as_page,
    page_rows,
    sort_of,
)
from backstay.api.http.schemas import READ, Page
from backstay.core.timerange import moment
from backstay.telemetry.models import Event

router = Router(tags=["events"])
SORTS = {
    "since": Column("at"),
    "age": Column("at", backwards=True),
    "kind": Column("kind"),
    "name": Column("subject"),
    "state": Column("severity"),
}


@router.get("/events", response={200: Page[EventOut], **READ}, operation_id="list_events")
def list_events(
    request: HttpRequest,
    *,
    site: Text | None = None,
    kind: EventKind | None = None,
    node: Text | None = None,
    link_id: Id | None = None,
    incident_id: Id | None = None,
    q: Text | None = None,
    start: Text | None = None,
    end: Text | None = None,
    sort: Text | None = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText | None = None,
) -> Page[EventOut]:
    """What happened at a site, the newest first. `q` looks into messages; `start`, `end` as `now-1h`."""
    now = timezone.now()
    wanted = Q(site=site_of(request, site))
    for column, value in (("kind", kind), ("node__name", node), ("link_id", link_id)):
        wanted &= Q(**{column: value}) if value is not None else Q()
    wanted &= Q(incident_id=incident_id) if incident_id is not None else Q()
    wanted &= Q(message__icontains=q) if q else Q()
    wanted &= Q(at__gte=moment(start, now, "start")) if start else Q()
    wanted &= Q(at__lte=moment(end, now, "end")) if end else Q()
    rows = Event.objects.filter(wanted).select_related("node")
    by = sort_of(sort, "-since", SORTS)
    found, following = page_rows(rows, SORTS, sort=by, cursor=cursor, limit=limit)
    return as_page([event_out(event, now) for event in found], following)
