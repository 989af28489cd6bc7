"""Drills in the database: run and measured, refused, scheduled, repeated, cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from backstay.api.tests.world import OC12, kept
from backstay.core.errors import Conflict, Invalid
from backstay.rollout.drills import services
from backstay.rollout.drills.services import DrillSpec
from backstay.rollout.models import Drill, Move
from backstay.rollout.tests.cluster import Cluster
from backstay.rollout.tests.in_force import bring_about, path, report_move, walk
from backstay.telemetry.models import Event

NAMES = ["sp01", "sp02", "sp03", "sp04"]
Plan = Callable[..., Drill]


@pytest.fixture(scope="module")
def deployed(reported: Cluster, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    with kept(django_db_blocker):
        cluster = reported.copy()
        cluster.world.sample()
        bring_about(cluster)
        yield cluster


@pytest.fixture
def cluster(deployed: Cluster, db: None) -> Cluster:
    return deployed.copy()


@pytest.fixture
def plan(cluster: Cluster) -> Plan:
    def planned(**more: Any) -> Drill:
        known = {
            "nodes": (),
            "gateway": "",
            "seconds": 30.0,
            "at": None,
            "every_days": None,
            "reason": "yearly",
        }
        return services.plan(cluster.policy, DrillSpec(**{**known, **more}), cluster.ann, cluster.now)

    return planned


def hold(cluster: Cluster, drill: Drill, bad: str = "") -> None:
    """Every node moves, reports loads and returns; `bad` fails half-way."""
    cluster.world.forward(1)
    for move in drill.moves.all():
        report_move(cluster, move, "moved", outage_ms=120.0 if move.path.node.name != "sp02" else 142.0)
    walk(cluster, NAMES, "grf1", "atmgw")
    for _ in range(14):
        cluster.world.forward(2)
        cluster.world.sample({"atmgw": {"at0": (1e6, 9e6), "css0": (9e6, 1e6)}})
    services.due(cluster.world.forward(3))
    for move in drill.moves.all():
        state = "failed" if move.path.node.name == bad else "returned"
        report_move(cluster, move, state, outage_ms=3.0, detail="atmgw died" if bad else "")
    walk(cluster, NAMES, "atmgw", "grf1")


def test_drill_moves_measures_and_is_stored(cluster: Cluster, plan: Plan) -> None:
    drill = plan()
    assert (drill.state, drill.refused_because) == ("running", [])
    assert sorted(Move.objects.values_list("path__node__name", "gateway")) == [
        (name, "atmgw") for name in NAMES
    ]
    hold(cluster, drill)
    drill.refresh_from_db()
    assert drill.state == "returning"
    services.due(cluster.world.forward(1))
    assert Drill.objects.get().state == "returning"  # The last samples are still to come.
    services.due(cluster.world.forward(10))
    drill = Drill.objects.get()
    assert drill.state == "passed"
    assert drill.fallback_bps == pytest.approx(9e6, rel=0.01)
    assert drill.fallback_utilisation == pytest.approx(9e6 / (134.5e6 * 0.1), rel=0.01)
    reported = Event.objects.get(kind="drill.passed").message
    assert reported == (
        f"Drill #{drill.pk} of sp-default has passed: 4 nodes moved and returned, max outage 142 ms;"
        " fallback peak 9 Mb/s"
    )


def test_node_that_does_not_return_fails_the_drill(cluster: Cluster, plan: Plan) -> None:
    drill = plan()
    hold(cluster, drill, bad="sp03")
    services.due(cluster.world.forward(10))
    assert Drill.objects.get().state == "failed"
    assert "failed: sp03 (atmgw died)" in Event.objects.get(kind="drill.failed").message


def test_drill_that_saturates_the_fallback_is_refused(cluster: Cluster, plan: Plan) -> None:
    busy = {"css0": (1e6, 12e6)}
    cluster.world.forward()
    cluster.world.sample(
        {**dict.fromkeys(NAMES, busy), "grf1": {"gt000": (48e6, 4e6), "ga031": (1e6, OC12 * 0.9)}}
    )
    cluster.world.all_paths()
    drill = plan()
    assert drill.state == "refused"
    assert not Move.objects.exists()
    assert any(
        "atmgw:at0-router:at1 would carry" in why and "% of its usable rate" in why
        for why in drill.refused_because
    )
    assert Event.objects.filter(kind="drill.refused").count() == 1


def test_drill_to_a_dead_gateway_is_refused(cluster: Cluster, plan: Plan) -> None:
    alive = {"grf1": True, "atmgw": False}
    cluster.world.report([cluster.world.path("sp04", "sp-default", "grf1", alive=alive)])
    drill = plan()
    assert drill.refused_because == ["atmgw does not respond to sp04: traffic would be lost."]


def test_drill_to_the_active_gateway_is_refused(plan: Plan) -> None:
    drill = plan(gateway="grf1", nodes=("sp01",))
    assert drill.refused_because == ["sp01 would not move: that gateway is already active."]


def test_foreign_nodes_and_gateways_are_refused(plan: Plan) -> None:
    with pytest.raises(Invalid) as invalid:
        plan(nodes=("sp01", "router"), gateway="onyx1")
    assert set(invalid.value.fields) == {"nodes", "gateway"}
    assert "sp-default has no member router" in invalid.value.message


def test_scheduled_drill_starts_on_time_and_schedules_the_next(cluster: Cluster, plan: Plan) -> None:
    at = cluster.now + timedelta(hours=1)
    drill = plan(at=at, every_days=30, nodes=("sp01",))
    services.due(cluster.now)
    assert (Drill.objects.get().state, Move.objects.count()) == ("scheduled", 0)
    cluster.world.forward(3600)
    cluster.world.describe()
    cluster.world.all_paths()
    services.due(cluster.now)
    assert Drill.objects.get().state == "running"
    report_move(cluster, Move.objects.get(), "moved", outage_ms=100.0)
    cluster.world.forward(30)
    report_move(cluster, Move.objects.get(), "returned", outage_ms=2.0)
    services.due(cluster.world.forward(10))
    following = Drill.objects.exclude(pk=drill.pk).get()
    assert (following.state, following.at, following.nodes) == (
        "scheduled",
        at + timedelta(days=30),
        ["sp01"],
    )


def test_missed_drill_is_not_run_later(cluster: Cluster, plan: Plan) -> None:
    plan(at=cluster.now + timedelta(hours=1))
    services.due(cluster.world.forward(7200))
    drill = Drill.objects.get()
    assert drill.state == "refused"
    assert "1 h late" in drill.refused_because[0]


def test_cancelled_drill_returns_at_once(cluster: Cluster, plan: Plan) -> None:
    drill = plan()
    for move in drill.moves.all():
        report_move(cluster, move, "moved", outage_ms=90.0)
    services.cancel(drill.pk, "bob", cluster.now)
    assert Drill.objects.get().state == "returning"
    assert Move.objects.filter(returning_at=None).count() == 0
    with pytest.raises(Conflict):
        services.cancel(drill.pk, "bob", cluster.now)
    cluster.world.forward(1)
    for move in drill.moves.all():
        report_move(cluster, move, "returned", outage_ms=2.0)
    services.due(cluster.world.forward(10))
    assert Drill.objects.get().state == "cancelled"


def test_cancelled_scheduled_drill_never_starts(cluster: Cluster, plan: Plan) -> None:
    drill = plan(at=cluster.now + timedelta(hours=1), every_days=1)
    services.cancel(drill.pk, "bob", cluster.now)
    services.due(cluster.world.forward(3700))
    assert (Drill.objects.get().state, path(cluster).moves.count()) == ("cancelled", 0)
