"""Two sites with an object of every kind, so that each operation of the API has something to act on."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F

from backstay.alerts import services
from backstay.alerts.models import Channel, Delivery, Notification, NotificationRoute, Schedule
from backstay.api.tests.world import World, person
from backstay.inventory.models import Circuit, Fabric, Node, Site
from backstay.policy.models import ArpPolicy, FailoverPolicy
from backstay.rollout.models import Change, Drill
from backstay.telemetry.export_models import Export
from backstay.telemetry.recording_models import DeviceRecording
from backstay.throughput import services as throughput
from backstay.throughput.models import TestRun
from backstay.throughput.plan_spec import TestPlanSpec

DAY = timedelta(days=1)
OWN = {"name": "by-hand", "prefix": "10.9.0.0/24", "detection": "checker"}
"""A policy that an operator keeps."""
VERDICT = {
    "name": "inconclusive",
    "confidence": "low",
    "sentence": "Inconclusive.",
    "remedy": "",
    "evidence": [],
    "numbers": {},
    "suspect": "",
}


def full_site() -> World:
    """Create the rows; the site has an incident, the other site has none."""
    world = World.make()
    world.describe()
    world.all_paths()
    World.make(name="elsewhere")
    world.forward()
    world.fail_over()
    services.run_round(world.now)
    policy = FailoverPolicy.objects.create(site=world.site, origin="operator", **OWN)
    Node.objects.filter(pk=world.node("grf1").pk).update(extension={"port": "gt000"})
    Site.objects.filter(pk=world.site.pk).update(version=F("version") + 1)
    hops = [
        {"node": "grf1", "in": None, "out": {"port": "ga030", "label": "0/130"}, "shape": None},
        {"node": "origin1", "in": {"port": "at0", "label": "0/130"}, "out": None, "shape": None},
    ]
    Circuit.objects.create(site=world.site, name="grf-origin", kind="pvc", hops=hops)
    hippi = Fabric.objects.get(site=world.site, name="hippi")
    ArpPolicy.objects.create(site=world.site, fabric=hippi)
    Drill.objects.create(policy=policy, seconds=30, at=world.now + DAY, since=world.now)
    meshed = TestPlanSpec("mesh", "mesh", ("sp01", "sp02"), (), {"kind": "tcp", "duration_s": 5}, "sp-switch")
    plan = throughput.create_plan(world.site, meshed, person("tester", None), world.now)
    run = throughput.request_run(plan, "tester", world.now)
    TestRun.objects.filter(pk=run.pk).update(verdict=VERDICT)
    run.cells.filter(index=1).update(state="done", measured={"rate": 95e6})
    Export.objects.create(
        site=world.site,
        person="tester",
        format="csv",
        level="auto",
        start=world.now - DAY,
        end=world.now,
        created_at=world.now,
    )
    _notifications(world)
    DeviceRecording.objects.create(
        node=world.node("grf1"), person="tester", asked_at=world.now, until=world.now + DAY
    )
    Change.objects.create(
        site=world.site, kind="policies", title="Draft", since=world.now, created_at=world.now
    )
    return world


def _notifications(world: World) -> None:
    """A channel that no route uses, a route, a schedule, and a message that was not delivered."""
    now = world.now
    channel = Channel.objects.create(
        site=world.site, name="hook", kind="webhook", config={"url": "http://127.0.0.1:9/"}, changed_at=now
    )
    NotificationRoute.objects.create(site=world.site, name="everything", changed_at=now)
    Schedule.objects.create(
        site=world.site, name="primary", zone="UTC", starts_on=now.date(), handover="09:00:00", changed_at=now
    )
    message = Notification.objects.create(
        site=world.site, reason="opened", content={"incidents": [], "more": 1}, created_at=now
    )
    Delivery.objects.create(
        notification=message,
        channel=channel,
        target="hook",
        status="failed",
        reason="Refused.",
        next_at=now,
        created_at=now,
        ended_at=now,
    )
