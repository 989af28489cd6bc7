"""A device that raises many alarms at once has one incident and hides neither others nor earlier ones."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

import pytest

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.api.tests.world import World
from backstay.core.model.progress import Phase
from backstay.core.thresholds import INCIDENTS_PER_DEVICE
from backstay.telemetry.alarm_models import Alarm
from backstay.telemetry.ingest.clock import nanoseconds
from backstay_wire import Notice, NoticeReport

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]
STORM = 100


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    return world


def notify(world: World, device: str, name: str, subjects: Iterable[str], severity: str = "warning") -> None:
    """The device sends these notices; then a round."""
    at = nanoseconds(world.forward(2))
    notices = [
        Notice(at=at, source="trap", name=name, severity=severity, subject=subject, text=f"{subject} {name}")
        for subject in subjects
    ]
    boot = uuid.uuid4()
    world.report([NoticeReport(boot=boot, seq=1, device=device, at=at, notices=notices)])
    services.run_round(world.now)


def pvcs(first: int, last: int) -> list[str]:
    return [f"at0 0/{number}" for number in range(first, last + 1)]


def shown() -> list[Incident]:
    rows = Incident.objects.filter(rule__kind="device_alarm").exclude(
        phase__in=[Phase.RESOLVED, Phase.PENDING]
    )
    return list(rows.order_by("pk"))


def test_as_many_alarms_as_the_limit_have_an_incident_each(world: World) -> None:
    notify(world, "grf1", "pvc_down", pvcs(1, INCIDENTS_PER_DEVICE))
    assert len(shown()) == INCIDENTS_PER_DEVICE


def test_many_alarms_of_a_device_are_one_incident_that_counts_them(world: World) -> None:
    notify(world, "grf1", "pvc_down", pvcs(1, STORM))
    assert Alarm.objects.count() == STORM, "each alarm is stored"
    (storm,) = shown()
    assert (storm.title, storm.value) == (f"grf1: {STORM} alarms (pvc down)", STORM)
    assert (storm.severity, storm.node) == ("warning", world.node("grf1"))
    notify(world, "grf1", "card_down", ["card 3"], "critical")
    (storm,) = shown()
    assert storm.title == f"grf1: {STORM + 1} alarms (card down and pvc down)"
    assert storm.severity == "critical"
    assert "The newest: card 3 card_down" in storm.detail


def test_a_storm_of_one_device_hides_no_other_device(world: World) -> None:
    notify(world, "grf1", "pvc_down", pvcs(1, STORM))
    notify(world, "atmgw", "card_down", ["card 1"], "critical")
    assert [row.subject for row in shown()] == ["grf1", "atmgw:card 1"]


def test_incidents_from_before_the_storm_stay_and_the_storm_ends_with_its_last_alarm(world: World) -> None:
    notify(world, "grf1", "card_down", ["card 1", "card 2"], "critical")
    first = shown()
    assert len(first) == 2
    notify(world, "grf1", "pvc_down", pvcs(1, STORM))
    assert shown()[:2] == first
    assert [row.title for row in shown()[2:]] == [f"grf1: {STORM} alarms (pvc down)"]
    notify(world, "grf1", "pvc_up", pvcs(3, STORM))
    assert [row.title for row in shown()[2:]] == ["grf1: 2 alarms (pvc down)"], "no split below the limit"
    notify(world, "grf1", "pvc_up", pvcs(1, 2))
    assert shown() == first
    assert Incident.objects.filter(rule__kind="device_alarm").count() == 3
