"""Events."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.events.present import event_out
from backstay.api.events.schemas import EventKind, EventOut
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, Page
from backstay.core.timerange import moment
from backstay.telemetry.selectors.events import events

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
    """A site's events, newest first. `q` searches messages; `start`, `end` as `now-1h`."""
    now = timezone.now()
    rows = events(
        site_of(request, query.site),
        text=query.q,
        start=moment(query.start, now, "start") if query.start else None,
        end=moment(query.end, now, "end") if query.end else None,
        kind=query.kind,
        node__name=query.node,
        link_id=query.link_id,
        incident_id=query.incident_id,
    )
    shown, following = query.rows(rows, SORTS, "-since")
    return Page(items=[event_out(event, now) for event in shown], next=following)
