"""From the reported state of a part to the incident and its resolution, and states left to other rules."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.api.tests.world import World, kept
from backstay.core.model.progress import Phase
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.models import Event, MetricSet, NodeState
from backstay.telemetry.selectors.unhealthy_states import unhealthy_states
from backstay.telemetry.states import metrics
from backstay_wire import MetricReport, MetricValue, Notice, NoticeReport

pytestmark = pytest.mark.slow

GOOD = MetricValue(subject="card 3 (ATM OC-12)", metric="grf.card_state", value="running")
PANIC = GOOD.model_copy(update={"value": "panic"})


@pytest.fixture(scope="module")
def quiet(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make()
        world.describe()
        world.sample()
        services.run_round(world.now)
        yield world


@pytest.fixture
def world(quiet: World, db: None) -> World:
    metrics.forget_layouts()
    return quiet.copy()


def report_metrics(
    world: World, *metrics: MetricValue, device: str = "grf1", collector: str = "snmp"
) -> None:
    """A collector's complete metric set, and samples of every other device."""
    world.seq += 1
    head: dict[str, Any] = {"boot": world.boot, "seq": world.seq, "device": device}
    at = nanoseconds(world.now)
    world.report([MetricReport(**head, at=at, collector=collector, metrics=list(metrics))])


def rounds(world: World, seconds: float, *metrics: MetricValue, step: float = 2) -> None:
    """Advance time in steps; at each, `grf1` reports its metrics and rules are evaluated.

    The others report often enough to stay reachable.
    """
    for number in range(round(seconds / step)):
        world.forward(step)
        if number % 2 == 0 or step > 2:
            world.sample()
        if metrics:
            report_metrics(world, *metrics)
        services.run_round(world.now)


def shown() -> list[Incident]:
    return list(Incident.objects.filter(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED]).order_by("pk"))


def titles() -> list[str]:
    return [incident.title for incident in shown()]


def test_card_in_panic_is_an_incident_until_it_runs(world: World) -> None:
    rounds(world, 4, PANIC)
    assert titles() == []
    rounds(world, 4, PANIC)
    (incident,) = shown()
    assert incident.title == "grf1:card 3: card state is panic"
    assert incident.detail.startswith("Whether the card forwards")
    assert (incident.severity, incident.subject, incident.node) == (
        "critical",
        "grf1:card 3",
        world.node("grf1"),
    )
    rounds(world, 6, GOOD)
    assert len(shown()) == 1
    rounds(world, 6, GOOD)
    assert shown() == []


def test_dead_card_with_48_metrics_is_one_incident(world: World) -> None:
    circuits = [
        MetricValue(subject=f"ga03{n % 2} 0/{32 + n}", metric="atm.vcl", value="down") for n in range(47)
    ]
    rounds(world, 8, PANIC, *circuits)
    assert titles() == ["grf1:card 3: card state is panic, and 47 more"]
    assert "ga030 0/32 circuit is down" in shown()[0].detail
    rounds(world, 4, PANIC, *circuits[:1])
    assert titles() == ["grf1:card 3: card state is panic, and 1 more"]
    rounds(world, 12, GOOD)
    resolved = Event.objects.get(kind="incident.resolved")
    assert resolved.message.endswith("grf1:card 3: card state is panic, and 47 more")


def test_transient_and_flapping_states_open_no_incident(world: World) -> None:
    for _ in range(4):
        rounds(world, 4, PANIC)
        rounds(world, 2, GOOD)
    assert not Incident.objects.filter(rule__kind="device_state").exclude(phase="pending").exists()


def test_open_incident_does_not_flap_with_its_state(world: World) -> None:
    rounds(world, 8, PANIC)
    for _ in range(3):
        rounds(world, 6, GOOD)
        rounds(world, 2, PANIC)
    assert Incident.objects.filter(rule__kind="device_state").count() == 1
    assert len(shown()) == 1


@pytest.mark.parametrize(
    ("item", "title"),
    [
        (MetricValue(metric="grf.temperature", value=2), "grf1: temperature is over-temp"),
        (MetricValue(metric="grf.gated", value=2), "grf1: routing daemon is not-running"),
        (MetricValue(subject="fan tray", metric="entity.sensor", value=3), "grf1:fan tray: "),
        (MetricValue(subject="ga030 0/32", metric="atm.vcl", value=2), "grf1:ga030: circuit is down"),
        (MetricValue(subject="gh010", metric="ps32.oper", value=7), "grf1:gh010: port state is inerror"),
        (MetricValue(subject="ib", metric="ib.sm_state", value="not_active"), "ib: "),
        (
            MetricValue(subject="gh010", metric="ib.link_width", value="degraded"),
            "grf1:gh010-onyx1:hip0: link width is degraded",
        ),
    ],
)
def test_every_state_registered_as_unhealthy_is_an_incident(
    world: World, item: MetricValue, title: str
) -> None:
    rounds(world, 8, item)
    (incident,) = shown()
    assert incident.title.startswith(title)


def test_administrative_states_and_states_of_down_ports_are_ignored(world: World) -> None:
    world.forward(2)
    world.down |= {"grf1:ga030", "origin1:at0"}
    world.describe()
    meant = [
        MetricValue(subject="ga031 0/40", metric="atm.vcl", value="down"),
        MetricValue(subject="ga031 0/40", metric="atm.vcl_admin", value="down"),
        MetricValue(subject="gh010", metric="ps32.admin", value="disable"),
        MetricValue(subject="ga030 0/32", metric="atm.vcl", value="down"),
        MetricValue(subject="", metric="vendor.odd", value="broken"),
        MetricValue(subject="gh010", metric="ps32.rejects", value=7),
    ]
    rounds(world, 8, *meant)
    assert {incident.rule.kind for incident in shown()} == {"port_down"}


def test_state_that_was_read_before_its_port_came_back_is_of_the_port(world: World) -> None:
    degraded = MetricValue(subject="gh010", metric="ib.link_width", value="degraded")
    world.forward(2)
    world.down |= {"grf1:gh010", "onyx1:hip0"}
    world.describe()
    rounds(world, 2, degraded)
    world.forward(2)
    world.down.clear()
    world.describe()
    rounds(world, 10)
    assert shown() == []
    rounds(world, 8, degraded)
    assert [incident.link for incident in shown()] == [world.link("grf1:gh010")]


def test_host_that_answers_from_a_cache_adds_no_incident_to_its_port(world: World) -> None:
    down = MetricValue(subject="device 262150 network interface gh010", metric="host.device", value="down")
    world.down |= {"grf1:gh010", "onyx1:hip0"}
    world.describe()
    world.forward(2)
    world.down.clear()
    world.describe()
    rounds(world, 24, down)
    assert shown() == []
    rounds(world, 40, down)
    assert [incident.title for incident in shown()] == [
        "grf1:device 262150 network interface gh010: device is down"
    ]


def test_both_ends_of_a_link_give_one_incident(world: World) -> None:
    for _ in range(4):
        world.forward(2)
        world.sample()
        for device, port in (("grf1", "gh010"), ("onyx1", "hip0")):
            report_metrics(
                world, MetricValue(subject=port, metric="ib.link_width", value="degraded"), device=device
            )
        services.run_round(world.now)
    (incident,) = shown()
    assert (incident.link, incident.value) == (world.link("grf1:gh010"), 2)


def test_many_simultaneous_failures_are_one_device_incident(world: World) -> None:
    many = [MetricValue(subject=f"sensor {n}", metric="entity.sensor", value=2) for n in range(40)]
    rounds(world, 8, *many)
    (incident,) = shown()
    assert (incident.subject, incident.value) == ("grf1", 40)


def test_old_state_of_an_unreachable_device_is_ignored(world: World) -> None:
    rounds(world, 8, PANIC)
    others = [name for name in world.devices() if name != "grf1"]
    for _ in range(10):
        world.forward(2)
        world.report([world.samples(name) for name in others])
        services.run_round(world.now)
    assert {incident.rule.kind for incident in shown()} == {"device_state", "node_stale"}
    rounds(world, 4)
    assert titles() == ["grf1:card 3: card state is panic"]
    rounds(world, 175, step=7)
    assert titles() == []


def test_incident_of_a_part_no_longer_reported_resolves(world: World) -> None:
    rounds(world, 8, PANIC)
    rounds(world, 14, MetricValue(metric="grf.gated", value="running"))
    assert shown() == []


def test_trap_and_poll_are_one_incident_that_either_resolves(world: World) -> None:
    world.forward(2)
    at = nanoseconds(world.now)
    down = Notice(at=at, source="trap", name="card_down", severity="critical", subject="card 3", text="down")
    world.report([NoticeReport(boot=uuid.uuid4(), seq=1, device="grf1", at=at, notices=[down])])
    rounds(world, 10, PANIC)
    assert [incident.rule.kind for incident in shown()] == ["device_alarm"]
    rounds(world, 2, GOOD)
    assert shown() == []


def test_round_needs_one_query_for_any_number_of_unhealthy_metrics(
    world: World, django_assert_num_queries: Any
) -> None:
    report_metrics(
        world, PANIC, *(MetricValue(subject=f"p{n}", metric="atm.vcl", value="down") for n in range(300))
    )
    with django_assert_num_queries(1):
        assert len(unhealthy_states(world.site)) == 301


def test_metric_set_without_unhealthy_state_is_skipped(world: World) -> None:
    report_metrics(world, PANIC)
    world.forward(2)
    report_metrics(world, GOOD, MetricValue(subject="card 3", metric="grf.circuits", value=0))
    assert unhealthy_states(world.site) == []


def test_renamed_collector_keeps_its_metrics(world: World) -> None:
    report_metrics(world, GOOD, collector="snmp-figures")
    NodeState.objects.filter(node__name="grf1").update(collectors={"snmp-figures": {"outcome": "ok"}})
    import_module("backstay.telemetry.migrations.0019_snmp_metrics").rename(apps, None)
    report_metrics(world, GOOD, collector="snmp-metrics")
    names = MetricSet.objects.filter(node__name="grf1").values_list("collector", "layout__collector")
    assert list(names) == [("snmp-metrics", "snmp-metrics")]
    assert NodeState.objects.get(node__name="grf1").collectors == {"snmp-metrics": {"outcome": "ok"}}
