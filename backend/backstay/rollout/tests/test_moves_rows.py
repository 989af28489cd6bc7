"""Manual moves in the database: requested, refused with a reason, reported, timed out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from backstay.accounts.models import Agent
from backstay.api.agent.desired import desired
from backstay.api.tests.world import kept
from backstay.core.errors import Conflict, Refused
from backstay.inventory.models import Node
from backstay.policy.models import Path
from backstay.rollout import moves
from backstay.rollout.models import Application, Intended, Move
from backstay.rollout.tests.cluster import Cluster
from backstay.rollout.tests.in_force import bring_about, path, report_move
from backstay.telemetry.models import Event


@pytest.fixture(scope="module")
def deployed(reported: Cluster, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    with kept(django_db_blocker):
        cluster = reported.copy()
        bring_about(cluster)
        yield cluster


@pytest.fixture
def cluster(deployed: Cluster, db: None) -> Cluster:
    return deployed.copy()


def ask(cluster: Cluster, gateway: str = "atmgw", node: str = "sp01", **more: Any) -> Move:
    known = {"person": "ann", "reason": "looking at grf1", "now": cluster.now, **more}
    return moves.ask(path(cluster, node).pk, gateway, 600.0, **known)


def agent(node: str = "sp01") -> Agent:
    return Agent.objects.get(site="argonne", node=node)


def why_not(cluster: Cluster, gateway: str = "atmgw") -> str:
    with pytest.raises(Refused) as refused:
        ask(cluster, gateway)
    return refused.value.message


def test_desired_state_contains_engine_routing_and_move(cluster: Cluster) -> None:
    before = agent().generation
    move = ask(cluster)
    reported = desired(agent())
    assert reported.generation > before
    assert reported.engine is not None
    assert (reported.engine.kind, reported.engine.config) == ("kernel", "/etc/backstay/routes")
    assert reported.routing is not None
    assert [hop.gateway for hop in reported.routing.routes[0].hops] == ["grf1", "atmgw"]
    assert [(item.id, item.gateway, item.policy, item.seconds) for item in reported.moves] == [
        (str(move.pk), "atmgw", "sp-default", 600.0)
    ]
    assert desired(agent("sp02")).moves == []
    assert desired(agent("router")).engine is None
    event = Event.objects.get(kind="path.move_asked")
    assert event.message == "sp01: 0.0.0.0/0: ann requested atmgw for 10 min: looking at grf1"


def test_move_reports_are_stored_and_recorded(cluster: Cluster) -> None:
    move = ask(cluster)
    cluster.world.forward(1)
    report_move(cluster, move, "moved", outage_ms=131.0)
    move.refresh_from_db()
    assert (move.state, move.outage_out_ms, move.rtt_us) == ("moved", 131.0, 900)
    until = moves.until(move)
    assert until is not None
    assert abs(until - cluster.now - timedelta(seconds=600)) < timedelta(milliseconds=1)
    cluster.world.forward(600)
    report_move(cluster, move, "returned", outage_ms=4.0, detail="the move is over")
    move.refresh_from_db()
    assert (move.state, move.outage_back_ms) == ("returned", 4.0)
    assert desired(agent()).moves == []
    texts = [event.message for event in Event.objects.filter(kind__in=["path.moved", "path.returned"])]
    assert texts == [
        "sp01: 0.0.0.0/0: moved to atmgw for 10 min, 131 ms lost",
        "sp01: 0.0.0.0/0: returned from atmgw, 4 ms lost: the move is over",
    ]


def test_late_report_does_not_revert_a_later_state(cluster: Cluster) -> None:
    move = ask(cluster)
    cluster.world.forward(60)
    report_move(cluster, move, "returned", outage_ms=4.0)
    report_move(cluster, move, "moved", outage_ms=131.0, earlier_s=30)
    move.refresh_from_db()
    assert (move.state, move.outage_out_ms, move.outage_back_ms) == ("returned", 131.0, 4.0)


def test_report_about_another_nodes_move_is_ignored(cluster: Cluster) -> None:
    move = ask(cluster)
    move.path = path(cluster, "sp02")
    report_move(cluster, move, "returned")
    assert Move.objects.get().state == "waiting"


def test_gateway_outside_the_path_is_refused(cluster: Cluster) -> None:
    assert (
        why_not(cluster, "router") == "router is not a gateway of sp-default on sp01: choose grf1 and atmgw."
    )


def test_dead_gateway_is_refused(cluster: Cluster) -> None:
    cluster.world.report(
        [cluster.world.path("sp01", "sp-default", "grf1", alive={"grf1": True, "atmgw": False})]
    )
    assert why_not(cluster) == "atmgw does not respond to sp01: traffic would be lost."


def test_unmanaged_node_is_refused(cluster: Cluster) -> None:
    Node.objects.filter(name="sp01").update(routing={})
    assert "sp01 is not managed" in why_not(cluster)


def test_undeployed_policy_is_refused(cluster: Cluster) -> None:
    Intended.objects.filter(node__name="sp01").delete()
    assert "sp-default is not deployed on sp01" in why_not(cluster)


def test_node_under_change_is_refused(cluster: Cluster) -> None:
    change = cluster.propose()
    change.state = "rolling"
    change.save()
    Application.objects.create(change=change, node=cluster.world.node("sp01"), wave=0)
    assert why_not(cluster) == f"Change #{change.pk} is in progress on sp01: wait until it ends."


def test_unreachable_node_is_refused(cluster: Cluster) -> None:
    cluster.world.forward(300)
    assert "sp01 reported 5 min ago" in why_not(cluster)


def test_path_with_an_active_move_is_refused(cluster: Cluster) -> None:
    ask(cluster)
    assert why_not(cluster) == "ann already moved sp01 to atmgw: let it return first."


def test_early_return_removes_the_move_from_the_desired_state(cluster: Cluster) -> None:
    move = ask(cluster)
    report_move(cluster, move, "moved", outage_ms=100.0)
    before = agent().generation
    moves.take_back(move.path_id, "bob", cluster.world.forward())
    assert desired(agent()).moves == []
    assert agent().generation > before
    with pytest.raises(Conflict):
        moves.take_back(move.path_id, "bob", cluster.now)


def test_node_that_never_moves_times_out(cluster: Cluster) -> None:
    ask(cluster)
    moves.due(cluster.now + timedelta(seconds=59))
    assert Move.objects.get().state == "waiting"
    moves.due(cluster.now + timedelta(seconds=61))
    move = Move.objects.get()
    assert (move.state, move.detail) == ("failed", "the node did not move to atmgw within 1 min")


def test_missing_return_report_times_out_and_can_arrive_later(cluster: Cluster) -> None:
    move = ask(cluster)
    report_move(cluster, move, "moved")
    moves.due(cluster.now + timedelta(seconds=644))
    assert Move.objects.get().state == "moved"
    moves.due(cluster.now + timedelta(seconds=661))
    assert Move.objects.get().state == "failed"
    cluster.world.forward(700)
    report_move(cluster, move, "returned", outage_ms=3.0)
    assert Move.objects.get().state == "returned"


def test_move_cancelled_before_its_start_is_returned(cluster: Cluster) -> None:
    move = ask(cluster)
    moves.take_back(move.path_id, "ann", cluster.now)
    moves.due(cluster.now + timedelta(seconds=61))
    assert Move.objects.get().state == "returned"
    assert Path.objects.get(pk=move.path_id).moves.count() == 1
