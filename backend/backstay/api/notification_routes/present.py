"""Notification routes for clients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from backstay.api.notification_routes.schemas import NotificationRouteOut

if TYPE_CHECKING:
    from backstay.alerts.notify.models import NotificationRoute

FIELDS = (
    *("name", "position", "enabled", "matchers", "group_wait_s", "group_interval_s", "repeat_s"),
    *("send_resolved", "continues", "changed_at"),
)


def route_out(
    route: NotificationRoute, channels: Mapping[int, str], schedules: Mapping[int, str]
) -> NotificationRouteOut:
    """A route with its site loaded; the mappings: id -> name of what its steps refer to."""
    values: dict[str, Any] = {name: getattr(route, name) for name in FIELDS}
    steps = [
        {**step, "targets": [*_names(step["channels"], channels), *_names(step["schedules"], schedules)]}
        for step in route.steps
    ]
    return NotificationRouteOut.model_validate(
        {**values, "id": route.pk, "site": route.site.name, "steps": steps}
    )


def _names(idents: list[int], known: Mapping[int, str]) -> list[str]:
    return [known[ident] for ident in idents if ident in known]
