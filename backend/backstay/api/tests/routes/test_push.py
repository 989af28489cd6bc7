"""`/push` and `/push-devices`: where push is allowed, and that devices are one's own."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from backstay.accounts.models import User
from backstay.alerts.models import NotificationRoute, PushDevice
from backstay.alerts.notify.push.tests.receiver import Receiver
from backstay.alerts.notify.push.vapid import encoded
from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role

CHANNEL = {
    "site": "argonne",
    "name": "phones",
    "kind": "push",
    "config": {"contact": "mailto:ops@example.org"},
}
JSON = "application/json"


@pytest.fixture
def world(db: None) -> World:
    return World.make()


@pytest.fixture
def ann(world: World) -> User:
    return person("ann", Role.VIEWER, "argonne")


def allow(client: Client) -> dict[str, Any]:
    """The push channel that an administrator creates."""
    admin = bearer(person("admin", Role.ADMIN, "argonne"))
    reply = client.post("/api/v1/channels", CHANNEL, content_type=JSON, headers=admin)
    assert reply.status_code == 201, reply.content
    made: dict[str, Any] = reply.json()
    return made


def subscription(number: int = 1) -> dict[str, str]:
    keys = Receiver.make()
    return {
        "site": "argonne",
        "label": "Firefox on Android",
        "endpoint": f"https://push.example.org/send/capability-{number}",
        "p256dh": encoded(keys.point),
        "auth": encoded(keys.auth),
    }


def test_push_is_off_until_an_administrator_allows_it(client: Client, world: World, ann: User) -> None:
    headers = bearer(ann)
    off = {"site": "argonne", "is_allowed": False, "is_routed": False, "public_key": ""}
    assert client.get("/api/v1/push?site=argonne", headers=headers).json() == off
    refused = client.post("/api/v1/push-devices", subscription(), content_type=JSON, headers=headers)
    assert refused.status_code == 422
    assert set(refused.json()["fields"]) == {"site"}
    operator = bearer(person("operator", Role.OPERATOR, "argonne"))
    assert client.post("/api/v1/channels", CHANNEL, content_type=JSON, headers=operator).status_code == 403
    made = allow(client)
    allowed = client.get("/api/v1/push?site=argonne", headers=headers).json()
    assert (allowed["is_allowed"], allowed["is_routed"], len(allowed["public_key"])) == (True, False, 87)
    NotificationRoute.objects.create(
        site=world.site,
        name="phones",
        steps=[{"after_s": 0, "channels": [made["id"]], "schedules": []}],
        changed_at=world.now,
    )
    assert client.get("/api/v1/push?site=argonne", headers=headers).json()["is_routed"]


def test_devices_are_ones_own_and_show_no_subscription(client: Client, ann: User) -> None:
    allow(client)
    mine, eve = bearer(ann), bearer(person("eve", Role.ADMIN))
    made = client.post("/api/v1/push-devices", subscription(), content_type=JSON, headers=mine)
    assert made.status_code == 201, made.content
    listed = client.get("/api/v1/push-devices?site=argonne", headers=mine)
    assert [item["label"] for item in listed.json()["items"]] == ["Firefox on Android"]
    assert b"capability" not in listed.content + made.content
    path = f"/api/v1/push-devices/{made.json()['id']}"
    assert client.get("/api/v1/push-devices?site=argonne", headers=eve).json()["items"] == []
    assert client.delete(path, headers=eve).status_code == 404
    assert client.delete(path, headers=mine).status_code == 204
    assert not PushDevice.objects.exists()


def test_a_route_by_which_warnings_reach_nobody_is_refused(client: Client, ann: User) -> None:
    made = allow(client)
    operator = bearer(person("operator", Role.OPERATOR, "argonne"))
    body: dict[str, Any] = {
        "site": "argonne",
        "name": "phones",
        "steps": [{"after_s": 0, "channels": [made["id"]]}],
    }
    url = "/api/v1/notification-routes"
    refused = client.post(url, body, content_type=JSON, headers=operator)
    assert refused.status_code == 422
    assert set(refused.json()["fields"]) == {"matchers.severities"}
    body["matchers"] = {"severities": ["critical"]}
    assert client.post(url, body, content_type=JSON, headers=operator).status_code == 201
    assert client.delete(f"/api/v1/channels/{made['id']}", headers=operator).status_code == 403
