"""Nodes of one policy with different gateways at home: the failure of each is an incident of its own."""

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
    """sp01 is at home on atmgw, sp02 and sp03 on grf1."""
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


def test_a_node_at_home_on_another_gateway_is_not_on_its_fallback(world: World) -> None:
    services.run_round(world.now)
    assert titles() == []


def test_each_gateways_nodes_are_counted_apart(world: World) -> None:
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


def test_an_operators_policy_that_no_change_brought_about_has_no_home_to_leave(world: World) -> None:
    FailoverPolicy.objects.filter(name="sp-default").update(origin="operator")
    Site.objects.update(version=F("version") + 1)
    alive = {"grf1": True, "atmgw": True}
    world.forward()
    world.report(
        [world.path("sp02", "sp-default", "atmgw", alive=alive, switch=world.switch("grf1", "atmgw"))]
    )
    services.run_round(world.now)
    assert titles() == []
