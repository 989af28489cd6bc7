"""Events: the timeline."""

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.events.present import event_out
from backstay.api.events.schemas import EventKind, EventOut
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, Id, ListQuery, Text
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


class EventQuery(ListQuery):
    """Filters of `list_events`."""

    kind: EventKind | None = None
    node: Text | None = None
    link_id: Id | None = None
    incident_id: Id | None = None
    start: Text | None = None
    end: Text | None = None


@router.get("/events", response={200: Page[EventOut], **READ}, operation_id="list_events")
def list_events(request: HttpRequest, query: Query[EventQuery]) -> Page[EventOut]:
    """What happened at a site, the newest first. `q` looks into messages; `start`, `end` as `now-1h`."""
    now = timezone.now()
    wanted = Q(site=site_of(request, query.site))
    for column, value in (("kind", query.kind), ("node__name", query.node), ("link_id", query.link_id)):
        wanted &= Q(**{column: value}) if value is not None else Q()
    wanted &= Q(incident_id=query.incident_id) if query.incident_id is not None else Q()
    wanted &= Q(message__icontains=query.q) if query.q else Q()
    wanted &= Q(at__gte=moment(query.start, now, "start")) if query.start else Q()
    wanted &= Q(at__lte=moment(query.end, now, "end")) if query.end else Q()
    rows = Event.objects.filter(wanted).select_related("node")
    found, following = query.rows(rows, SORTS, "-since")
    return Page(items=[event_out(event, now) for event in found], next=following)
