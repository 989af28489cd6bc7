"""`GET /routes/between`: hops, failures, reported gateways, and what is asked wrongly."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from backstay.api.tests.world import Json, World, bearer, person
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.policy.models import Path

OC12, OC3 = 53_800_000, 13_450_000
"""Usable bit/s of this world's links."""


@pytest.fixture
def world(db: None) -> World:
    world = World.make(now=timezone.now())
    Site.objects.update(interval_s=300.0)  # The API uses the real clock, and a busy machine is slow.
    return world


class Between:
    """Requests of a viewer."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._headers = bearer(person("vera", Role.VIEWER, "argonne"), Role.VIEWER)

    def __call__(self, source: str, destination: str, *failed: str, status: int = 200) -> Json:
        query = {"site": "argonne", "source": source, "destination": destination, "failed": list(failed)}
        answer = self._client.get("/api/v1/routes/between", query, headers=self._headers)
        assert answer.status_code == status, answer.content
        found: Json = answer.json()
        return found


@pytest.fixture
def between(world: World, client: Client) -> Between:
    return Between(client)


def trail(route: Json) -> list[str]:
    return [hop["start"]["name"] for hop in route["hops"][:1]] + [hop["end"]["name"] for hop in route["hops"]]


def named(route: Json) -> dict[str, Any]:
    return {name: route[name] for name in ("failed", "outcome", "usable_rate", "mtu", "is_moved")}


def test_path_moves_from_the_router_to_the_atm_gateway(between: Between) -> None:
    answer = between("sp01", "origin1", "node:grf1", "link:grf1:gt000", "link:onyx1:hip0")
    intact, node, link, other = answer["routes"]
    assert trail(intact) == trail(other) == ["sp01", "sp-switch", "grf1", "origin1"]
    assert trail(node) == trail(link) == ["sp01", "sp-switch", "atmgw", "router", "origin1"]
    assert named(intact) == {
        "failed": None, "outcome": "delivered", "usable_rate": OC12, "mtu": 9180, "is_moved": False,
    }  # fmt: skip
    assert named(node) == {
        "failed": "node:grf1", "outcome": "delivered", "usable_rate": OC3, "mtu": 9180, "is_moved": True,
    }  # fmt: skip
    assert node["narrowest"]["link_name"] == "atmgw:at0-router:at1"
    assert intact["hops"][2] == {
        "start": {"kind": "node", "id": intact["hops"][2]["start"]["id"], "name": "grf1", "port": "ga030"},
        "end": {"kind": "node", "id": intact["hops"][2]["end"]["id"], "name": "origin1", "port": "at0"},
        "link": intact["hops"][2]["link"],
        "link_name": "grf1:ga030-origin1:at0",
        "state": intact["hops"][2]["state"],
        "state_text": intact["hops"][2]["state_text"],
        "fabric": "atm-oc12",
        "usable_rate": OC12,
        "mtu": 9180,
        "arp": intact["hops"][2]["arp"],
        "basis": "topology",
        "policy": "",
    }


def test_reported_gateway_decides(world: World, between: Between) -> None:
    world.report([world.path("sp01", "sp-default", "atmgw")])
    (route,) = between("sp01", "origin1")["routes"]
    assert trail(route) == ["sp01", "sp-switch", "atmgw", "router", "origin1"]
    assert (route["hops"][0]["basis"], route["hops"][0]["policy"]) == ("observed", "sp-default")
    (other,) = between("sp02", "origin1")["routes"]
    assert trail(other) == ["sp02", "sp-switch", "grf1", "origin1"]
    assert other["hops"][0]["basis"] == "policy"


def test_stale_report_no_longer_decides(world: World, between: Between) -> None:
    world.report([world.path("sp01", "sp-default", "atmgw")])
    Path.objects.update(at=timezone.now() - timedelta(days=1))
    (route,) = between("sp01", "origin1")["routes"]
    assert route["hops"][0]["basis"] == "policy"


def test_unchanged_path_counts_until_its_agent_should_have_repeated_it(
    world: World, between: Between
) -> None:
    """An agent repeats it every ten seconds at the least, whatever the site's interval."""
    Site.objects.update(interval_s=1.0, version=F("version") + 1)
    world.report([world.path("sp01", "sp-default", "atmgw")])
    for age_s, basis in ((15, "observed"), (30, "policy")):
        Path.objects.update(at=timezone.now() - timedelta(seconds=age_s))
        (route,) = between("sp01", "origin1")["routes"]
        assert route["hops"][0]["basis"] == basis


def test_failed_medium_says_why_nothing_arrives(between: Between) -> None:
    _, route = between("sp01", "origin1", "fabric:sp-switch")["routes"]
    assert (route["outcome"], route["hops"], route["usable_rate"]) == ("no_route", [], None)
    assert route["reason"] == "sp01 reaches none of the gateways of sp-default: grf1 or atmgw."


@pytest.mark.parametrize(
    ("source", "failed", "reason"),
    [
        ("nobody", (), "There is no node 'nobody'"),
        ("sp01", ("node:nobody",), "There is no node 'nobody'"),
        ("sp01", ("link:sp01:nothing",), "There is no link at 'sp01:nothing'"),
        ("sp01", ("fabric:nothing",), "There is no fabric 'nothing'"),
        ("sp01", ("fabric:atm-oc12",), "no shared medium"),
        ("sp01", ("grf1",), "use node:NAME"),
    ],
)
def test_unknown_objects_are_not_found(
    between: Between, source: str, failed: tuple[str, ...], reason: str
) -> None:
    assert reason in between(source, "origin1", *failed, status=404)["message"]


def test_other_sites_are_not_visible(world: World, client: Client) -> None:
    headers = bearer(person("otto", Role.VIEWER, "cern"), Role.VIEWER)
    query = {"site": "argonne", "source": "sp01", "destination": "origin1"}
    assert client.get("/api/v1/routes/between", query, headers=headers).status_code == 404


def test_queries_do_not_grow_with_the_failures(between: Between, django_assert_max_num_queries: Any) -> None:
    failed = [
        f"link:{port}" for port in ("grf1:gt000", "grf1:ga030", "atmgw:at0", "origin1:at1", "sp01:css0")
    ]
    between("sp01", "origin1")
    with django_assert_max_num_queries(14):
        assert len(between("sp01", "origin1", *failed, "node:grf1")["routes"]) == 7


@pytest.fixture
def routes_of(world: World, client: Client) -> Callable[..., list[Json]]:
    """The routes with each single failure, or with the given ones only."""
    headers = bearer(person("eve", Role.VIEWER, "argonne"), Role.VIEWER)

    def get(source: str = "sp01", destination: str = "origin1", **more: str) -> list[Json]:
        query = {"site": "argonne", "source": source, "destination": destination, **more}
        answer = client.get("/api/v1/routes/between", query, headers=headers)
        assert answer.status_code == 200, answer.content
        found: list[Json] = answer.json()["routes"]
        return found

    return get


def test_each_failure_on_the_path_is_calculated_once(routes_of: Callable[..., list[Json]]) -> None:
    routes = routes_of(failed="fabric:sp-switch", each_failure="true")
    assert [(route["failed"], route["failed_name"], route["failed_kind"]) for route in routes] == [
        (None, "", None),
        ("fabric:sp-switch", "sp-switch", "fabric"),
        ("link:sp01:css0", "sp01:css0-sp-switch", "link"),
        ("link:grf1:gt000", "grf1:gt000-sp-switch", "link"),
        ("node:grf1", "grf1", "node"),
        ("link:grf1:ga030", "grf1:ga030-origin1:at0", "link"),
    ]
    again = {route["failed"]: route for route in routes[1:]}
    for name, route in again.items():
        _, single = routes_of(failed=name)
        assert single == route


def test_a_node_reaches_itself_without_anything_that_could_fail(routes_of: Callable[..., list[Json]]) -> None:
    (route,) = routes_of("sp01", "sp01", each_failure="true")
    assert (route["outcome"], route["hops"]) == ("delivered", [])


def test_hops_have_the_state_of_their_link(world: World, client: Client, between: Between) -> None:
    world.down = {"grf1:ga030"}
    world.describe()
    (route,) = between("sp01", "origin1")["routes"]
    headers = bearer(person("lea", Role.VIEWER, "argonne"), Role.VIEWER)
    for hop in route["hops"]:
        link = client.get(f"/api/v1/links/{hop['link']}", headers=headers).json()
        # The time since when a port is down goes on between two requests.
        assert hop["state"] == link["state"]
        assert hop["state_text"].split(" for ")[0] == link["state_text"].split(" for ")[0]
    assert "ok" not in {hop["state"] for hop in route["hops"] if hop["link_name"].startswith("grf1:ga030")}


@pytest.mark.parametrize("parameter", ["source", "destination"])
def test_an_unknown_end_is_named_by_its_parameter(between: Between, parameter: str) -> None:
    ends = {"source": "sp01", "destination": "origin1"} | {parameter: "nobody"}
    assert list(between(**ends, status=404)["fields"]) == [parameter]
