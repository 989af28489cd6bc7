"""Redundancy that is lost while paths work, and failback that is overdue."""

from __future__ import annotations

import pytest

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.api.tests.world import World
from backstay.core.model.progress import Phase
from backstay.policy.models import FailoverPolicy

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]


def shown(kind: str) -> list[str]:
    return list(Incident.objects.filter(phase=Phase.OPEN, rule__kind=kind).values_list("title", flat=True))


def report(
    world: World, seconds: float, active: str, alive: dict[str, bool], forwards: dict[str, bool] | None = None
) -> None:
    """Every compute node's path, and samples of all nodes, then a round."""
    world.forward(seconds)
    world.sample()
    nodes = [name for name in world.devices() if name.startswith("sp")]
    world.report([world.path(name, "sp-default", active, alive=alive, forwards=forwards) for name in nodes])
    services.run_round(world.now)


def test_working_paths_without_a_standby_open_after_half_a_minute(world: World) -> None:
    alone = {"grf1": True, "atmgw": False}
    report(world, 2, "grf1", alone)
    assert shown("redundancy_lost") == []
    report(world, 31, "grf1", alone)
    assert shown("redundancy_lost") == ["sp-default: 3 of 3 nodes have no working standby"]
    report(world, 2, "grf1", {"grf1": True, "atmgw": True})
    assert shown("redundancy_lost") == []


def test_lost_redundancy_is_an_effect_of_the_gateway_that_failed(world: World) -> None:
    world.forward()
    world.fail_over()
    for seconds in (2, 31, 2):
        report(world, seconds, "atmgw", {"grf1": False, "atmgw": True})
    assert shown("redundancy_lost") == ["sp-default: 3 of 3 nodes have no working standby"]
    incident = Incident.objects.get(rule__kind="redundancy_lost")
    assert incident.cause is not None
    assert incident.cause.node == world.node("grf1")


def test_failback_is_overdue_once_the_gateway_worked_for_five_minutes(world: World) -> None:
    world.forward()
    world.fail_over()
    report(world, 2, "atmgw", {"grf1": False, "atmgw": True})
    back = {"grf1": True, "atmgw": True}
    report(world, 2, "atmgw", back, forwards={"grf1": True})
    report(world, 290, "atmgw", back, forwards={"grf1": True})
    assert shown("failback_overdue") == []
    report(world, 20, "atmgw", back, forwards={"grf1": True})
    assert shown("failback_overdue") == ["sp-default: 3 nodes still on atmgw, although grf1 works"]
    report(world, 2, "grf1", back)
    assert shown("failback_overdue") == []


def test_manual_failback_has_a_day(world: World) -> None:
    FailoverPolicy.objects.filter(name="sp-default").update(timers={"revert": "manual"})
    world.site.version += 1
    world.site.save()
    world.forward()
    world.fail_over()
    report(world, 2, "atmgw", {"grf1": True, "atmgw": True}, forwards={"grf1": True})
    report(world, 3600, "atmgw", {"grf1": True, "atmgw": True}, forwards={"grf1": True})
    assert shown("failback_overdue") == []
    report(world, 86_400, "atmgw", {"grf1": True, "atmgw": True}, forwards={"grf1": True})
    assert len(shown("failback_overdue")) == 1
