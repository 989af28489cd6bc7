"""Maintenance windows for clients."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from backstay.alerts.windows.recurrence import Occurrence, upcoming
from backstay.alerts.windows.services import recurrence_of
from backstay.api.http.urls import fabric_url, link_url, node_url, policy_url, window_url
from backstay.api.maintenance_windows.schemas import (
    CalendarEventOut,
    CalendarFeedOut,
    MaintenanceWindowDetail,
    MaintenanceWindowOut,
    OccurrenceOut,
    WindowTargetOut,
)
from backstay.core.model.state import seconds

if TYPE_CHECKING:
    from backstay.alerts.models import CalendarFeed, MaintenanceTarget, MaintenanceWindow
    from backstay.alerts.windows.calendar_files import CalendarEvent
    from backstay.alerts.windows.coverage import Coverage

LISTED = 10
"""Next occurrences of a window."""


def window_out(window: MaintenanceWindow, now: datetime) -> MaintenanceWindowOut:
    """A window; its state, targets and users are loaded."""
    return MaintenanceWindowOut(**_fields(window, now))


def window_detail(window: MaintenanceWindow, covered: Coverage, now: datetime) -> MaintenanceWindowDetail:
    """A window with its next occurrences and the size of what it covers."""
    following = upcoming(recurrence_of(window), now, window.resumes_after, LISTED)
    return MaintenanceWindowDetail(
        **_fields(window, now),
        upcoming=occurrences_out(following),
        everything=covered.everything,
        nodes=len(covered.nodes),
        links=len(covered.links),
        paths=len(covered.paths),
    )


def event_out(event: CalendarEvent, now: datetime) -> CalendarEventOut:
    """An event with its next occurrences."""
    return CalendarEventOut(
        uid=event.uid,
        name=event.name,
        zone=event.recurrence.zone,
        rule=event.recurrence.rule,
        upcoming=occurrences_out(upcoming(event.recurrence, now, None, LISTED)),
    )


def feed_out(feed: CalendarFeed) -> CalendarFeedOut:
    """A feed without its address, which is not stored."""
    author = feed.author.get_username() if feed.author else None
    return CalendarFeedOut(
        id=feed.pk, name=feed.name, site=feed.site.name, author=author, created_at=feed.created_at
    )


def occurrences_out(occurrences: Iterable[Occurrence]) -> list[OccurrenceOut]:
    return [OccurrenceOut(begins_at=one.begins_at, ends_at=one.ends_at) for one in occurrences]


def _fields(window: MaintenanceWindow, now: datetime) -> dict[str, Any]:
    state = getattr(window, "state", "over")
    since = window.begins_at if state == "active" and window.begins_at else window.changed_at
    return {
        "id": window.pk,
        "name": window.name,
        "site": window.site.name,
        "state": state,
        "since": since,
        "age_s": seconds(now, since) or 0.0,
        "reason": window.reason,
        "starts_at": window.starts_at,
        "duration_s": window.duration_s,
        "zone": window.zone,
        "rule": window.rule,
        "excluded": window.excluded,
        "added": window.added,
        "begins_at": window.begins_at if state != "over" else None,
        "ends_at": window.ends_at if state != "over" else None,
        "mutes_notifications": window.mutes_notifications,
        "pauses_rules": window.pauses_rules,
        "pauses_tests": window.pauses_tests,
        "targets": [_target(window, target) for target in window.targets.all()],
        "author": window.author.get_username() if window.author else None,
        "created_at": window.created_at,
        "changed_at": window.changed_at,
        "url": window_url(window.pk),
    }


def _target(window: MaintenanceWindow, target: MaintenanceTarget) -> WindowTargetOut:
    ident: int | None = None
    name, url = window.site.name, None
    if target.fabric is not None:
        ident, name, url = target.fabric.pk, target.fabric.name, fabric_url(target.fabric.pk)
    elif target.node is not None:
        ident, name, url = target.node.pk, target.node.name, node_url(target.node.pk)
    elif target.port is not None:
        ident, name, url = target.port.pk, _port(target.port), node_url(target.port.node_id)
    elif target.link is not None:
        link = target.link
        far = link.fabric.name if link.b is None else _port(link.b)
        ident, name, url = link.pk, f"{_port(link.a)}-{far}", link_url(link.pk)
    elif target.policy is not None:
        ident, name, url = target.policy.pk, target.policy.name, policy_url(target.policy.pk)
    return WindowTargetOut.model_validate({"kind": target.kind, "id": ident, "name": name, "url": url})


def _port(port: Any) -> str:
    return f"{port.node.name}:{port.name}"
