"""Events, each as one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.events.schemas import AnnotationKind, AnnotationOut, EventGroupOut, EventOut
from backstay.api.http.urls import change_url, drill_url, incident_url, link_url, node_url, run_url
from backstay.core.alerting.event_groups import EventGroup
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.state import seconds

if TYPE_CHECKING:
    from backstay.telemetry.models import Event

_PAGES = {"path": "/paths", "policy": "/policies", "drift": "/drift"}
"""Categories of events that concern a whole page."""
_OF_DATA: Mapping[str, tuple[Callable[[int], str], str]] = {
    "change": (change_url, "change_id"),
    "drill": (drill_url, "drill_id"),
    "test_run": (run_url, "run_id"),
}
"""Categories of events whose data has the id of the object, and its key."""


def event_out(event: Event, now: datetime) -> EventOut:
    """An event; `event` has its node loaded."""
    return EventOut(
        id=event.pk,
        kind=event.kind,
        name=event.subject,
        state=event.severity,
        since=event.at,
        age_s=seconds(now, event.at) or 0.0,
        message=event.message,
        node=event.node.name if event.node else None,
        node_id=event.node_id,
        link_id=event.link_id,
        incident_id=event.incident_id,
        data=event.data,
        url=url_of(event),
    )


def event_group_out(group: EventGroup, newest: Event) -> EventGroupOut:
    """A group of events; `newest` is its newest event."""
    return EventGroupOut(
        key=group.key,
        title=group.title,
        detail=group.detail,
        state=group.state,
        start=group.start,
        end=group.end,
        first_at=group.first_at,
        last_at=group.last_at,
        events=group.events,
        kinds=list(group.kinds),
        paths=group.paths,
        rerouted=group.rerouted,
        dead=group.dead,
        affected=group.affected,
        outage_ms=group.outage_ms,
        incident_id=None if group.cause is None else group.cause.id,
        url=group_url(group, newest),
    )


_ANNOTATION_KINDS: dict[str, AnnotationKind] = {
    "incident": "incident",
    "path": "failover",
    "change": "change",
    "test_run": "test",
}


def annotation_out(event: Event) -> AnnotationOut:
    """An event as a mark on charts."""
    return AnnotationOut(
        id=event.pk,
        at=event.at,
        kind=_ANNOTATION_KINDS[EventKind(event.kind).category],
        state=event.severity,
        text=event.message,
        url=url_of(event),
    )


def group_url(group: EventGroup, newest: Event) -> str:
    """The page of the root cause, or of the newest event."""
    return url_of(newest) if group.cause is None else incident_url(group.cause.id)


def url_of(event: Event) -> str:
    """The page of the event's object."""
    if event.incident_id is not None:
        return incident_url(event.incident_id)
    category = EventKind(event.kind).category
    if category in _OF_DATA:
        url, ident = _OF_DATA[category]
        return url(event.data[ident])
    page = _PAGES.get(category)
    if page is not None:
        return page
    if event.link_id is not None:
        return link_url(event.link_id)
    return node_url(event.node_id) if event.node_id is not None else "/events"
