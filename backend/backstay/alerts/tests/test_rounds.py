"""Rounds over a site: incidents that open and resolve, and their root causes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backstay.alerts import services
from backstay.alerts.models import Flip, Incident, SiteRound, SiteRule
from backstay.api.tests.world import World, person
from backstay.core.errors import Conflict
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.telemetry.models import Event, NodeState

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]

FULL = {"grf1": {"ga030": (1e6, 53e6)}, "origin1": {"at0": (53e6, 1e6)}}


def rounds(world: World, count: int, rates: Any = None) -> None:
    """Advance time, report everything, and evaluate."""
    for _ in range(count):
        world.forward()
        world.sample(rates)
        services.run_round(world.now)


def shown() -> list[Incident]:
    return list(Incident.objects.filter(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED]).order_by("pk"))


def titles() -> list[str]:
    return [incident.title for incident in shown()]


def test_quiet_site_has_no_incidents(world: World) -> None:
    rounds(world, 3)
    assert Incident.objects.count() == 0
    assert SiteRound.objects.get().took_ms > 0


def test_saturated_link_raises_one_incident_for_its_direction_and_clears(world: World) -> None:
    rounds(world, 2, FULL)
    assert titles() == []
    rounds(world, 4, FULL)
    (incident,) = shown()
    assert incident.title == "grf1:ga030 -> origin1:at0 is at 99 % of 53.8 Mb/s"
    assert (incident.direction, incident.link) == ("forward", world.link("grf1:ga030"))
    assert incident.value == pytest.approx(53e6 / 53.8e6, abs=1e-3)
    rounds(world, 2)
    assert len(shown()) == 1
    rounds(world, 1)
    assert shown() == []
    flips = list(Flip.objects.order_by("pk").values_list("from_phase", "to_phase"))
    assert flips == [("pending", "open"), ("open", "resolved")]
    kinds = list(Event.objects.filter(incident_id=incident.pk).order_by("pk").values_list("kind", flat=True))
    assert kinds == ["incident.opened", "incident.resolved"]


def test_saturated_link_lists_the_rate_at_both_ends_and_which_of_them_contradicts(world: World) -> None:
    """grf1 is polled by mgmt1; origin1 measures by itself, and receives little of it."""
    lossy = {"grf1": FULL["grf1"]}
    rounds(world, 4, lossy)
    (incident,) = shown()
    found = [(item["source"], item["text"], item["by"], item["supports"]) for item in incident.evidence]
    assert found == [
        ("snmp", "grf1:ga030 sends 53 Mb/s, 99 % of the usable rate", "mgmt1", True),
        ("report", "origin1:at0 receives 1 Mb/s, 1.9 % of the usable rate", "origin1", False),
    ]
    before = incident.evidence[0]["at"]
    rounds(world, 1, lossy)
    (incident,) = shown()
    assert incident.evidence[0]["at"] > before, "evidence is of now, although the title keeps the value"


def test_peak_of_two_samples_creates_no_incident(world: World) -> None:
    rounds(world, 2, FULL)
    rounds(world, 1)
    assert Incident.objects.count() == 0
    assert Flip.objects.count() == 0


def test_evaluation_without_new_samples_changes_nothing(world: World) -> None:
    rounds(world, 2, FULL)
    for _ in range(5):
        services.run_round(world.now)
    assert shown() == []
    rounds(world, 1, FULL)
    before = list(Incident.objects.values("phase", "bad", "title", "opened_at"))
    for _ in range(3):
        services.run_round(world.now)
    assert list(Incident.objects.values("phase", "bad", "title", "opened_at")) == before
    assert Flip.objects.count() == 1


def test_stale_metrics_neither_raise_nor_clear(world: World) -> None:
    rounds(world, 3, FULL)
    assert len(shown()) == 1
    for _ in range(3):
        world.forward(20)
        services.run_round(world.now)
    assert "saturation" in {incident.rule.kind for incident in shown()}


def test_failover_of_every_node_is_one_incident_with_counts_that_resolves(
    world: World, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    world.forward()
    with django_capture_on_commit_callbacks(execute=True):
        world.fail_over()
    (incident,) = shown()
    assert incident.title == "grf1: 3 of 3 nodes of sp-default are on atmgw"
    assert "No other gateway remains" in incident.detail
    assert (incident.severity, incident.node, incident.paths.count()) == ("critical", world.node("grf1"), 3)
    world.forward()
    with django_capture_on_commit_callbacks(execute=True):
        world.fail_back()
    assert shown() == []
    assert Incident.objects.count() == 1


def test_round_finds_a_previously_missed_failover(world: World) -> None:
    world.forward()
    world.fail_over()
    services.run_round(world.now)
    assert titles() == ["grf1: 3 of 3 nodes of sp-default are on atmgw"]


@pytest.mark.parametrize(
    ("forwards", "text"),
    [
        (True, "10.9.0.1 is reachable through grf1 again; failback is pending."),
        (False, "grf1 is reachable but not forwarding for 3 of 3 nodes."),
        (None, "grf1 is reachable again; whether 10.9.0.1 is reachable through it is not verified yet."),
    ],
)
def test_failback_is_pending_only_if_the_target_is_reachable_through_the_gateway(
    world: World, forwards: bool | None, text: str
) -> None:
    world.forward()
    world.fail_over()
    world.forward()
    alive = {"grf1": True, "atmgw": True}
    through = {} if forwards is None else {"grf1": forwards}
    world.report(
        [world.path(f"sp{n:02}", "sp-default", "atmgw", alive=alive, forwards=through) for n in (1, 2, 3)]
    )
    services.run_round(world.now)
    (incident,) = shown()
    assert incident.detail.startswith(text)
    assert incident.severity == "warning"


def test_unreachable_gateway_becomes_stale_then_the_root_cause(world: World) -> None:
    names = [name for name in world.devices() if name != "grf1"]
    world.fail_over()
    gone = {"grf1": False, "atmgw": True, "router": True}
    move, other = world.switch("grf1", "atmgw"), world.switch("grf1", "router")
    world.report(
        [
            world.path("router", "router-to-sp", "atmgw", alive=gone, switch=move),
            world.path("origin1", "origin1-to-sp", "router", alive=gone, switch=other),
        ]
    )
    for _ in range(5):
        world.forward()
        world.report([world.samples(name) for name in names])
        services.run_round(world.now)
    assert NodeState.objects.get(node=world.node("grf1")).stale_since is not None
    by_kind = {incident.rule.kind: incident for incident in shown()}
    assert set(by_kind) == {"gateway_unreachable", "node_stale", "gateway_failed_over"}
    root = by_kind["gateway_unreachable"]
    assert root.title == "grf1 is unreachable: 5 paths rerouted to atmgw and router"
    assert by_kind["node_stale"].title == "grf1 is not reporting"
    assert [by_kind[kind].cause for kind in ("gateway_failed_over", "node_stale")] == [root, root]
    assert root.cause is None
    kinds = set(Event.objects.filter(node=world.node("grf1")).values_list("kind", flat=True))
    assert {"node.stale", "incident.opened"} <= kinds
    world.fail_back()
    world.all_paths()
    rounds(world, 1)
    assert shown() == []
    assert Event.objects.filter(kind="node.reporting", node=world.node("grf1")).count() == 1


def test_path_without_target_for_3_s_is_an_incident(world: World) -> None:
    dead = [world.path("sp02", "sp-default", "grf1", target_alive=False)]
    world.forward()
    world.report([world.path("sp02", "sp-default", "grf1", target_alive=False)])
    services.run_round(world.now)
    assert titles() == []
    rounds(world, 2)
    assert titles() == ["sp-default: 1 of 3 nodes cannot reach 10.9.0.1"]
    assert dead[0].target_alive is False
    world.report([world.path("sp02", "sp-default", "grf1")])
    services.run_round(world.now)
    assert titles() == []


def test_disabled_rule_resolves_its_incidents(world: World) -> None:
    rounds(world, 3, FULL)
    SiteRule.objects.filter(kind="saturation").update(enabled=False)
    rounds(world, 1, FULL)
    assert shown() == []


def test_removed_link_resolves_its_incidents(world: World) -> None:
    rounds(world, 3, FULL)
    world.link("grf1:ga030").delete()
    world.site.version += 1
    world.site.save()
    rounds(world, 1)
    assert shown() == []


def test_incident_is_acknowledged_once(world: World) -> None:
    rounds(world, 3, FULL)
    (incident,) = shown()
    operator = person("olga", Role.OPERATOR)
    services.acknowledge(incident, operator, "on it", world.now)
    (taken,) = shown()
    assert (taken.phase, taken.acknowledged_by, taken.comment) == ("acknowledged", operator, "on it")
    with pytest.raises(Conflict):
        services.acknowledge(incident, operator, "again", world.now)
    assert Event.objects.get(kind="incident.acknowledged").message.startswith("olga acknowledged: grf1:ga030")
    rounds(world, 3)
    assert Incident.objects.get(pk=incident.pk).phase == "resolved"
