"""Mail about a link has its load as an image; other messages have none."""

from __future__ import annotations

import struct

import pytest

from backstay.alerts import services
from backstay.alerts.models import Incident, Notification
from backstay.alerts.notify import incident_chart
from backstay.alerts.notify.messages import content
from backstay.alerts.tests.rules.test_load_rules import report
from backstay.alerts.tests.test_rounds import FULL, rounds
from backstay.api.tests.world import World

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]


def message(world: World) -> Notification:
    """A message about everything that is open."""
    rows = list(Incident.objects.filter(phase="open").select_related("rule", "node").order_by("pk"))
    return Notification.objects.create(
        site=world.site, reason="opened", content=content(rows, {}), created_at=world.now
    )


def test_saturated_link_is_drawn_in_its_direction(world: World) -> None:
    rounds(world, 6, FULL)
    incident = Incident.objects.get(rule__kind="saturation", phase="open")
    png = incident_chart.incident_chart(message(world), world.now)
    assert png is not None
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (1000, 380)
    points = incident_chart._points(incident, world.now)
    known = [value for _, value in points if value is not None]
    assert incident.value is not None
    assert max(known) == pytest.approx(incident.value, rel=0.1)


def test_faulty_link_is_drawn_in_its_busier_direction_without_a_limit(world: World) -> None:
    for _ in range(4):
        report(world, "grf1", {"in_errors": {"ga030": 50}, "in_packets": {"ga030": 950}})
    incident = Incident.objects.get(rule__kind="port_errors", phase="open")
    assert incident.direction == ""
    assert incident.threshold is not None
    png = incident_chart.incident_chart(message(world), world.now)
    assert png is not None
    assert png.startswith(b"\x89PNG")
    assert any(value for _, value in incident_chart._points(incident, world.now))


def test_messages_without_a_link_have_none(world: World) -> None:
    world.fail_over()
    services.run_round(world.now)
    assert Incident.objects.filter(phase="open").exists()
    assert incident_chart.incident_chart(message(world), world.now) is None
