"""Events, each as one sentence."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.events.schemas import EventGroupOut, EventOut
from backstay.api.http.urls import change_url, drill_url, incident_url, link_url, node_url
from backstay.core.alerting.event_groups import EventGroup
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.state import seconds

if TYPE_CHECKING:
    from backstay.telemetry.models import Event

_PAGES = {"path": "/paths", "policy": "/policies", "drift": "/drift"}
"""Categories of events that concern a whole page."""


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


def group_url(group: EventGroup, newest: Event) -> str:
    """The page of the root cause, or of the newest event."""
    return url_of(newest) if group.cause is None else incident_url(group.cause.id)


def url_of(event: Event) -> str:
    """The page of the event's object."""
    if event.incident_id is not None:
        return incident_url(event.incident_id)
    category = EventKind(event.kind).category
    if category == "change":
        return change_url(event.data["change_id"])
    if category == "drill":
        return drill_url(event.data["drill_id"])
    page = _PAGES.get(category)
    if page is not None:
        return page
    if event.link_id is not None:
        return link_url(event.link_id)
    return node_url(event.node_id) if event.node_id is not None else "/events"
