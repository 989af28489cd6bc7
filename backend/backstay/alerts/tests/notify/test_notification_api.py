"""Channels, routes, schedules and deliveries over the API: what is stored, refused, and never shown."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backstay.accounts.models import User
from backstay.alerts.models import Channel, Delivery, Notification, NotificationRoute
from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role

HOOK = {
    "site": "argonne",
    "name": "hook",
    "kind": "webhook",
    "config": {"url": "https://hooks.example.org/a", "secret": "0123456789abcdef"},
}
ON_CALL = {
    "site": "argonne",
    "name": "primary",
    "people": ["ann", "bob"],
    "zone": "Europe/Zurich",
    "starts_on": "2026-06-01",
    "handover": "09:00",
}


@pytest.fixture
def world(db: None) -> World:
    return World.make()


@pytest.fixture
def people(world: World) -> list[User]:
    return [person("ann", Role.OPERATOR, "argonne"), person("bob", Role.OPERATOR, "argonne")]


@pytest.fixture
def call(world: World, client: Client) -> Any:
    """(method, path, body, expected status) -> the answer to an administrator."""
    headers = bearer(person("admin", Role.ADMIN))

    def send(method: str, path: str, body: Any = None, status: int = 200) -> Any:
        options: dict[str, Any] = {"headers": headers}
        if body is not None:
            options |= {"data": body, "content_type": "application/json"}
        reply = getattr(client, method)(f"/api/v1/{path}", **options)
        assert reply.status_code == status, reply.content
        return reply.json() if reply.content else None

    return send


def test_no_answer_shows_a_secret(call: Any) -> None:
    made = call("post", "channels", HOOK, 201)
    assert made["secrets"] == ["secret"]
    assert made["config"]["url"] == "https://hooks.example.org/a"
    shown = [made, call("get", f"channels/{made['id']}"), call("get", "channels?site=argonne")]
    assert "0123456789abcdef" not in str(shown)
    edited = call("put", f"channels/{made['id']}", {**HOOK, "config": {"url": "https://hooks.example.org/b"}})
    assert (edited["secrets"], edited["state"]) == (["secret"], "untried")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kind": "pigeon"}, "kind"),
        ({"config": {"url": "ftp://hooks.example.org/"}}, "config.url"),
        ({"config": {"url": "https://a.example.org/", "colour": "red"}}, "config.colour"),
        ({"config": {}}, "config.url"),
        ({"person": "nobody"}, "person"),
    ],
)
def test_invalid_channels_are_refused_by_field(call: Any, change: dict[str, Any], field: str) -> None:
    problem = call("post", "channels", {**HOOK, **change}, 422)
    assert field in problem["fields"]
    assert not Channel.objects.exists()


def test_refused_settings_are_not_repeated(call: Any) -> None:
    config = {"url": "ftp://user:hunter2@hooks.example.org/", "secret": "hunter2hunter2hunter2"}
    assert "hunter2" not in str(call("post", "channels", {**HOOK, "config": config}, 422))


def test_name_is_taken_once_per_site(call: Any) -> None:
    call("post", "channels", HOOK, 201)
    assert "already exists" in call("post", "channels", HOOK, 409)["message"]


def test_route_names_its_targets_and_keeps_them(call: Any, people: list[User]) -> None:
    hook = call("post", "channels", HOOK, 201)
    schedule = call("post", "schedules", ON_CALL, 201)
    steps = [
        {"after_s": 0, "channels": [hook["id"]], "schedules": []},
        {"after_s": 600, "channels": [], "schedules": [schedule["id"]]},
    ]
    matchers = {
        "severities": ["critical"],
        "labels": {"rack": "r1"},
        "times": [{"weekdays": [0, 1], "start": "08:00", "end": "18:00"}],
        "zone": "America/Chicago",
    }
    body = {"site": "argonne", "name": "ops", "steps": steps, "matchers": matchers}
    made = call("post", "notification-routes", body, 201)
    assert [step["targets"] for step in made["steps"]] == [["hook"], ["primary"]]
    assert made["matchers"]["zone"] == "America/Chicago"
    assert (made["group_wait_s"], made["group_interval_s"], made["repeat_s"]) == (10.0, 300.0, 14400.0)
    assert "used by ops" in call("delete", f"channels/{hook['id']}", status=409)["message"]
    assert "used by ops" in call("delete", f"schedules/{schedule['id']}", status=409)["message"]
    call("delete", f"notification-routes/{made['id']}", status=204)
    call("delete", f"schedules/{schedule['id']}", status=204)


@pytest.mark.parametrize(
    ("change", "field", "status"),
    [
        ({"steps": [{"after_s": 5, "channels": [1]}]}, "steps", 422),
        ({"steps": [{"after_s": 0}]}, "steps", 422),
        ({"steps": [{"after_s": 0, "channels": [999]}]}, "steps.channels", 422),
        ({"steps": [{"after_s": 0, "schedules": [999]}]}, "steps.schedules", 422),
        ({"matchers": {"kinds": ["no_such_rule"]}}, "matchers.kinds", 422),
        ({"matchers": {"zone": "Mars/Olympus"}}, "matchers.zone", 422),
    ],
)
def test_invalid_routes_are_refused_by_field(
    call: Any, change: dict[str, Any], field: str, status: int
) -> None:
    hook = call("post", "channels", HOOK, 201)
    body = {"site": "argonne", "name": "ops", "steps": [{"after_s": 0, "channels": [hook["id"]]}], **change}
    assert field in call("post", "notification-routes", body, status)["fields"]
    assert not NotificationRoute.objects.exists()


def test_a_channel_of_another_site_cannot_be_used(call: Any) -> None:
    World.make(name="elsewhere")
    hook = call("post", "channels", {**HOOK, "site": "elsewhere"}, 201)
    body = {"site": "argonne", "name": "ops", "steps": [{"after_s": 0, "channels": [hook["id"]]}]}
    assert "steps.channels" in call("post", "notification-routes", body, 422)["fields"]


def test_schedule_shows_who_is_on_call_and_who_cannot_be_reached(call: Any, people: list[User]) -> None:
    made = call("post", "schedules", {**ON_CALL, "starts_on": "2020-06-01"}, 201)
    assert made["on_call"] in {"ann", "bob"}
    assert made["without_channel"] == ["ann", "bob"]
    call("post", "channels", {**HOOK, "name": "phone", "person": "ann"}, 201)
    shown = call("get", f"schedules/{made['id']}")
    assert shown["without_channel"] == ["bob"]
    assert len(shown["shifts"]) == 8
    override = {"start": "2020-01-01T00:00:00Z", "end": "2090-01-01T00:00:00+01:00", "person": "bob"}
    edited = call("put", f"schedules/{made['id']}", {**ON_CALL, "overrides": [override]})
    assert edited["on_call"] == "bob"


@pytest.mark.parametrize(
    "change",
    [
        {"zone": "Europe/Nowhere"},
        {"people": ["nobody"]},
        {"people": []},
        {"handover": "25:00"},
        {"overrides": [{"start": "2026-06-02T00:00:00Z", "end": "2026-06-01T00:00:00Z", "person": "ann"}]},
        {"overrides": [{"start": "2026-06-01T00:00:00", "end": "2026-06-02T00:00:00", "person": "ann"}]},
        {"restrictions": [{"weekdays": [7], "start": "08:00", "end": "18:00"}]},
    ],
)
def test_invalid_schedules_are_refused(
    call: Any, people: list[User], change: dict[str, Any], client: Client
) -> None:
    headers = bearer(people[0])
    reply = client.post(
        "/api/v1/schedules", {**ON_CALL, **change}, content_type="application/json", headers=headers
    )
    assert reply.status_code in {400, 422}, reply.content


def test_test_of_a_refused_address_says_why_and_is_a_delivery(call: Any) -> None:
    hook = call("post", "channels", {**HOOK, "config": {"url": "http://127.0.0.1:9/"}}, 201)
    result = call("post", f"channels/{hook['id']}/test")
    assert result["delivered"] is False
    assert result["reason"]
    shown = call("get", f"deliveries/{result['delivery_id']}")
    assert (shown["status"], shown["reason"], shown["failure"]) == ("failed", "test", result["reason"])
    assert "Test of the channel hook" in shown["text"]
    (listed,) = call("get", "deliveries?site=argonne&status=failed")["items"]
    assert listed["target"] == "hook"
    assert call("get", f"channels/{hook['id']}")["state"] == "failing"


def test_people_are_those_with_a_role_at_the_site(call: Any, people: list[User], client: Client) -> None:
    person("viewer", Role.VIEWER, "argonne")
    person("elsewhere", Role.ADMIN, "sdsc")
    User.objects.create_user("left", is_active=False, is_superuser=True)
    call("post", "channels", {**HOOK, "person": "bob"}, 201)
    call("post", "channels", {**HOOK, "name": "off", "person": "ann", "enabled": False}, 201)
    found = call("get", "people?site=argonne")["items"]
    assert {item["name"]: item["has_channel"] for item in found} == {
        "admin": False,
        "ann": False,
        "bob": True,
        "viewer": False,
    }
    assert [item["name"] for item in call("get", "people?site=argonne&q=AN")["items"]] == ["ann"]
    reply = client.get("/api/v1/people?site=argonne", headers=bearer(User.objects.get(username="viewer")))
    assert reply.status_code == 403


def test_failed_deliveries_of_a_day_are_counted_without_tests(call: Any, world: World) -> None:
    now = timezone.now()
    for reason, status, age_h in (
        ("opened", "failed", 1),
        ("opened", "failed", 23),
        ("opened", "failed", 25),
        ("opened", "sent", 1),
        ("test", "failed", 1),
    ):
        at = now - timedelta(hours=age_h)
        message = Notification.objects.create(
            site=world.site, reason=reason, content={"incidents": [], "more": 0}, created_at=at
        )
        Delivery.objects.create(notification=message, target="hook", status=status, next_at=at, created_at=at)
    assert call("get", "overview/counts?site=argonne")["failed_deliveries"] == 2
