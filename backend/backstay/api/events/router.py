"""Events, one by one and grouped by cause."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from backstay.alerts.selectors.event_groups import CHANGES, PATH_MOVES, event_groups, events_of_group
from backstay.api.events.present import annotation_out, event_group_out, event_out
from backstay.api.events.schemas import AnnotationsOut, EventGroupPageOut, EventOut
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import (
    Column,
    Id,
    ListQuery,
    Sort,
    Text,
    bad_cursor,
    cursor_of,
    encoded,
    sort_of,
)
from backstay.api.http.schemas import READ, Page
from backstay.core.errors import Refused
from backstay.core.model.event_kinds import EventKind
from backstay.core.timerange import moment, span
from backstay.inventory.standby_reads import reads_standby
from backstay.telemetry.selectors.events import chart_events, events

router = Router(tags=["events"])
SORTS = {
    "since": Column("at"),
    "age": Column("at", backwards=True),
    "kind": Column("kind"),
    "name": Column("subject"),
    "state": Column("severity"),
}


ABOUT: dict[str, tuple[str, ...]] = {"changes": CHANGES, "paths": PATH_MOVES}
About = Literal["changes", "paths"]
"""`changes`: what changes the network; `paths`: failovers, dead and restored paths."""


class EventGroupQuery(ListQuery):
    """Filters of `list_event_groups`."""

    about: About | None = None
    kind: EventKind | None = None
    node: Text | None = None
    start: Text | None = None
    end: Text | None = None


class EventQuery(EventGroupQuery):
    """Filters of `list_events`."""

    link_id: Id | None = None
    incident_id: Id | None = None
    group: Text | None = None


@router.get("/events", response={200: Page[EventOut], **READ}, operation_id="list_events")
@reads_standby
def list_events(request: HttpRequest, query: Query[EventQuery]) -> Page[EventOut]:
    """A site's events, newest first. `q` searches messages; `start`, `end` as `now-1h`.

    `group`: those of one group, with the filters, `first_at` and `last_at` of `GET /events/groups`.
    """
    row, now = site_of(request, query.site), timezone.now()
    known = events(row, **_filters(query, now), link_id=query.link_id, incident_id=query.incident_id)
    if query.group is not None:
        known = known.filter(pk__in=events_of_group(row, known, query.group))
    shown, following = query.rows(known, SORTS, "-since")
    return Page(items=[event_out(event, now) for event in shown], next=following)


@router.get("/events/groups", response={200: EventGroupPageOut, **READ}, operation_id="list_event_groups")
@reads_standby
def list_event_groups(request: HttpRequest, query: Query[EventGroupQuery]) -> EventGroupPageOut:
    """A site's events grouped by root cause, the newest first; without one, by object and time.

    An incident covers its events from shortly before it opened until shortly after it resolved.
    """
    row, now = site_of(request, query.site), timezone.now()
    sort = sort_of(query.sort, "-since", ["since"])
    if not sort.descending:
        raise Refused("Groups are sorted by -since only.", fields={"sort": "-since"})
    known = events(row, **_filters(query, now))
    found = event_groups(row, known, query.limit + 1, _after(query.cursor, sort))
    shown = found.groups[: query.limit]
    rest = len(found.groups) > query.limit
    return EventGroupPageOut(
        items=[event_group_out(*pair) for pair in shown],
        next=encoded(sort, shown[-1][0].last_at.isoformat(), shown[-1][1].pk) if rest else None,
        total=found.total,
        grouped_since=found.since,
    )


MOST_ANNOTATIONS = 500


class AnnotationQuery(Schema):
    """Filters of `list_annotations`; without objects, those of the whole site."""

    site: Text | None = None
    start: Text = "now-1h"
    end: Text = "now"
    node_id: list[Id] = Field([], max_length=200)
    link_id: list[Id] = Field([], max_length=200)


@router.get("/annotations", response={200: AnnotationsOut, **READ}, operation_id="list_annotations")
@reads_standby
def list_annotations(request: HttpRequest, query: Query[AnnotationQuery]) -> AnnotationsOut:
    """Incidents, failovers, changes and tests in a range, to be marked on charts of nodes and links.

    At most the newest 500. Changes and tests of the site are always included.
    """
    row = site_of(request, query.site)
    start, end = span(query.start, query.end, timezone.now())
    found = chart_events(
        row, start, end, nodes=query.node_id, links=query.link_id, limit=MOST_ANNOTATIONS + 1
    )
    shown = reversed(found[:MOST_ANNOTATIONS])
    return AnnotationsOut(
        items=[annotation_out(event) for event in shown], is_whole=len(found) <= MOST_ANNOTATIONS
    )


def _filters(query: EventGroupQuery, now: datetime) -> dict[str, Any]:
    return {
        "text": query.q,
        "start": moment(query.start, now, "start") if query.start else None,
        "end": moment(query.end, now, "end") if query.end else None,
        "kind": query.kind,
        "kind__in": None if query.about is None else ABOUT[query.about],
        "node__name": query.node,
    }


def _after(cursor: str | None, sort: Sort) -> tuple[datetime, int] | None:
    """Position of the cursor; `Invalid` if it is malformed."""
    found = cursor_of(cursor, sort)
    if found is None:
        return None
    try:
        at = datetime.fromisoformat(str(found.value))
    except ValueError as cause:
        raise bad_cursor() from cause
    if at.tzinfo is None or not isinstance(found.id, int):
        raise bad_cursor()
    return at, found.id
