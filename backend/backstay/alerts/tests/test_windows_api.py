"""Maintenance windows, calendar files and bulk changes of incidents over the API."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar
from pytest_django import DjangoDbBlocker

from backstay.alerts.models import Incident, MaintenanceWindow
from backstay.api.tests.full_site import full_site
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role

pytestmark = pytest.mark.slow
Api = Callable[..., Any]
NIGHTLY = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//operators//planner//EN
BEGIN:VTIMEZONE
TZID:Europe/Zurich
BEGIN:STANDARD
DTSTART:19700101T000000
RRULE:FREQ=SECONDLY
TZOFFSETFROM:+0900
TZOFFSETTO:+0900
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:nightly@planner
SUMMARY:Backup of the SP switch
DTSTART;TZID=Europe/Zurich:20260328T033000
DTEND;TZID=Europe/Zurich:20260328T043000
RRULE:FREQ=DAILY
EXDATE;TZID=Europe/Zurich:20260330T033000
END:VEVENT
BEGIN:VEVENT
UID:sunday@planner
SUMMARY:Chicago Sunday
DTSTART;TZID=America/Chicago:20261025T043000
DURATION:PT2H
RRULE:FREQ=WEEKLY;BYDAY=SU;UNTIL=20261108T103000Z
END:VEVENT
BEGIN:VEVENT
UID:fast@planner
SUMMARY:Hostile
DTSTART:20260328T033000Z
DURATION:PT1M
RRULE:FREQ=SECONDLY
END:VEVENT
BEGIN:VEVENT
UID:mars@planner
SUMMARY:Mars
DTSTART;TZID=Mars/Olympus:20260328T033000
DURATION:PT1M
END:VEVENT
BEGIN:VEVENT
UID:broken@planner
SUMMARY:Broken
DTSTART:soon
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture(scope="module")
def made(shown_at_once: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        yield full_site()


@pytest.fixture
def world(made: World, db: None) -> World:
    return made.copy()


@pytest.fixture
def api(client: Client, world: World) -> Api:
    """(method, path, expected status, body) -> the answer to an operator."""
    headers = bearer(person("ada", Role.OPERATOR, "argonne"))

    def call(method: str, path: str, status: int, body: Any = None) -> Any:
        data = {} if method == "get" else {"data": body or {}, "content_type": "application/json"}
        reply = getattr(client, method)(f"/api/v1/{path}", headers=headers, **data)
        assert reply.status_code == status, reply.content
        return reply.json() if reply.content else None

    return call


def window(world: World, **more: Any) -> dict[str, Any]:
    return {
        "site": "argonne",
        "name": "new cables",
        "starts_at": (datetime.now(UTC) - timedelta(minutes=5)).isoformat(),
        "duration_s": 3600,
        "zone": "Europe/Zurich",
        "targets": [{"kind": "node", "id": world.node("grf1").pk}],
        **more,
    }


def test_window_about_the_gateway_mutes_its_incident_until_it_is_ended(api: Api, world: World) -> None:
    (incident,) = api("get", "incidents?phase=current", 200)["items"]
    assert incident["muted"] is None
    made = api("post", "maintenance-windows", 201, window(world))
    assert (made["state"], made["targets"][0]["name"], made["everything"]) == ("active", "grf1", False)
    assert (made["nodes"], made["links"]) == (1, 4)
    assert made["paths"] >= 3
    shown = api("get", f"incidents/{incident['id']}", 200)
    assert shown["muted"] == "maintenance"
    assert {"kind": "window", "name": "new cables", "url": f"/maintenance/{made['id']}"} in shown["objects"]
    summary = api("get", "incidents/summary?phase=current&muted=false", 200)
    assert (summary["count"], summary["in_maintenance"]) == (0, 1)
    ended = api("post", f"maintenance-windows/{made['id']}/end", 200)
    assert (ended["state"], ended["upcoming"], ended["begins_at"]) == ("over", [], None)
    assert api("get", f"incidents/{incident['id']}", 200)["muted"] is None
    api("post", f"maintenance-windows/{made['id']}/end", 409)


def test_window_is_changed_listed_by_state_and_deleted(api: Api, world: World) -> None:
    made = api("post", "maintenance-windows", 201, window(world, rule="FREQ=WEEKLY;BYDAY=SU"))
    path = f"maintenance-windows/{made['id']}"
    later = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    changed = api("put", path, 200, window(world, starts_at=later, name="old cables"))
    assert (changed["name"], changed["state"], changed["rule"], len(changed["upcoming"])) == (
        "old cables",
        "scheduled",
        "",
        1,
    )
    listed = api("get", "maintenance-windows?state=scheduled&q=OLD", 200)["items"]
    assert [item["id"] for item in listed] == [made["id"]]
    everything = api("get", "maintenance-windows", 200)["items"]
    assert [item["state"] for item in everything] == ["active", "scheduled"]
    api("delete", path, 204)
    api("get", path, 404)


@pytest.mark.parametrize(
    ("more", "status", "field"),
    [
        ({"rule": "FREQ=SECONDLY"}, 400, "rule"),
        ({"zone": "Mars/Olympus"}, 400, "zone"),
        ({"targets": [{"kind": "node", "id": 10**9}]}, 422, "targets"),
        ({"targets": [{"kind": "node"}]}, 422, "targets"),
        ({"starts_at": "2026-11-27T10:00:00"}, 400, "starts_at"),
        ({"duration_s": 5}, 400, "duration_s"),
    ],
)
def test_unusable_window_is_refused_with_the_field(
    api: Api, world: World, more: dict[str, Any], status: int, field: str
) -> None:
    answer = api("post", "maintenance-windows", status, window(world, **more))
    assert any(field in name for name in answer["fields"]), answer


def test_calendar_file_across_a_change_of_daylight_saving_time_is_imported_and_read_again(
    api: Api, client: Client, world: World
) -> None:
    began = time.process_time()
    body = {
        "site": "argonne",
        "text": NIGHTLY,
        "targets": [{"kind": "node", "id": world.node("onyx1").pk}],
        "pauses_rules": True,
    }
    tried = api("post", "maintenance-windows/import", 200, {**body, "dry_run": True})
    assert (tried["created"], MaintenanceWindow.objects.filter(pauses_rules=True).count()) == (0, 0)
    done = api("post", "maintenance-windows/import", 200, body)
    assert time.process_time() - began < 5, "neither the file's rules nor its time zones are expanded"
    assert [item["name"] for item in done["events"]] == ["Backup of the SP switch", "Chicago Sunday"]
    problems = {item["name"]: item["text"] for item in done["problems"]}
    assert set(problems) == {"Hostile", "Mars", "Broken"}
    assert "Mars/Olympus" in problems["Mars"]
    rows = {row.uid: row for row in MaintenanceWindow.objects.filter(pauses_rules=True)}
    from backstay.alerts.windows.services import recurrence_of

    nightly = recurrence_of(rows["nightly@planner"]).occurrences()
    assert [next(nightly).begins_at.isoformat() for _ in range(3)] == [
        "2026-03-28T02:30:00+00:00",
        "2026-03-29T01:30:00+00:00",
        "2026-03-31T01:30:00+00:00",
    ]
    sunday = recurrence_of(rows["sunday@planner"]).occurrences()
    assert [one.begins_at.isoformat() for one in sunday] == [
        "2026-10-25T09:30:00+00:00",
        "2026-11-01T10:30:00+00:00",
        "2026-11-08T10:30:00+00:00",
    ]
    again = api("post", "maintenance-windows/import", 200, body)
    assert (again["created"], again["changed"]) == (0, 2)

    feed = api("post", "calendar-feeds", 201, {"site": "argonne", "name": "on-call"})
    reply = client.get(feed["path"])
    assert reply["Content-Type"] == "text/calendar; charset=utf-8"
    events: dict[str, Any] = {
        str(event["UID"]): event for event in Calendar.from_ical(reply.content).walk("VEVENT")
    }
    event = events["nightly@planner"]
    assert event["RRULE"].to_ical() == b"FREQ=DAILY"
    assert event["DTSTART"].dt.isoformat() == "2026-03-28T03:30:00+01:00"
    assert event["DTSTART"].dt.tzinfo.key == "Europe/Zurich"
    api("delete", f"calendar-feeds/{feed['id']}", 204)
    assert client.get(feed["path"]).status_code == 404


def test_hostile_name_stays_text_in_the_calendar(api: Api, client: Client, world: World) -> None:
    name = "x\r\nATTACH:http://127.0.0.1/\nEND:VEVENT;,\\"
    reply = api("post", "maintenance-windows", 201, window(world, name="spare", reason=name))
    assert reply["reason"]
    feed = api("post", "calendar-feeds", 201, {"site": "argonne", "name": "on-call"})
    calendar = Calendar.from_ical(client.get(feed["path"]).content)
    assert not [event for event in calendar.walk("VEVENT") if "ATTACH" in event]
    assert len(list(calendar.walk("VEVENT"))) == MaintenanceWindow.objects.count()


def test_no_calendar_of_an_unknown_token(client: Client, world: World) -> None:
    assert client.get("/api/v1/calendars/guess.ics").status_code == 404


def test_bulk_action_needs_the_set_that_was_seen(api: Api, world: World) -> None:
    summary = api("get", "incidents/summary?phase=current&root=true", 200)
    body = {
        "site": "argonne",
        "action": "snooze",
        "for_s": 3600,
        "filter": {"phase": "current", "root": True},
        "count": summary["count"],
        "digest": summary["digest"],
        "comment": "during the move",
    }
    api("post", "incidents/bulk", 409, {**body, "count": summary["count"] + 1})
    api("post", "incidents/bulk", 409, {**body, "filter": {"phase": "resolved"}})
    assert not Incident.objects.exclude(snoozed_until=None).exists()
    assert api("post", "incidents/bulk", 200, body) == {"changed": summary["count"], "unchanged": 0}
    (shown,) = api("get", "incidents?muted=true", 200)["items"]
    assert (shown["muted"], shown["snoozed_by"], shown["phase"]) == ("snoozed", "ada", "open")
    assert api("get", "incidents/summary", 200)["snoozed"] == 1


def test_incident_is_assigned_commented_and_shows_both(api: Api, world: World) -> None:
    (incident,) = api("get", "incidents?phase=current", 200)["items"]
    path = f"incidents/{incident['id']}"
    api("post", f"{path}/assign", 400, {"owner": "nobody-known"})
    api("post", f"{path}/assign", 200, {"owner": "ada", "comment": "mine"})
    shown = api("post", f"{path}/comments", 200, {"text": "<b>found</b> it"})
    assert shown["owner"] == "ada"
    assert [(item["author"], item["text"]) for item in shown["comments"]] == [
        ("ada", "mine"),
        ("ada", "<b>found</b> it"),
    ]
    assert api("get", "incidents?owner=ada", 200)["items"][0]["id"] == incident["id"]
    assert api("get", "incidents?has_owner=false&phase=current", 200)["items"] == []
    api("post", f"{path}/snooze", 400, {"for_s": 60, "until": "2030-01-01T00:00:00Z"})
