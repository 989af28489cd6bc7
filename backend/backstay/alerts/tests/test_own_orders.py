"""Nodes of one policy with different preferred gateways: each failure is a separate incident."""

from __future__ import annotations

import pytest
from django.db.models import F

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.api.tests.world import World
from backstay.inventory.models import Site
from backstay.policy.models import FailoverPolicy, Path


@pytest.fixture
def world(db: None) -> World:
    """sp01 prefers atmgw, sp02 and sp03 grf1."""
    world = World.make()
    world.describe()
    order = [world.node("atmgw").pk, world.node("grf1").pk]
    Path.objects.filter(node__name="sp01", policy__name="sp-default").update(order=order)
    world.all_paths()
    world.report([world.path("sp01", "sp-default", "atmgw", alive={"grf1": True, "atmgw": True})])
    return world


def titles() -> list[str]:
    rows = Incident.objects.filter(rule__kind="gateway_failed_over").exclude(phase="resolved")
    return sorted(rows.values_list("title", flat=True))


def test_node_with_another_preferred_gateway_is_not_on_fallback(world: World) -> None:
    services.run_round(world.now)
    assert titles() == []


def test_nodes_are_counted_per_gateway(world: World) -> None:
    world.forward()
    alive = {"grf1": False, "atmgw": True}
    moved = world.switch("grf1", "atmgw")
    world.report([world.path("sp02", "sp-default", "atmgw", alive=alive, switch=moved)])
    services.run_round(world.now)
    assert titles() == ["grf1: 1 of 2 nodes of sp-default is on atmgw"]
    world.forward()
    back = world.switch("atmgw", "grf1")
    world.report(
        [world.path("sp01", "sp-default", "grf1", alive={"grf1": True, "atmgw": False}, switch=back)]
    )
    services.run_round(world.now)
    assert titles() == [
        "atmgw: 1 of 1 node of sp-default is on grf1",
        "grf1: 1 of 2 nodes of sp-default is on atmgw",
    ]


def undeploy(policy: str) -> None:
    """The policy becomes an operator's draft."""
    FailoverPolicy.objects.filter(name=policy).update(origin="operator")
    Site.objects.update(version=F("version") + 1)


def test_undeployed_policy_causes_no_incident_on_its_fallback(world: World) -> None:
    undeploy("sp-default")
    alive = {"grf1": True, "atmgw": True}
    world.forward()
    world.report(
        [world.path("sp02", "sp-default", "atmgw", alive=alive, switch=world.switch("grf1", "atmgw"))]
    )
    services.run_round(world.now)
    assert titles() == []


def test_undeployed_policy_causes_no_incident_of_any_kind(world: World) -> None:
    undeploy("sp-default")
    nodes = ("sp01", "sp02", "sp03")
    dead = {"grf1": False, "atmgw": False}
    world.forward()
    world.report([world.path(node, "sp-default", "", alive=dead, target_alive=False) for node in nodes])
    world.forward(20)
    world.sample()
    world.report([world.path(node, "sp-default", "grf1", alive=dead, target_alive=False) for node in nodes])
    world.forward(20)
    world.sample()
    services.run_round(world.now)
    assert list(Incident.objects.exclude(phase="resolved").values_list("title", flat=True)) == []
