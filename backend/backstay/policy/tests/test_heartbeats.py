"""Reports without news are stored by two prepared statements, with the same result as by all stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

import backstay_wire
from backstay.api.tests.world import World
from backstay.core.model.freshness import path_max_age_s, path_repeat_s
from backstay.policy import observation
from backstay.policy.heartbeats import read
from backstay.policy.models import FailoverPolicy, Path, PathGap, PathOutage, PolicyGateway
from backstay.policy.observation import observe
from backstay.telemetry.facts import Facts, PathSeen
from backstay.telemetry.models import Event
from backstay_wire import PathReport

UP, HALF = {"grf1": True, "atmgw": True}, {"grf1": True, "atmgw": False}


def path(world: World) -> Path:
    return Path.objects.get(node=world.node("sp01"), policy__name="sp-default")


def heartbeat(world: World, ago_s: float = 0, **changes: Any) -> PathSeen:
    """What is stored, `ago_s` before now, with changes."""
    row = path(world)
    liveness = {
        name: {"alive": gateway["alive"], "rtt_us": 123, "forwards": gateway["forwards"]}
        for name, gateway in row.liveness.items()
    }
    seen = {
        "node_id": row.node_id,
        "policy": "sp-default",
        "active": row.active_text,
        "at": world.now - timedelta(seconds=ago_s),
        "target_alive": row.target_alive,
        "target_rtt_us": 456,
        "liveness": liveness,
        "switch": None,
        **changes,
    }
    return PathSeen(**seen)


def facts(world: World, *paths: PathSeen) -> Facts:
    return Facts(site_id=world.site.pk, received=world.now, paths=list(paths))


def test_heartbeat_is_stored_without_a_query_of_the_orm(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    world.forward(10)
    seen, since = facts(world, heartbeat(world)), path(world).liveness["grf1"]["since"]
    with django_assert_num_queries(0):
        observe(seen)
    row = path(world)
    assert (row.at, row.target_rtt_us) == (world.now, 456)
    assert row.liveness["grf1"] == {"alive": True, "rtt_us": 123, "forwards": None, "since": since}
    assert not seen.has_changed_paths


def test_heartbeats_of_a_backlog_are_stored_together(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    world.forward(60)
    seen = facts(world, *(heartbeat(world, ago_s) for ago_s in (0, 40, 20)))
    with django_assert_num_queries(0):
        observe(seen)
    assert path(world).at == world.now
    assert not PathGap.objects.exists()


def test_heartbeat_with_the_counters_of_a_slow_site_leaves_no_gap(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    world.site.interval_s = 30
    world.site.save()
    world.forward(90)
    seen = facts(world, heartbeat(world))
    with django_assert_num_queries(0):
        observe(seen)
    assert path(world).at == world.now
    assert not PathGap.objects.exists()


@pytest.mark.parametrize("interval_s", [0.0, 2.0, 12.5, 30.0, 60.0, 3600.0])
@pytest.mark.parametrize("probe_interval_ms", [10, 50, 450, 2000, 10_000])
def test_agents_repeat_paths_as_often_as_the_backend_expects(
    interval_s: float, probe_interval_ms: int
) -> None:
    repeat_s = path_repeat_s(probe_interval_ms, interval_s)
    assert repeat_s == backstay_wire.path_repeat_s(probe_interval_ms, interval_s)
    alone_s = repeat_s + min(interval_s, backstay_wire.PATH_REPEAT_MOST_S) / 2
    assert alone_s < 0.7 * path_max_age_s(probe_interval_ms, interval_s), "one that leaves without counters"


def test_one_report_with_news_sends_its_batch_through_all_stages(world: World) -> None:
    world.forward(10)
    dead = heartbeat(world, target_alive=False)
    other = Path.objects.get(node=world.node("sp02"), policy__name="sp-default")
    seen = facts(world, heartbeat(world, node_id=other.node_id), dead)
    observe(seen)
    other.refresh_from_db()
    assert seen.has_changed_paths
    assert (path(world).target_alive, other.at) == (False, world.now)


def test_gateway_that_is_no_longer_the_policys_is_news(world: World) -> None:
    PolicyGateway.objects.filter(policy__name="sp-default", node=world.node("grf1")).delete()
    world.forward(10)
    observe(facts(world, heartbeat(world)))
    assert path(world).active_id is None


def test_reports_of_a_removed_policy_are_skipped(world: World) -> None:
    world.forward(10)
    seen = facts(world, heartbeat(world))
    FailoverPolicy.objects.filter(name="sp-default").delete()
    observe(seen)
    assert not Path.objects.filter(policy__name="sp-default").exists()


@dataclass(frozen=True)
class Step:
    """A report, `after_s` after the previous one."""

    after_s: float = 10
    active: str = "grf1"
    fields: dict[str, Any] = field(default_factory=dict)
    outage_s: float | None = None

    def made(self, world: World) -> PathReport:
        world.forward(self.after_s)
        outage = None if self.outage_s is None else world.outage(self.outage_s)
        fields = {"alive": UP, **self.fields}
        return world.path("sp01", "sp-default", self.active, outage=outage, **fields)


DEAD = {"target_alive": False}
SEQUENCES = {
    "steady": [Step(), Step(), Step()],
    "gap": [Step(), Step(300), Step()],
    "late and repeated": [Step(), Step(-5), Step(0), Step(5), Step()],
    "liveness": [Step(), Step(fields={"alive": HALF}), Step(fields={"alive": HALF}), Step()],
    "forwards": [
        Step(),
        Step(fields={"forwards": {"grf1": True}}),
        Step(fields={"forwards": {"grf1": True}}),
    ],
    "dead": [Step(), Step(fields=DEAD), Step(fields=DEAD), Step(), Step()],
    "measured": [Step(), Step(fields=DEAD, outage_s=3), Step(), Step()],
    "outage while alive": [Step(), Step(outage_s=3), Step(), Step()],
    "moved": [Step(), Step(active="atmgw"), Step(active="atmgw"), Step()],
    "no route": [Step(), Step(active="", fields={"target_alive": None}), Step(active="")],
    "unknown gateway": [Step(), Step(active="other"), Step(active="other")],
    "unknown target": [Step(fields={"target_alive": None}), Step(fields={"target_alive": None}), Step()],
}


@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("is_new", [False, True])
def test_result_is_that_of_all_stages(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str, is_new: bool
) -> None:
    began = world.now
    if is_new:
        _forget(world)

    def result() -> list[object]:
        world.now = began
        with transaction.atomic():
            _send(world, SEQUENCES[name])
            found = _stored(world)
            transaction.set_rollback(True)
        return found

    quick = result()
    monkeypatch.setattr(observation, "_are_plain", lambda _: False)
    assert quick == result()


def _forget(world: World) -> None:
    """As if its agent had never reported."""
    unknown = {"since": None, "at": None, "observed_from": None, "target_since": None}
    Path.objects.filter(pk=path(world).pk).update(
        **unknown, active=None, active_text="", target_alive=None, target_rtt_us=None, liveness={}
    )


def test_first_report_needs_no_query_of_the_orm_but_for_the_sites_name(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    world.forward(10)
    first = facts(world, heartbeat(world))
    _forget(world)
    with django_assert_num_queries(1):
        observe(first)
    assert first.has_changed_paths
    assert path(world).active_id == world.node("grf1").pk


def test_first_report_of_a_gateway_has_news(world: World) -> None:
    """Routes of other paths lead over it."""
    world.forward(10)
    first = facts(world, heartbeat(world))
    _forget(world)
    PolicyGateway.objects.filter(policy__name="sp-default", node=world.node("atmgw")).update(
        node=world.node("sp01")
    )
    plain, news = read(first.paths, {first.site_id})
    assert not plain.first
    assert news == first.paths


def test_late_heartbeats_leave_their_gaps(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """A backend that was down for minutes gets one from each agent."""
    start = path(world).at
    world.forward(900)
    late = facts(world, heartbeat(world, 400), heartbeat(world))
    with django_assert_num_queries(1):
        observe(late)
    middle = world.now - timedelta(seconds=400)
    assert list(PathGap.objects.order_by("start").values_list("start", "end")) == [
        (start, middle),
        (middle, world.now),
    ]
    assert not late.has_changed_paths


def _send(world: World, steps: Sequence[Step]) -> None:
    for step in steps:
        world.report([step.made(world)])


def _stored(world: World) -> list[object]:
    return [
        Path.objects.filter(pk=path(world).pk).values().get(),
        list(PathGap.objects.order_by("start").values_list("start", "end")),
        list(PathOutage.objects.order_by("start").values_list("start", "end", "cause", "measured_by")),
        list(Event.objects.order_by("pk").values_list("kind", "message", "at")),
    ]
