"""Effects are hidden until their root cause is found, and never become root causes meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstay.alerts import evaluation, services
from backstay.alerts.models import Flip, Incident
from backstay.alerts.rule import Rule
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.event_groups import event_groups
from backstay.alerts.selectors.incidents import CURRENT, ROOT
from backstay.alerts.tests.test_root_causes import CUT, rounds
from backstay.api.tests.world import World
from backstay.core.alerting.root_causes import MAX_WAITS
from backstay.core.model.progress import Phase
from backstay.telemetry.selectors.events import events

pytestmark = pytest.mark.slow

EFFECTS = {rule.kind for rule in RULES.values() if rule.cause_rank in MAX_WAITS}
SPREAD_S = 0.05
"""Between two reports: all have arrived before a link's incident has waited for a round."""


def roots() -> list[Incident]:
    return list(Incident.objects.filter(CURRENT & ROOT).select_related("rule").order_by("pk"))


def reports_of_a_cut(world: World) -> list[Callable[[], None]]:
    """What arrives when grf1 loses all its links: carriers of its neighbours and its own, and paths."""
    alive = {"grf1": False, "atmgw": True}

    def port(name: str) -> Callable[[], None]:
        return lambda: world.describe(name)

    def moved(name: str) -> Callable[[], None]:
        policy = "router-to-sp" if name == "router" else "sp-default"
        return lambda: report(name, policy, "atmgw")

    def report(name: str, policy: str, active: str) -> None:
        move = world.switch("grf1", active)
        world.report([world.path(name, policy, active, alive=alive, switch=move)])

    def dead() -> None:
        world.report(
            [world.path("origin1", "origin1-to-sp", "grf1", alive={"grf1": False}, target_alive=False)]
        )

    ports = [port(name) for name in ("grf1", "origin1", "onyx1", "router")]
    return [*ports, *(moved(name) for name in ("sp01", "sp02", "sp03", "router")), dead]


@contextmanager
def undone(world: World) -> Iterator[None]:
    """Everything is rolled back; meanwhile Django's clock is the world's, however long an example takes."""
    began = world.now
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        patch.setattr(timezone, "now", lambda: world.now)
        try:
            yield
        finally:
            transaction.set_rollback(True)
            world.down.clear()
            world.now = began


def causes_in_events(world: World) -> set[str]:
    """Kinds of the causes that groups of events name."""
    page = event_groups(world.site, events(world.site), 50)
    shown = {group.cause.id for group, _ in page.groups if group.cause is not None}
    return set(Incident.objects.filter(pk__in=shown).values_list("rule__kind", flat=True))


@settings(
    deadline=None,
    max_examples=3,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_no_effect_of_a_cut_gateway_stands_alone_in_any_order_of_reports(
    world: World, data: st.DataObject
) -> None:
    with undone(world):
        world.forward(1)
        world.down |= CUT
        for step in data.draw(st.permutations(reports_of_a_cut(world))):
            step()
            world.forward(SPREAD_S)
            services.run_round(world.now)
            assert {row.rule.kind for row in roots()} & EFFECTS == set()
            assert causes_in_events(world) & EFFECTS == set()
        for _ in range(2):
            rounds(world, 1)
            assert {row.rule.kind for row in roots()} & EFFECTS == set()
        (root,) = roots()
        assert root.title == "grf1 lost all links: 1 path dead, 4 rerouted to atmgw"
        kinds = Incident.objects.filter(CURRENT, cause=root).values_list("rule__kind", flat=True)
        assert sorted(kinds) == [
            *["gateway_failed_over"] * 2,
            "path_dead",
            *["port_down"] * 4,
        ]
        assert causes_in_events(world) == {"gateway_isolated"}


def test_gateway_that_probes_accused_before_its_carriers_remains_the_root(world: World) -> None:
    grf1, origin1, onyx1, router, *moves, dead = reports_of_a_cut(world)
    with undone(world):
        world.forward(1)
        world.down |= CUT
        for step in (router, *moves, onyx1, dead, origin1, grf1):
            step()
            world.forward(SPREAD_S)
            services.run_round(world.now)
            assert {row.rule.kind for row in roots()} & EFFECTS == set()
        assert [row.rule.kind for row in roots()] == ["gateway_isolated"]
        assert Incident.objects.filter(rule__kind="gateway_unreachable", phase=Phase.RESOLVED).exists()


def test_failover_without_a_cause_is_shown_after_two_rounds(world: World) -> None:
    world.report([world.path("sp01", "sp-default", "atmgw", switch=world.switch("grf1", "atmgw"))])
    services.run_round(world.now)
    (row,) = Incident.objects.all()
    assert (row.phase, row.is_waiting, roots(), Flip.objects.count()) == (Phase.PENDING, True, [], 0)
    world.forward(2)
    services.run_round(world.now)
    assert roots() == []
    world.forward(2)
    services.run_round(world.now)
    assert [item.title for item in roots()] == ["grf1: 1 of 3 nodes of sp-default is on atmgw"]
    assert list(Flip.objects.values_list("from_phase", "to_phase")) == [("pending", "open")]


def test_failover_that_is_over_before_is_no_incident(world: World) -> None:
    world.report([world.path("sp01", "sp-default", "atmgw", switch=world.switch("grf1", "atmgw"))])
    services.run_round(world.now)
    world.forward(2)
    world.report([world.path("sp01", "sp-default", "grf1", switch=world.switch("atmgw", "grf1"))])
    services.run_round(world.now)
    assert not Incident.objects.exists()


def test_link_is_shown_after_one_round(world: World) -> None:
    world.forward(1)
    world.down |= {"grf1:ga030", "origin1:at0"}
    world.describe()
    services.run_round(world.now)
    assert roots() == []
    world.forward(2)
    services.run_round(world.now)
    assert [row.rule.kind for row in roots()] == ["port_down"]


def test_effect_of_a_shown_cause_opens_with_its_link_to_it(world: World) -> None:
    world.forward(1)
    world.down |= CUT
    world.describe()
    rounds(world, 2)
    (root,) = roots()
    world.report([world.path("sp01", "sp-default", "atmgw", switch=world.switch("grf1", "atmgw"))])
    services.run_round(world.now)
    moved = Incident.objects.get(rule__kind="gateway_failed_over")
    assert (moved.phase, moved.cause) == (Phase.OPEN, root)


def test_incidents_are_shown_although_the_search_for_causes_fails(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Rule:
        raise RuntimeError("no causes")

    monkeypatch.setattr(evaluation, "explain", broken)
    monkeypatch.setattr(evaluation, "ready", broken)
    world.report([world.path("sp01", "sp-default", "atmgw", switch=world.switch("grf1", "atmgw"))])
    for _ in range(5):
        services.run_round(world.now)
        world.forward(2)
    assert "gateway_failed_over" in {row.rule.kind for row in roots()}
