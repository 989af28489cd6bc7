"""Clocks from reports to incidents: a device whose clock steps back a month, its data, and the correction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.alerts.selectors.incident_charts import IncidentCharts, incident_charts
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.tests.world import World, bearer, person
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.models import Event

DAY = 86_400
MONTH = -31 * DAY
Commit = Callable[..., Any]


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    world.sample()
    return world


def report(world: World, offset_s: float, commit: Commit, *, uptime_s: float = 5000.0) -> None:
    """Advance by an interval, and report grf1 with its clock."""
    world.forward()
    clock = nanoseconds(world.now + timedelta(seconds=offset_s))
    report = world.device("grf1").model_copy(
        update={"clock": clock, "clock_error": 510_000_000, "uptime_s": uptime_s}
    )
    with commit(execute=True):
        world.report([report])


def clock_incidents() -> list[Incident]:
    return list(Incident.objects.filter(rule__kind="clock").exclude(phase=Phase.RESOLVED))


def test_clock_a_month_back_after_a_reboot_is_an_incident_until_corrected(
    world: World, django_capture_on_commit_callbacks: Commit
) -> None:
    commit = django_capture_on_commit_callbacks
    report(world, 0.2, commit)
    assert clock_incidents() == []
    report(world, MONTH, commit, uptime_s=1.0)
    (found,) = clock_incidents()
    assert (found.title, found.severity) == ("grf1: clock 31 d behind since its reboot", "critical")
    assert found.detail.startswith("Its clock went back 31 d at its reboot. Reported by hrSystemDate, +/-")
    assert "stamped with the time of receipt" in found.detail
    drawn = incident_charts(found, SiteSnapshot(world.site, world.now))
    assert drawn == IncidentCharts([], [], [], clock=world.node("grf1"))
    (item,) = found.evidence
    assert (item["source"], item["by"], item["supports"]) == ("snmp", "mgmt1", True)
    assert item["text"] == "hrSystemDate: 31 d behind of the backend, +/- 510 ms"
    assert abs(datetime.fromisoformat(item["at"]) - world.now) < timedelta(milliseconds=1)
    event = Event.objects.get(kind="clock.stepped")
    assert event.message.startswith("grf1: clock went back 31 d at its reboot, from +0.2 s")
    assert event.data["at_reboot"] is True
    services.run_round(world.now)
    assert len(clock_incidents()) == 1
    report(world, 0.1, commit, uptime_s=3.0)
    assert clock_incidents() == []


def test_device_samples_are_dated_by_receive_time_not_device_clock(
    world: World, django_capture_on_commit_callbacks: Commit
) -> None:
    report(world, MONTH, django_capture_on_commit_callbacks)
    world.sample()
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(ts) FROM telemetry_samples WHERE node_id = %s", [world.node("grf1").pk])
        (newest,) = cursor.fetchone()
    assert abs(newest - world.now) < timedelta(milliseconds=1)
    described_at = world.node("grf1").state.described_at
    assert described_at is not None
    assert abs(described_at - world.now) < timedelta(milliseconds=1)


def test_clock_of_an_unreachable_device_is_not_evaluated(
    world: World, django_capture_on_commit_callbacks: Commit
) -> None:
    report(world, 3600, django_capture_on_commit_callbacks)
    services.run_round(world.now)
    assert len(clock_incidents()) == 1
    world.forward(600)
    services.run_round(world.now)
    assert len(clock_incidents()) == 1


def test_clocks_are_listed_by_offset_with_source_error_and_history(
    world: World,
    client: Client,
    django_capture_on_commit_callbacks: Commit,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report(world, 0.2, django_capture_on_commit_callbacks)
    report(world, MONTH, django_capture_on_commit_callbacks)
    headers = bearer(person("ada", Role.VIEWER))
    monkeypatch.setattr("backstay.api.clocks.router.timezone.now", lambda: world.now)
    reply = client.get("/api/v1/clocks", headers=headers)
    assert reply.status_code == 200, reply.content
    (clock,) = reply.json()["items"]
    assert (clock["node"], clock["source"], clock["state"]) == ("grf1", "hrSystemDate", "critical")
    assert clock["offset_s"] == pytest.approx(MONTH, abs=0.01)
    assert clock["error_s"] == pytest.approx(0.51)
    assert clock["text"] == "31 d behind"
    assert clock["step"]["at_reboot"] is False
    assert [round(point["offset_s"], 1) for point in clock["recent"]] == [0.2, MONTH]
    assert clock["incident"]["title"] == "grf1: clock 31 d behind"
    assert "whole seconds" in clock["explanation"]
    assert client.get("/api/v1/clocks?node=sp01", headers=headers).json()["items"] == []
    (node,) = [
        item
        for item in client.get("/api/v1/nodes", headers=headers).json()["items"]
        if item["name"] == "grf1"
    ]
    assert node["clock_text"] == "clock 31 d behind"
