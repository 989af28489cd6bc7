"""Two sites with an object of every kind, so that each operation of the API has something to act on."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F

from backstay.accounts.saved_views import ViewSpec, create_view
from backstay.alerts import rule_editing, services
from backstay.alerts.models import (
    CalendarFeed,
    Channel,
    Delivery,
    Notification,
    NotificationRoute,
    Schedule,
)
from backstay.alerts.rule_editing import Author
from backstay.alerts.wallboards import services as wallboards
from backstay.alerts.windows import services as windows
from backstay.alerts.windows.recurrence import Recurrence
from backstay.alerts.windows.services import Target, WindowSpec
from backstay.api.tests.world import World, person
from backstay.core.alerting.metric_limits import MetricLimitSpec
from backstay.core.alerting.overrides import ScopedOverride
from backstay.core.alerting.wallboard import TextSize, WallboardPage, WallboardSpec, WallboardTheme
from backstay.inventory.models import Circuit, Fabric, Node, Site
from backstay.policy.models import ArpPolicy, FailoverPolicy
from backstay.rollout.capacity import services as capacity
from backstay.rollout.models import Change, Drill
from backstay.telemetry.export_models import Export
from backstay.telemetry.forecasts import services as forecasts
from backstay.telemetry.recording_models import DeviceRecording
from backstay.throughput import services as throughput
from backstay.throughput.models import TestRun
from backstay.throughput.plan_spec import TestPlanSpec

DAY = timedelta(days=1)
OWN = {"name": "by-hand", "prefix": "10.9.0.0/24", "detection": "checker"}
"""A policy that an operator keeps."""
WALLBOARD = WallboardSpec("control room", tuple(WallboardPage), 20, WallboardTheme.DARK, TextSize.NORMAL)
CALENDAR_TOKEN = "a-token-of-a-calendar"
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
    author = Author(None)
    override = ScopedOverride("role", "gateway", severity="critical")
    rule_editing.set_override(world.site, "saturation", override, author, world.now)
    limit = MetricLimitSpec("hot", "entity.temperature", above=True, raise_at=60.0, clear_at=55.0)
    rule_editing.set_limit(world.site, limit, author, world.now)
    policy = FailoverPolicy.objects.create(site=world.site, origin="operator", **OWN)
    Node.objects.filter(pk=world.node("grf1").pk).update(extension={"port": "gt000"})
    Site.objects.filter(pk=world.site.pk).update(version=F("version") + 1)
    capacity.refresh(Site.objects.get(pk=world.site.pk), world.now)
    forecasts.refresh(Site.objects.get(pk=world.site.pk), world.now)
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
    DeviceRecording.objects.create(
        node=world.node("grf1"), person="tester", asked_at=world.now, until=world.now + DAY
    )
    _notifications(world)
    Change.objects.create(
        site=world.site, kind="policies", title="Draft", since=world.now, created_at=world.now
    )
    recurrence = Recurrence(world.now - timedelta(minutes=1), 3600, "Europe/Zurich", "FREQ=WEEKLY")
    spec = WindowSpec("spare cables", recurrence, (Target("node", world.node("onyx1").pk),))
    windows.create(world.site, spec, person("planner", None), world.now)
    CalendarFeed.objects.create(
        site=world.site, name="on-call", digest=windows.digest_of(CALENDAR_TOKEN), created_at=world.now
    )
    wallboards.create_wallboard(world.site, WALLBOARD, None, person("hanger", None), world.now)
    shared = ViewSpec("hot links", is_shared=True)
    create_view(person("saver", None), world.site.name, "links", shared, world.now)
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
