"""Paths over the API: state, timeline, moves, drift and drills."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.api.tests.test_policies import Api
from backstay.api.tests.world import bearer, kept, person
from backstay.core.roles import Role
from backstay.inventory.models import Node, Site
from backstay.policy.models import Path
from backstay.rollout.models import Drill, Intended, Move
from backstay.rollout.tests.cluster import TWO, Cluster
from backstay.rollout.tests.in_force import bring_about, decide, path, report_move, walk

SLOW_S = 300.0
"""Between reports: no node becomes stale while a test runs."""


@pytest.fixture(scope="module")
def deployed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    with kept(django_db_blocker):
        cluster = Cluster.make(now=timezone.now() - timedelta(seconds=3))
        Site.objects.update(interval_s=SLOW_S)  # The API uses the real clock, and a busy machine is slow.
        cluster.world.site.refresh_from_db()
        cluster.world.describe()
        cluster.world.all_paths()
        bring_about(cluster)
        yield cluster


@pytest.fixture
def cluster(deployed: Cluster, db: None) -> Cluster:
    return deployed.copy()


@pytest.fixture
def api(cluster: Cluster, client: Client) -> Api:
    return Api(client)


def get(api: Api, cluster: Cluster, node: str = "sp01") -> dict[str, Any]:
    found: dict[str, Any] = api("get", f"paths/{path(cluster, node).pk}", 200)
    return found


def test_path_on_its_preferred_gateway_has_no_fallback_reason(api: Api, cluster: Cluster) -> None:
    answer = get(api, cluster)
    assert (answer["active"], answer["preferred"], answer["on_fallback"], answer["failback"]) == (
        "grf1", "grf1", False, None,
    )  # fmt: skip
    assert (answer["managed"], answer["engine"], answer["deployed"], answer["saved"]) == (
        True, "kernel", True, "yes",
    )  # fmt: skip
    assert (answer["move"], answer["last_decision"], answer["switches_7d"], answer["standby_dead"]) == (
        None,
        None,
        0,
        [],
    )


def test_path_on_fallback_has_reason_and_start(api: Api, cluster: Cluster) -> None:
    cluster.world.forward(0.5)
    decide(cluster, "sp01", "failed", "grf1", "atmgw")
    walk(cluster, ["sp01"], "grf1", "atmgw")
    answer = get(api, cluster)
    assert (answer["on_fallback"], answer["switches_24h"], answer["last_outage_ms"]) == (True, 1, 140.0)
    assert answer["failback"]["gateway"] == "grf1"
    assert answer["failback"]["why"] in {"recovering", "hold_down"}
    assert answer["last_decision"]["evidence"].startswith("3 of 3 probes")
    assert 0 < answer["fallback_24h_s"] < 60


def test_dead_standby_is_named(api: Api, cluster: Cluster) -> None:
    alive = {"grf1": True, "atmgw": False}
    cluster.world.report([cluster.world.path("sp01", "sp-default", "grf1", alive=alive)])
    assert get(api, cluster)["standby_dead"] == ["atmgw"]


@pytest.mark.parametrize(
    ("reported", "standby", "state"),
    [
        ((True, True, True), "verified", "ok"),
        ((True, None, True), "not verified", "ok"),
        ((True, False, True), "dead", "warning"),
        ((True, False, False), "not verified", "critical"),
        ((False, None, True), "dead", "warning"),
    ],
)
def test_standby_is_verified_only_by_probes_through_it(
    api: Api, cluster: Cluster, reported: tuple[bool, bool | None, bool], standby: str, state: str
) -> None:
    alive, forwards, target_alive = reported
    report = cluster.world.path(
        "sp01",
        "sp-default",
        "grf1",
        alive={"grf1": True, "atmgw": alive},
        forwards={} if forwards is None else {"atmgw": forwards},
        target_alive=target_alive,
    )
    cluster.world.report([report])
    answer = get(api, cluster)
    assert [gateway["standby"] for gateway in answer["gateways"]] == [None, standby]
    assert answer["state"] == state
    assert answer["standby_dead"] == (["atmgw"] if standby == "dead" else [])
    assert ("does not forward" in answer["state_text"]) == (alive and standby == "dead")
    listed = api("get", f"paths?node=sp01&state={state}", 200)["items"]
    assert [row["state"] for row in listed if row["id"] == answer["id"]] == [state]


def test_effect_of_a_reboot_is_shown(api: Api, cluster: Cluster) -> None:
    cluster.report_routing("sp01", TWO, "")
    cluster.report_routing("sp02", TWO)
    Node.objects.filter(name="sp03").update(routing={})
    assert [get(api, cluster, name)["saved"] for name in ("sp01", "sp02", "sp03")] == [
        "would change on reboot",
        "yes",
        "unknown",
    ]
    answer = api("get", "drift?site=argonne", 200)["items"]
    assert [(item["node"], item["reboot"], item["state"], item["engine"]) for item in answer] == [
        ("sp01", True, "warning", "kernel")
    ]
    assert api("get", "drift?site=argonne&only=reboot&node=sp02", 200)["items"] == []


def test_undeployed_policy_has_unknown_saved_state(api: Api, cluster: Cluster) -> None:
    Intended.objects.filter(node__name="sp01").delete()
    answer = get(api, cluster)
    assert (answer["managed"], answer["deployed"], answer["saved"]) == (True, False, "unknown")


def test_timeline_is_contiguous_with_decisions_and_outages(api: Api, cluster: Cluster) -> None:
    earlier = timedelta(hours=48)
    Path.objects.update(since=F("since") - earlier, observed_from=F("observed_from") - earlier)
    decide(cluster, "sp01", "failed", "grf1", "atmgw")
    walk(cluster, ["sp01"], "grf1", "atmgw")
    answer = api("get", f"paths/{path(cluster).pk}/timeline", 200)
    assert [(item["gateway"], item["on_fallback"], item["outage_ms"]) for item in answer["segments"]] == [
        ("grf1", False, None),
        ("atmgw", True, 140.0),
    ]
    assert answer["segments"][0]["end"] == answer["segments"][1]["start"]
    assert [(item["to_gateway"], item["outage_text"]) for item in answer["switches"]] == [("atmgw", "140 ms")]
    assert [(item["text"], item["cause"]) for item in answer["outages"]] == [("140 ms", "switch")]
    assert [item["reason"] for item in answer["decisions"]] == ["failed"]
    api("get", f"paths/{path(cluster).pk}/timeline?since=2099-01-01T00:00:00Z", 400)
    api("get", f"paths/{path(cluster).pk}/timeline?since=sometime", 400)


def test_move_is_requested_shown_and_returned(api: Api, cluster: Cluster) -> None:
    ident = path(cluster).pk
    answer = api("post", f"paths/{ident}/move", 201, {"gateway": "atmgw", "seconds": 60, "reason": "test"})
    assert (answer["state"], answer["by"], answer["until"]) == ("waiting", "oli", None)
    assert (
        "oli already moved sp01 to atmgw"
        in api("post", f"paths/{ident}/move", 422, {"gateway": "grf1"})["message"]
    )
    report_move(
        cluster, Move.objects.select_related("path__node", "path__policy").get(), "moved", outage_ms=90.0
    )
    assert get(api, cluster)["move"]["until"] is not None
    assert api("delete", f"paths/{ident}/move", 200)["returning"] is True
    api("delete", f"paths/{ident}/move", 409)


def test_drill_is_planned_listed_and_cancelled(api: Api, cluster: Cluster, client: Client) -> None:
    body = {"policy": cluster.policy.pk, "seconds": 20, "nodes": ["sp01"], "reason": "monthly"}
    answer = api("post", "drills", 201, body)
    assert (answer["state"], answer["may_cancel"], answer["state_text"]) == (
        "running",
        True,
        "0 of 1 node moved",
    )
    assert [(item["node"], item["gateway"], item["state"]) for item in answer["members"]] == [
        ("sp01", "atmgw", "waiting")
    ]
    assert api("get", f"drills/{answer['id']}", 200)["url"] == f"/drills/{answer['id']}"
    reader = bearer(person("vera", Role.VIEWER, "argonne"))
    listed = client.get("/api/v1/drills?site=argonne&state=running", headers=reader).json()["items"]
    assert [(item["name"], item["may_cancel"]) for item in listed] == [(f"#{answer['id']}", False)]
    assert api("delete", f"drills/{answer['id']}", 200)["cancelled_by"] == "oli"
    assert api("post", "drills", 400, {**body, "nodes": ["sp99"]})["fields"]["nodes"]
    assert Drill.objects.count() == 1
