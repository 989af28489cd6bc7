"""One fault, one answer: map, links, paths, fabrics and nodes agree on carriers, paths and gateways."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from backstay.alerts import services
from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role
from backstay.policy.models import FailoverPolicy

UP = {"grf1": True, "atmgw": True}


@pytest.fixture
def past(db: None) -> World:
    """Every node last reported two minutes ago. The world's time is ahead, so that slow tests stay fresh."""
    world = World.make(now=datetime.now(UTC) - timedelta(minutes=2))
    world.describe()
    world.all_paths()
    world.forward(180)
    return world


@pytest.fixture
def world(past: World) -> World:
    """Every node reports."""
    past.describe()
    past.all_paths()
    past.sample()
    return past


@pytest.fixture
def get(past: World, client: Client) -> Any:
    headers = bearer(person("reader", Role.VIEWER))

    def read(path: str) -> Any:
        reply = client.get(f"/api/v1/{path}", headers=headers)
        assert reply.status_code == 200, reply.content
        return reply.json()

    return read


def by_name(rows: list[Any]) -> dict[str, Any]:
    return {row["name"]: row for row in rows}


def sp_paths(world: World, active: str, *, grf1: bool, forwards: bool | None, target_alive: bool) -> None:
    """Every compute node's path, with the same probes."""
    alive = {"grf1": grf1, "atmgw": True}
    through = {} if forwards is None else {"grf1": forwards, "atmgw": True}
    nodes = [name for name in world.devices() if name.startswith("sp")]
    world.report(
        world.path(node, "sp-default", active, alive=alive, forwards=through, target_alive=target_alive)
        for node in nodes
    )


def test_links_have_one_state_on_map_in_list_and_on_their_page(get: Any, world: World) -> None:
    world.forward()
    world.down = {"grf1:ga031"}
    world.describe("grf1")
    services.run_round(world.now)
    on_map, listed = by_name(get("topology")["links"]), by_name(get("links")["items"])
    for name, link in listed.items():
        page = get(f"links/{link['id']}")
        known = [(one["state"], one["carrier"], one["carries"]) for one in (on_map[name], link, page)]
        assert len(set(known)) == 1, (name, known)
    assert (listed["grf1:ga031-router:at0"]["carrier"], listed["grf1:ga030-origin1:at0"]["carrier"]) == (
        "down",
        "up",
    )


def test_link_with_carrier_is_unknown_while_its_router_does_not_report(get: Any, past: World) -> None:
    past.describe(*(name for name in past.devices() if name != "grf1"))
    links = by_name(get("links")["items"])
    link = links["grf1:ga030-origin1:at0"]
    assert (link["state"], link["carrier"]) == ("unknown", "up")
    assert link["state_text"].endswith("; grf1 is not reporting")
    assert links["grf1:gt000-sp-switch"]["carrier"] == "unknown"
    nodes = by_name(get("nodes")["items"])
    assert (nodes["grf1"]["reporting"], nodes["atmgw"]["reporting"]) == ("not_reporting", "reporting")
    assert nodes["mgmt1"]["reporting"] == "never"


def test_fabric_counts_carriers_not_incidents(get: Any, world: World) -> None:
    world.forward()
    world.down = {"sp01:css0"}
    world.describe("sp01")
    services.run_round(world.now)
    (fabric,) = [node for node in get("topology")["nodes"] if node["name"] == "sp-switch"]
    page = get(f"fabrics/{fabric['id']}")
    assert (page["state"], page["state_text"]) == (fabric["state"], fabric["state_text"])
    assert (page["state_text"], page["ports_down"]) == ("1 of 5 ports down", 1)


def test_dead_path_is_dead_on_every_surface(get: Any, world: World) -> None:
    sp_paths(world, "grf1", grf1=True, forwards=None, target_alive=False)
    paths = get("paths?policy=sp-default")["items"]
    assert {(path["state"], path["end_to_end"], path["placement"]) for path in paths} == {
        ("critical", "dead", "preferred")
    }
    assert {gateway["use"] for path in paths for gateway in path["gateways"]} == {
        "dead",
        "standby_not_verified",
    }
    topology = get("topology")
    links = by_name(topology["links"])
    assert links["grf1:gt000-sp-switch"]["carries"] == "active", "router and origin1 still use it"
    assert links["sp02:css0-sp-switch"]["carries"] == "dead"
    role = by_name(topology["nodes"])["grf1"]["gateway"]
    assert (role["role"], role["text"]) == ("degraded", "active for 2 paths, dead for 3")
    node = by_name(get("nodes")["items"])["grf1"]
    assert node["gateway"] == role == get(f"nodes/{node['id']}")["gateway"]


def test_standby_through_which_no_target_answers_is_dead_and_not_standby(get: Any, world: World) -> None:
    sp_paths(world, "atmgw", grf1=True, forwards=False, target_alive=True)
    (path, *_) = get("paths?policy=sp-default")["items"]
    assert (path["end_to_end"], path["placement"], path["standby"]) == ("working", "fallback", "dead")
    assert [gateway["use"] for gateway in path["gateways"]] == ["standby_dead", "active"]


def test_verified_standby_and_role_of_an_idle_gateway(get: Any, world: World) -> None:
    sp_paths(world, "grf1", grf1=True, forwards=True, target_alive=True)
    (path, *_) = get("paths?policy=sp-default")["items"]
    assert (path["state"], path["standby"]) == ("ok", "verified")
    atmgw = by_name(get("topology")["nodes"])["atmgw"]["gateway"]
    assert atmgw["text"] == "standby verified for 3 paths, standby not verified for 1"
    assert by_name(get("topology")["nodes"])["sp01"]["gateway"] is None


def test_path_without_a_probe_of_its_target_is_not_ok(get: Any, world: World) -> None:
    FailoverPolicy.objects.filter(name="sp-default").update(target=None)
    report = world.path("sp01", "sp-default", "grf1", alive=UP)
    world.report([report.model_copy(update={"target_alive": None, "target_rtt_us": None})])
    paths = {path["node"]: path for path in get("paths?policy=sp-default")["items"]}
    path = paths["sp01"]
    assert (path["state"], path["end_to_end"]) == ("unknown", "unverified")
    assert path["state_text"].startswith("unverified: no target is probed; through grf1")
    assert path["gateways"][0]["use"] == "active_unverified"
    listed = get("paths?policy=sp-default&state=unknown")["items"]
    assert [row["node"] for row in listed] == ["sp01"]


def test_gateway_that_no_node_reaches_is_unreachable_and_its_links_unknown(get: Any, world: World) -> None:
    sp_paths(world, "atmgw", grf1=False, forwards=None, target_alive=True)
    silent = {"grf1": False, "atmgw": True, "router": True}
    world.report(
        [
            world.path("router", "router-to-sp", "atmgw", alive=silent),
            world.path("origin1", "origin1-to-sp", "router", alive=silent),
        ]
    )
    topology = get("topology")
    role = by_name(topology["nodes"])["grf1"]["gateway"]
    assert (role["role"], role["reachability"]) == ("unreachable", "unreachable")
    link = by_name(topology["links"])["grf1:ga031-router:at0"]
    assert (link["state"], link["carrier"], link["carries"]) == ("unknown", "up", "standby_dead")
    assert link["state_text"].endswith("; grf1 is unreachable")
    listed = by_name(get("links?state=unknown")["items"])
    assert "grf1:ga031-router:at0" in listed


def test_path_whose_reports_stopped_is_unknown_although_its_node_reports(get: Any, past: World) -> None:
    past.describe()
    paths = get("paths")["items"]
    assert {(path["state"], path["end_to_end"]) for path in paths} == {("unknown", "unknown")}
    assert paths[0]["state_text"].startswith("its node reports no path; last seen through grf1")


@pytest.mark.parametrize(("age_s", "state"), [(50, "working"), (100, "unknown")])
def test_path_of_a_slow_site_is_known_until_heartbeats_are_missing(
    db: None, client: Client, age_s: float, state: str
) -> None:
    """With counters each 30 s a path is reported each 30 s, and stale after 75 s: in SQL and for one path."""
    world = World.make(now=datetime.now(UTC) - timedelta(seconds=age_s))
    world.site.interval_s = 30
    world.site.save()
    world.describe()
    world.all_paths()
    world.forward(age_s + 20)
    world.describe()
    headers = bearer(person("reader", Role.VIEWER))
    listed = client.get("/api/v1/paths", headers=headers).json()["items"]
    assert {path["end_to_end"] for path in listed} == {state}
    one = client.get(f"/api/v1/paths/{listed[0]['id']}", headers=headers).json()
    assert one["end_to_end"] == state
