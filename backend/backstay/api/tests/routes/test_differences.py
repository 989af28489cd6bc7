"""What differs between two moments: net differences of incidents, nodes, ports and paths; actions."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from backstay.alerts import services
from backstay.alerts.selectors.history.differences import BECAME, MOST, differences
from backstay.api.tests.world import Json, World, bearer, person
from backstay.core.model.event_kinds import EventKind
from backstay.core.roles import Role
from backstay.telemetry.models import Event

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]
CUT = {"grf1:ga030", "grf1:ga031", "grf1:gh010", "grf1:gt000"}


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    world.all_paths()
    world.sample()
    services.run_round(world.now)
    return world


@pytest.fixture
def client(world: World) -> Client:
    """A viewer's."""
    return Client(headers=bearer(person("otto", Role.VIEWER, "argonne"), Role.VIEWER))


def compared(client: Client, world: World, **query: Any) -> Json:
    start, end = world.now - timedelta(hours=1), world.now + timedelta(seconds=1)
    times = {"start": start.isoformat(), "end": end.isoformat(), "site": "argonne"}
    reply = client.get("/api/v1/differences", {**times, **query})
    assert reply.status_code == 200, reply.content
    found: Json = reply.json()
    return found


def fail(world: World) -> None:
    world.forward()
    world.down |= CUT
    world.describe()
    world.fail_over()
    services.run_round(world.now)


def repair(world: World) -> None:
    world.forward()
    world.down.clear()
    world.describe()
    world.all_paths()
    world.sample()
    services.run_round(world.now)


def test_a_failover_that_lasts_is_different_in_every_list(client: Client, world: World) -> None:
    fail(world)
    found = compared(client, world)
    assert {(item["name"], item["before"], item["after"]) for item in found["ports"]} >= {
        (name, "up", "down") for name in CUT
    }
    assert all(item["url"].startswith("/ports/") for item in found["ports"] if item["name"] in CUT)
    assert [(item["before"], item["after"]) for item in found["paths"]] == [("grf1", "atmgw")]
    assert found["paths"][0]["paths"] == found["paths_total"] == len(found["paths"][0]["nodes"])
    assert any(item["title"].startswith("grf1") for item in found["opened"])
    assert found["headline"].startswith("Different: ")
    assert f"{found['paths_total']} paths" in found["headline"]


def test_what_returned_is_only_counted(client: Client, world: World) -> None:
    fail(world)
    moved = compared(client, world)["paths_total"]
    repair(world)
    found = compared(client, world)
    assert (found["ports"], found["paths"], found["opened"]) == ([], [], [])
    assert found["returned"] >= len(CUT) + moved
    assert found["passed"] >= 1
    # Compared with a moment within the failure, the same objects have become well.
    middle = compared(client, world, start=(world.now - timedelta(milliseconds=1)).isoformat())
    assert {(item["before"], item["after"]) for item in middle["paths"]} == {("atmgw", "grf1")}
    assert any(item["title"].startswith("grf1") for item in middle["resolved"])


def test_actions_are_the_newest_first_and_lists_are_bounded(client: Client, world: World) -> None:
    Event.objects.bulk_create(
        Event(
            site=world.site,
            kind=EventKind.POLICY_CHANGED,
            at=world.now + timedelta(milliseconds=500 - number),
            subject=f"policy {number}",
            message=f"ada changed policy {number}",
        )
        for number in range(MOST + 20)
    )
    found = compared(client, world)
    # The import of the site is the oldest.
    assert found["actions_total"] == MOST + 21
    assert [item["name"] for item in found["actions"]] == [f"policy {number}" for number in range(MOST)]


def test_ten_queries_whatever_happened(world: World) -> None:
    fail(world)
    with CaptureQueriesContext(connection) as captured:
        differences(world.site, world.now - timedelta(hours=1), world.now + timedelta(seconds=1))
    assert len(captured) <= 10


def test_times_are_checked(client: Client) -> None:
    reply = client.get("/api/v1/differences", {"start": "now", "end": "now-1h"})
    assert (reply.status_code, reply.json()["fields"]) == (400, {"start": "expected a time before end"})


def test_any_part_of_a_history_has_its_net_difference(world: World) -> None:
    events, base = 7, world.now + timedelta(days=1)
    kinds = [EventKind.PORT_UP if number % 2 else EventKind.PORT_DOWN for number in range(events)]
    times = [base + timedelta(seconds=number) for number in range(events)]
    Event.objects.bulk_create(
        Event(site=world.site, kind=kind, at=at, subject="x:p1", message="")
        for kind, at in zip(kinds, times, strict=True)
    )
    just = timedelta(milliseconds=1)
    for first, last in combinations(range(events), 2):
        part = kinds[first : last + 1]
        found = differences(world.site, times[first] - just, times[last])
        net = [] if len(part) % 2 == 0 else [(BECAME[part[0]][0], BECAME[part[-1]][1])]
        assert [(item.before, item.after) for item in found.ports.items] == net
        assert found.returned == (0 if net else 1)
