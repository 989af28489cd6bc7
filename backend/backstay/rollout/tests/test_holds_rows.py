"""Holds in the database: requested, refused, reported, ended, timed out, and what they block."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.accounts.models import Agent
from backstay.api.agent.desired import desired
from backstay.api.tests.world import kept
from backstay.core.errors import Conflict, Refused
from backstay.inventory.models import Node
from backstay.policy.holds import describe_hold
from backstay.policy.models import Hold
from backstay.rollout import holds, moves
from backstay.rollout.changes import services
from backstay.rollout.changes.services import Begin
from backstay.rollout.models import Application
from backstay.rollout.tests.cluster import Cluster
from backstay.rollout.tests.in_force import bring_about, decide, path
from backstay.telemetry.models import Event
from backstay_wire import HoldReport

BY_HAND = (("10.1.0.15", 10),)
"""One route that somebody set."""


@pytest.fixture(scope="module")
def deployed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    noon = timezone.now().replace(hour=12, minute=0) - timedelta(days=1)
    with kept(django_db_blocker):
        cluster = Cluster.make(now=noon)  # no hold of a test lasts until another day
        cluster.world.describe()
        cluster.world.all_paths()
        bring_about(cluster)
        yield cluster


@pytest.fixture
def cluster(deployed: Cluster, db: None) -> Cluster:
    return deployed.copy()


def ask(cluster: Cluster, node: str = "sp01", **more: Any) -> Hold:
    known = {"person": "ann", "reason": "card swap", "now": cluster.now, **more}
    return holds.ask(cluster.world.node(node).pk, 1800.0, **known)


def report(cluster: Cluster, hold: Hold, state: str, *, earlier_s: float = 0.0, **more: Any) -> None:
    """The node's report about a hold, by its own clock."""
    at = cluster.now - timedelta(seconds=earlier_s)
    until = hold.until if state == "held" else at
    reported = {
        **cluster.world._head(hold.node.name),
        "at": nanoseconds(at),
        "hold": hold.uid,
        "origin": hold.origin,
        "by": hold.person,
        "reason": hold.reason,
        "state": state,
        "seconds": hold.seconds,
        "began": nanoseconds(hold.at),
        "until": nanoseconds(until),
        **more,
    }
    cluster.world.report([HoldReport.model_validate(reported)])


def nanoseconds(at: datetime) -> int:
    return round(at.timestamp() * 1e6) * 1000


def on_the_node(cluster: Cluster, node: str = "sp01") -> Hold:
    """A hold that `backstay-agent hold` set and the node reports; not stored."""
    return Hold(
        node=cluster.world.node(node),
        uid="node-77",
        origin="node",
        person="root",
        reason="card swap",
        seconds=1800,
        at=cluster.now,
        until=cluster.now + timedelta(seconds=1800),
    )


def agent(node: str = "sp01") -> Agent:
    return Agent.objects.get(site="argonne", node=node)


def why_not(cluster: Cluster, node: str = "sp01") -> str:
    with pytest.raises(Refused) as refused:
        ask(cluster, node)
    return refused.value.message


def until(hold: Hold) -> str:
    return f"{hold.until:%H:%M} UTC"


def texts(kind: str) -> list[str]:
    return list(Event.objects.filter(kind=kind).order_by("pk").values_list("message", flat=True))


def test_desired_state_contains_the_hold_until_it_is_over(cluster: Cluster) -> None:
    before = agent().generation
    hold = ask(cluster)
    wanted = desired(agent())
    assert wanted.generation > before
    assert wanted.hold is not None
    assert (wanted.hold.id, wanted.hold.by, wanted.hold.seconds) == (hold.uid, "ann", 1800.0)
    assert desired(agent("sp02")).hold is None
    assert texts("node.hold_asked") == ["sp01: ann requested a hold for 30 min: card swap"]
    cluster.world.forward(1)
    report(cluster, hold, "held")
    assert desired(agent()).hold is not None
    holds.end(hold.node_id, "bob", cluster.now)
    assert desired(agent()).hold is None


def test_a_hold_is_confirmed_repeated_and_ended_by_reports_of_its_node(cluster: Cluster) -> None:
    hold = ask(cluster)
    assert (
        describe_hold(hold, cluster.now)
        == f"to be held until {until(hold)} by ann, not confirmed by the node yet"
    )
    cluster.world.forward(1)
    for _ in range(3):
        report(cluster, hold, "held")
        cluster.world.forward(60)
    hold.refresh_from_db()
    assert hold.state == "held"
    text = f"held until {until(hold)} by ann"
    assert describe_hold(hold, cluster.now) == text
    assert texts("node.held") == [f"sp01: {text}: card swap; the checker leaves its routes alone"]
    report(cluster, hold, "ended", detail="its time is over")
    report(cluster, hold, "held", earlier_s=30)
    hold.refresh_from_db()
    assert (hold.state, hold.detail) == ("ended", "its time is over")
    assert texts("node.hold_ended") == ["sp01: the hold of ann is over: its time is over"]


def test_a_hold_that_was_set_on_the_node_is_recorded_and_ends_only_there(cluster: Cluster) -> None:
    report(cluster, on_the_node(cluster), "held")
    hold = Hold.objects.get()
    assert (hold.state, hold.person, hold.origin) == ("held", "root", "node")
    assert texts("node.held")[0].startswith(f"sp01: held until {until(hold)} by root on the node: card swap")
    assert desired(agent()).hold is None
    with pytest.raises(Refused, match=r"end it there with `backstay-agent hold --end`, or wait until"):
        holds.end(hold.node_id, "ann", cluster.now)
    cluster.world.forward(60)
    report(cluster, hold, "ended", detail="ended on the node")
    hold.refresh_from_db()
    assert hold.state == "ended"


def test_a_hold_that_the_node_does_not_confirm_is_withdrawn_and_recorded(cluster: Cluster) -> None:
    hold = ask(cluster)
    cluster.world.forward(59)
    holds.due(cluster.now)
    hold.refresh_from_db()
    assert hold.state == "waiting"
    cluster.world.forward(2)
    holds.due(cluster.now)
    hold.refresh_from_db()
    assert (hold.state, desired(agent()).hold) == ("failed", None)
    assert "sp01: the node did not confirm the hold of ann within 1 min" in texts("node.hold_failed")[0]
    # It had accepted the hold and could not report it: this is shown until it has ended it.
    cluster.world.forward(1)
    report(cluster, hold, "held")
    hold.refresh_from_db()
    assert hold.state == "ending"


def test_an_end_that_the_node_does_not_report_is_recorded_as_unknown(cluster: Cluster) -> None:
    hold = ask(cluster)
    cluster.world.forward(1)
    report(cluster, hold, "held")
    cluster.world.forward(1865)
    holds.due(cluster.now)
    hold.refresh_from_db()
    assert hold.state == "ended"
    assert "did not report the end of the hold of ann: its routes are unknown" in texts("node.hold_failed")[0]


def test_refusals_name_the_reason(cluster: Cluster) -> None:
    hold = ask(cluster)
    assert why_not(cluster) == (
        f"sp01: to be held until {until(hold)} by ann, not confirmed by the node yet. End that hold first."
    )
    Node.objects.filter(name="sp02").update(routing={})
    assert "sp02 is not managed" in why_not(cluster, "sp02")
    move = moves.ask(path(cluster, "sp03").pk, "atmgw", 600.0, person="bob", reason="", now=cluster.now)
    assert why_not(cluster, "sp03") == "bob moved sp03 to atmgw: let it return first."
    move.delete()
    change = cluster.propose()
    change.state = "rolling"
    change.save()
    Application.objects.create(change=change, node=cluster.world.node("sp04"), wave=0)
    assert why_not(cluster, "sp04").startswith(f"Change #{change.pk} is in progress on sp04")
    cluster.world.forward(300)
    assert "set it on the node with `backstay-agent hold`" in why_not(cluster, "sp03")
    with pytest.raises(Conflict, match="is not held"):
        holds.end(cluster.world.node("sp03").pk, "ann", cluster.now)


def test_a_held_node_is_not_moved(cluster: Cluster) -> None:
    hold = ask(cluster)
    report(cluster, hold, "held")
    with pytest.raises(Refused, match=f"sp01 is held until {until(hold)} by ann: end the hold first"):
        moves.ask(path(cluster).pk, "atmgw", 600.0, person="bob", reason="", now=cluster.now)


def test_a_plan_that_changes_a_held_node_is_blocked_by_name(cluster: Cluster) -> None:
    hold = ask(cluster)
    report(cluster, hold, "held")
    cluster.report_routing("sp01", BY_HAND)
    cluster.report_routing("sp02", BY_HAND)
    plan = cluster.plan(cluster.propose("restore", ["sp01", "sp02"]))
    found = next(item for item in plan.document["checks"] if item["check"] == "held")
    assert (plan.blocked, found["level"], found["nodes"]) == (True, "failed", ["sp01"])
    assert found["text"] == (
        f"sp01 is held until {until(hold)} by ann. Wait until the holds end, or end them."
    )
    assert not cluster.plan(cluster.propose("restore", ["sp02"])).blocked


def test_an_approved_change_is_not_applied_to_a_node_that_is_held_meanwhile(cluster: Cluster) -> None:
    cluster.report_routing("sp01", BY_HAND)
    change = cluster.approved("restore", ["sp01"])
    hold = ask(cluster)
    report(cluster, hold, "held")
    with pytest.raises(Refused, match=f"sp01 is held until {until(hold)} by ann: wait, or end the hold"):
        services.apply(change.pk, cluster.actor(), Begin(cluster.plan(change).digest), cluster.now)
    report(cluster, hold, "ended", detail="its time is over")
    cluster.report_routing("sp01", BY_HAND)
    services.apply(change.pk, cluster.actor(), Begin(cluster.plan(change).digest), cluster.now)
    assert cluster.fresh(change).state == "rolling"


def test_a_restored_manual_change_is_one_event_with_what_was_found(cluster: Cluster) -> None:
    evidence = "found 0.0.0.0/0 via 10.1.0.15 dev css0 metric 0 (boot: set without a protocol)"
    decide(cluster, "sp01", "restored", "atmgw", "grf1", evidence=evidence, times=4)
    event = Event.objects.get(kind="path.overridden")
    assert event.message == (
        "sp01: 0.0.0.0/0: the checker restored the managed route after a manual change:"
        f" {evidence}; 4 times since the last report"
    )
    assert (event.severity, event.data["times"]) == ("warning", 4)
    decide(cluster, "sp01", "not_restored", "atmgw", "grf1", evidence="bird went away")
    assert Event.objects.filter(kind="path.overridden", severity="critical").count() == 1
