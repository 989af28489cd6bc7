"""Checker decisions, stored with evidence and recorded; gateway order of stripes."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from backstay.api.tests.world import World
from backstay.policy import path_history, path_states
from backstay.policy.models import Decision, Path
from backstay.policy.selectors import paths, policies, watches
from backstay.telemetry.models import Event
from backstay_wire import DecisionReport


def decide(world: World, reason: str, before: str, after: str, **more: object) -> None:
    reported = {
        **world._head("sp01"),
        "policy": "sp-default",
        "prefix": "0.0.0.0/0",
        "reason": reason,
        "from_gateway": before,
        "to_gateway": after,
        "evidence": "3 of 3 probes lost in 150 ms",
        "took_ms": 2.1,
        **more,
    }
    world.report([DecisionReport.model_validate(reported)])


def test_decision_is_stored_and_recorded_as_an_event(world: World) -> None:
    decide(world, "failed", "grf1", "atmgw", held_back=3)
    event = Event.objects.get(kind="path.decision")
    assert event.message == (
        "sp01: 0.0.0.0/0: checker: grf1 is down, atmgw is active: 3 of 3 probes lost in 150 ms;"
        " effective after 2.1 ms; 3 switches suppressed before"
    )
    assert (event.severity, event.data["evidence"]) == ("warning", "3 of 3 probes lost in 150 ms")
    assert Decision.objects.get().path.node.name == "sp01"


def test_checker_start_is_not_a_decision(world: World) -> None:
    decide(world, "start", "grf1", "grf1")
    assert not Decision.objects.exists()
    assert not Event.objects.filter(kind="path.decision").exists()


def test_decision_on_a_removed_policy_is_skipped(world: World) -> None:
    decide(world, "failed", "grf1", "atmgw", policy="nobody-knows")
    assert not Decision.objects.exists()


def test_newest_decision_of_each_path(world: World) -> None:
    decide(world, "failed", "grf1", "atmgw")
    world.forward()
    decide(world, "recovered", "atmgw", "grf1")
    found = path_history.decided([path.id for path in paths(world.site)])
    assert [item.reason for item in found.values()] == ["recovered"]


def test_time_on_fallback_covers_the_last_day_only(world: World) -> None:
    path = Path.objects.get(node__name="sp01")
    walk = [(-26, "grf1", "atmgw"), (-20, "atmgw", "grf1"), (-2, "grf1", "atmgw"), (-1, "atmgw", "grf1")]
    for hours, before, after in walk:
        path.switches.create(
            uid=f"00000000-0000-4000-8000-0000000000{-hours:02}",
            at=world.now + timedelta(hours=hours),
            from_gateway=before,
            to_gateway=after,
            outage_ms=100.0 - hours,
            probe_interval_ms=50,
        )
    history = path_history.history_of(path_states.paths(world.site, world.now).get(pk=path.pk))
    assert history.fallback_24h_s == pytest.approx(4 * 3600 + 3600)
    assert (history.switches_24h, history.switches_7d) == (3, 4)


def test_path_on_fallback_since_long_was_away_all_day(world: World) -> None:
    path = Path.objects.get(node__name="sp01")
    path.active, path.active_text = world.node("atmgw"), "atmgw"
    path.since = world.now - timedelta(days=3)
    path.save()
    history = path_history.history_of(path_states.paths(world.site, world.now).get(pk=path.pk))
    assert history.fallback_24h_s == pytest.approx(86_400)


def test_gateway_liveness_has_its_time(world: World) -> None:
    path = Path.objects.get(node__name="sp01")
    first = path.liveness["atmgw"]["since"]
    world.forward()
    world.all_paths()
    path.refresh_from_db()
    assert path.liveness["atmgw"]["since"] == first
    world.forward()
    world.report([world.path("sp01", "sp-default", "grf1", alive={"grf1": True, "atmgw": False})])
    path.refresh_from_db()
    since = datetime.fromisoformat(path.liveness["atmgw"]["since"])
    assert abs(since - world.now) < timedelta(milliseconds=1)


def test_stripe_node_monitors_its_own_gateway_order(world: World) -> None:
    path = Path.objects.get(node__name="sp01")
    path.order = [world.node("atmgw").pk, world.node("grf1").pk]
    path.save()
    assert [name for name, _ in watches(world.node("sp01"))[0].gateways] == ["atmgw", "grf1"]
    assert [name for name, _ in watches(world.node("sp02"))[0].gateways] == ["grf1", "atmgw"]
    known = policies(world.site)
    mine = next(item for item in paths(world.site) if item.id == path.pk)
    assert mine.on_fallback(known[mine.policy_id])
    world.forward()
    world.report([world.path("sp01", "sp-default", "atmgw", switch=world.switch("grf1", "atmgw"))])
    assert Event.objects.get(kind="path.switched").severity == "ok"
