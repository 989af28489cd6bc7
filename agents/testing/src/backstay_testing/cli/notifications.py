"""The fake backend's channels, notification routes, schedules and deliveries."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from backstay.api.channels.schemas import ChannelOut, ChannelTestOut
from backstay.api.deliveries.schemas import DeliveryDetail
from backstay.api.notification_routes.schemas import NotificationRouteOut
from backstay.api.push.schemas import PushDeviceOut, PushOut
from backstay.api.schedules.schemas import ScheduleOut
from backstay_testing.cli.fake_server import AT


def channel(name: str = "hook", **changed: Any) -> ChannelOut:
    """A webhook that works."""
    values = {
        "id": 1,
        "name": name,
        "site": "argonne",
        "kind": "webhook",
        "label": "Webhook",
        "config": {"url": "https://hooks.example.org/a"},
        "secrets": ["secret"],
        "person": "",
        "enabled": True,
        "state": "ok",
        "since": AT,
        "failure": "",
        "worked_at": AT,
        "waiting": 0,
    }
    return ChannelOut.model_validate(values | changed)


def notification_route(name: str = "ops") -> NotificationRouteOut:
    """Critical incidents to the webhook, ten minutes later to the person on call."""
    return NotificationRouteOut.model_validate(
        {
            "id": 2,
            "name": name,
            "site": "argonne",
            "position": 0,
            "enabled": True,
            "matchers": {"severities": ["critical"], "labels": {"rack": "r1"}},
            "steps": [
                {"after_s": 0, "channels": [1], "schedules": [], "targets": ["hook"]},
                {"after_s": 600, "channels": [], "schedules": [3], "targets": ["primary"]},
            ],
            "group_wait_s": 10,
            "group_interval_s": 300,
            "repeat_s": 14400,
            "send_resolved": True,
            "continues": False,
            "changed_at": AT,
        }
    )


def schedule(name: str = "primary") -> ScheduleOut:
    """Two people in weekly shifts; one has no channel."""
    week = timedelta(days=7)
    return ScheduleOut.model_validate(
        {
            "id": 3,
            "name": name,
            "site": "argonne",
            "people": ["ann", "bob"],
            "zone": "Europe/Zurich",
            "starts_on": "2026-06-01",
            "handover": "09:00",
            "days": 7,
            "restrictions": [],
            "overrides": [],
            "on_call": "ann",
            "without_channel": ["bob"],
            "shifts": [
                {"person": "ann", "start": AT, "end": AT + week},
                {"person": "bob", "start": AT + week, "end": AT + 2 * week},
            ],
            "changed_at": AT,
        }
    )


def delivery(**changed: Any) -> DeliveryDetail:
    """A message that was refused."""
    values = {
        "id": 9,
        "name": "[critical] argonne: grf1 is unreachable",
        "status": "failed",
        "reason": "opened",
        "target": "hook",
        "channel_id": 1,
        "route": "ops",
        "key": "5c1f0d0e-1111-4222-8333-944444444444",
        "attempts": 8,
        "failure": "hooks.example.org answered with status 503",
        "next_at": None,
        "took_ms": 31.0,
        "created_at": AT,
        "ended_at": AT,
        "incidents": 1,
        "text": "Critical: grf1 is unreachable\nObject: grf1",
        "incident_ids": [7],
    }
    return DeliveryDetail.model_validate(values | changed)


def push_device(**changed: Any) -> PushDeviceOut:
    """A phone that gets messages."""
    values = {
        "id": 5,
        "label": "Firefox on Android",
        "service": "push.example.org",
        "digest": "0" * 64,
        "created_at": AT,
        "delivered_at": AT,
        "failing_since": None,
        "failure": "",
    }
    return PushDeviceOut.model_validate(values | changed)


def notifications() -> dict[tuple[str, str], Any]:
    """The answers by method and path."""
    return {
        ("GET", "/channels"): [channel()],
        ("PUT", "/channels/1"): channel(),
        ("DELETE", "/channels/1"): (204, b""),
        ("POST", "/channels/1/test"): ChannelTestOut(delivered=True, reason="", took_ms=42.0, delivery_id=9),
        ("GET", "/notification-routes"): [notification_route()],
        ("POST", "/notification-routes"): (201, notification_route("night").model_dump(mode="json")),
        ("DELETE", "/notification-routes/2"): (204, b""),
        ("GET", "/schedules"): [schedule()],
        ("PUT", "/schedules/3"): schedule(),
        ("DELETE", "/schedules/3"): (204, b""),
        ("GET", "/push"): PushOut(site="argonne", is_allowed=True, is_routed=True, public_key="BKey"),
        ("GET", "/push-devices"): [push_device()],
        ("DELETE", "/push-devices/5"): (204, b""),
        ("GET", "/deliveries"): [delivery()],
        ("GET", "/deliveries/9"): delivery(),
    }
