"""Rows of routes, schedules and messages as values of the core, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime, time
from typing import Any

from backstay.alerts.notify.models import NotificationRoute, Schedule
from backstay.core.alerting.message import MessageIncident
from backstay.core.alerting.message_groups import GroupTimes
from backstay.core.alerting.notification_routes import Matchers, RouteRule
from backstay.core.alerting.on_call import Override, Rotation
from backstay.core.alerting.weekly_times import WeeklyTime

Json = dict[str, Any]


def route_rule(row: NotificationRoute) -> RouteRule:
    """What the matching reads."""
    given: Json = row.matchers
    matchers = Matchers(
        severities=frozenset(given.get("severities", ())),
        kinds=frozenset(given.get("kinds", ())),
        roles=frozenset(given.get("roles", ())),
        fabrics=frozenset(given.get("fabrics", ())),
        labels=given.get("labels", {}),
        times=_weekly_times(given.get("times", ())),
        zone=given.get("zone", "UTC"),
    )
    return RouteRule(row.pk, matchers, row.continues)


def group_times(row: NotificationRoute) -> GroupTimes:
    """Its times, and those of its steps."""
    return GroupTimes(
        wait_s=row.group_wait_s,
        interval_s=row.group_interval_s,
        repeat_s=row.repeat_s,
        sends_resolved=row.send_resolved,
        steps_s=tuple(float(step["after_s"]) for step in row.steps),
    )


def rotation(row: Schedule) -> Rotation:
    """The rotation of a schedule."""
    return Rotation(
        people=tuple(row.people),
        zone=row.zone,
        starts_on=row.starts_on,
        handover=row.handover,
        days=row.days,
        restrictions=_weekly_times(row.restrictions),
        overrides=tuple(
            Override(
                datetime.fromisoformat(item["start"]), datetime.fromisoformat(item["end"]), item["person"]
            )
            for item in row.overrides
        ),
    )


def _weekly_times(items: Iterable[Mapping[str, Any]]) -> tuple[WeeklyTime, ...]:
    return tuple(
        WeeklyTime(
            frozenset(item["weekdays"]), time.fromisoformat(item["start"]), time.fromisoformat(item["end"])
        )
        for item in items
    )


def encoded(incident: MessageIncident) -> Json:
    """An incident of a message as JSON."""
    values = asdict(incident)
    values["since"] = incident.since.isoformat()
    values["resolved_at"] = None if incident.resolved_at is None else incident.resolved_at.isoformat()
    return values


def decoded(values: Json) -> MessageIncident:
    """The incident that `encoded` stored."""
    ended = values["resolved_at"]
    return MessageIncident(
        **{
            **values,
            "since": datetime.fromisoformat(values["since"]),
            "resolved_at": None if ended is None else datetime.fromisoformat(ended),
            "effects": tuple(values["effects"]),
        }
    )
