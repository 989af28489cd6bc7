"""Releases on nodes in the database: stored, shown, blocking plans and starts, cleared by an operator."""

from __future__ import annotations

from typing import Any

import pytest

from backstay.accounts.models import Agent
from backstay.api.agent.desired import desired
from backstay.api.tests.world import bearer, person
from backstay.core.errors import Conflict, Refused
from backstay.core.roles import Role
from backstay.rollout import management
from backstay.rollout.changes import services
from backstay.rollout.changes.services import Begin
from backstay.rollout.models import NodeManagement
from backstay.rollout.tests.cluster import Cluster
from backstay.telemetry.models import Event
from backstay_wire import ManagementReport


def report(cluster: Cluster, state: str = "released", release: str = "r1", **more: Any) -> None:
    cluster.world.forward(1)
    head = cluster.world._head("sp01")
    values = {"scope": "policies", "policies": ["sp-default"], "since": head["at"], "by": "root", **more}
    cluster.world.report(
        [ManagementReport.model_validate({**head, "state": state, "release": release, **values})]
    )


def released(cluster: Cluster, what: str) -> str:
    at = cluster.now.strftime("%Y-%m-%d %H:%M UTC")
    return f"sp01 was released on the node at {at} by root: {what}."


def events(kind: str) -> list[str]:
    return [event.message for event in Event.objects.filter(kind=kind).order_by("pk")]


def agent() -> Agent:
    return Agent.objects.get(site="argonne", node="sp01")


def clear(cluster: Cluster) -> NodeManagement:
    return management.manage_again(cluster.world.node("sp01"), "ann", cluster.now)


def test_a_release_is_stored_and_recorded_once(cluster: Cluster) -> None:
    report(cluster)
    report(cluster)
    row = NodeManagement.objects.get()
    assert (row.state, row.scope, row.policies, row.by) == ("released", "policies", ["sp-default"], "root")
    assert events("node.released") == [released(cluster, "sp-default")]


def test_what_is_left_to_do_and_a_revert_are_named(cluster: Cluster) -> None:
    report(cluster, scope="everything", policies=[], left="kill -9 4711")
    expected = f"{released(cluster, 'routes and ARP')} Left to do: kill -9 4711."
    report(cluster, "reverted", "r2", by="the agent", reason="no controller for 600 s", change=42)
    assert events("node.released") == [expected]
    at = cluster.now.strftime("%Y-%m-%d %H:%M UTC")
    assert events("node.reverted") == [f"sp01 reverted change #42 at {at}: no controller for 600 s."]


def test_an_older_report_does_not_replace_a_newer_one(cluster: Cluster) -> None:
    cluster.world.forward(60)
    head = cluster.world._head("sp01")
    report(cluster, "managed")
    old = {
        **head,
        "state": "released",
        "release": "r1",
        "scope": "routing",
        "since": head["at"],
        "by": "root",
    }
    cluster.world.report([ManagementReport.model_validate(old)])
    assert NodeManagement.objects.get().state == "managed"


def test_a_released_node_blocks_plan_and_start_by_name_until_it_is_cleared(cluster: Cluster) -> None:
    approved = cluster.approved(nodes=["sp01"])
    report(cluster)
    with pytest.raises(Refused, match=r"sp01 was released on the node at .* by root: manage it again first"):
        services.apply(approved.pk, cluster.actor(), Begin(cluster.plan(approved).digest), cluster.now)
    planned = cluster.plan(cluster.propose(nodes=["sp01"]))
    failed = [item for item in planned.document["checks"] if item["level"] == "failed"]
    assert [item["check"] for item in failed] == ["released"]
    assert "backstay manage-again sp01" in failed[0]["text"]
    assert not cluster.plan(cluster.propose(nodes=["sp02"])).blocked

    clear(cluster)
    assert not cluster.plan(cluster.propose(nodes=["sp01"])).blocked
    services.apply(approved.pk, cluster.actor(), Begin(cluster.plan(approved).digest), cluster.now)


def test_a_clearance_reaches_the_agent_and_names_only_its_release(cluster: Cluster) -> None:
    assert desired(agent()).managed_again == ""
    with pytest.raises(Conflict):
        clear(cluster)
    report(cluster)
    before = agent().generation
    clear(cluster)
    assert desired(agent()).managed_again == "r1"
    assert agent().generation > before
    assert events("node.management_cleared") == ["sp01: ann lets Backstay manage it again"]
    with pytest.raises(Conflict, match="ann has cleared it already"):
        clear(cluster)

    report(cluster, "managed", by="the backend")
    assert events("node.managed") == ["sp01 accepts changes again, cleared by ann."]
    report(cluster, release="r2")
    assert management.refusal([cluster.world.node("sp01").pk]) != "", "a second release is not cleared"


def test_the_node_shows_a_release_and_an_operator_clears_it(client: Any, cluster: Cluster) -> None:
    operator = bearer(person("olga", Role.OPERATOR, "argonne"))
    url = f"/api/v1/nodes/{cluster.world.node('sp01').pk}"
    assert client.get(url, headers=operator).json()["management"] is None
    report(cluster)
    shown = client.get(url, headers=operator).json()["management"]
    assert shown["text"] == released(cluster, "sp-default")
    paths = client.get("/api/v1/paths?site=argonne", headers=operator).json()["items"]
    assert {item["node"]: item["released"] for item in paths if item["released"]} == {"sp01": shown["text"]}
    assert (shown["state"], shown["policies"], shown["cleared_by"]) == ("released", ["sp-default"], "")

    cleared = client.post(f"{url}/manage-again", headers=operator)
    assert cleared.status_code == 200
    assert cleared.json()["management"]["cleared_by"] == "olga"
    assert client.post(f"{url}/manage-again", headers=operator).status_code == 409
