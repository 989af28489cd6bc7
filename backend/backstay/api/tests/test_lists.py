"""Common behaviour of lists: paging, sorting, filters, conditional requests and errors."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from backstay.api.http.caching import etag
from backstay.api.http.list_query import Sort, natural, page
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role
from backstay.policy.models import Hold

LISTS = ["fabrics", "nodes", "ports", "links", "paths", "failover-policies", "events", "incidents", "agents"]


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A site with several pages of everything; created once, changes of a test are rolled back."""
    with kept(django_db_blocker):
        world = World.make(nodes=12)
        world.describe()
        world.all_paths()
        world.sample()
        world.fail_over()
        yield world


@pytest.fixture
def world(made: World, db: None) -> World:
    return made


@pytest.fixture
def headers(world: World) -> dict[str, str]:
    return bearer(person("reader", Role.VIEWER))


def pages(client: Client, headers: dict[str, str], path: str, limit: int) -> list[Any]:
    """Every item of a list, page by page."""
    found: list[Any] = []
    cursor = ""
    joint = "&" if "?" in path else "?"
    while True:
        reply = client.get(f"/api/v1/{path}{joint}limit={limit}&cursor={cursor}", headers=headers)
        assert reply.status_code == 200, reply.content
        body = reply.json()
        assert len(body["items"]) <= limit
        found += body["items"]
        if body["next"] is None:
            return found
        cursor = body["next"]


@pytest.mark.parametrize(
    "path",
    [
        *LISTS,
        "ports?sort=-utilisation",
        "ports?sort=node",
        "ports?sort=-age",
        "links?sort=-utilisation",
        "nodes?sort=-since",
        "nodes?sort=clock_offset",
        "events?sort=age",
        "events?sort=kind",
        "paths?sort=-last_outage_ms",
    ],
)
def test_pages_form_the_whole_list_in_order(client: Client, headers: dict[str, str], path: str) -> None:
    whole = pages(client, headers, path, 500)
    cut = pages(client, headers, path, 3)
    assert [item["id"] for item in cut] == [item["id"] for item in whole]
    assert len({item["id"] for item in whole}) == len(whole)


def test_row_added_between_pages_neither_duplicates_nor_hides_another(
    client: Client, headers: dict[str, str], world: World
) -> None:
    first = client.get("/api/v1/events?limit=4", headers=headers).json()
    before = {event["id"] for event in pages(client, headers, "events", 500)}
    world.forward()
    world.fail_back()
    rest = client.get(f"/api/v1/events?limit=500&cursor={first['next']}", headers=headers).json()["items"]
    seen = [event["id"] for event in [*first["items"], *rest]]
    assert sorted(seen) == sorted(before)


@pytest.mark.parametrize("name", LISTS)
def test_unknown_sort_is_refused_with_the_valid_ones(
    client: Client, headers: dict[str, str], name: str
) -> None:
    reply = client.get(f"/api/v1/{name}?sort=no_such_field", headers=headers)
    assert reply.status_code == 422
    assert "expected one of" in reply.json()["fields"]["sort"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("nodes?state=perfect", "state"),
        ("nodes?limit=0", "limit"),
        ("nodes?limit=501", "limit"),
        ("nodes?limit=many", "limit"),
        ("nodes?cursor=rubbish", "cursor"),
        ("ports?cursor=WyJuYW1lIiwgMSwgMV0=", "cursor"),
        ("nodes?cursor=WyJuYW1lIiwgMSwgMV0=", "cursor"),
        ("nodes?q=%00", "q"),
        ("events?kind=path.invented", "kind"),
        ("events?start=tomorrow", "start"),
        ("events?link_id=99999999999999999999", "link_id"),
        ("incidents?phase=over", "phase"),
        ("links/1/history?points=1", "points"),
        ("nodes/99999999999999999999", "id"),
    ],
)
def test_invalid_parameter_is_refused_with_the_expected_form(
    client: Client, headers: dict[str, str], query: str, field: str
) -> None:
    reply = client.get(f"/api/v1/{query}", headers=headers)
    assert reply.status_code == 400, reply.content
    body = reply.json()
    assert body["code"] == "invalid"
    assert field in body["fields"]
    assert body["message"]


def test_unknown_filter_is_refused_with_the_valid_ones(client: Client, headers: dict[str, str]) -> None:
    reply = client.get("/api/v1/links?fabrik=atm", headers=headers)
    assert reply.status_code == 422
    assert reply.json()["fields"]["fabrik"].startswith("expected one of at, cursor, fabric")


def test_cursor_of_another_sort_is_refused(client: Client, headers: dict[str, str]) -> None:
    following = client.get("/api/v1/nodes?limit=2", headers=headers).json()["next"]
    reply = client.get(f"/api/v1/nodes?limit=2&sort=-name&cursor={following}", headers=headers)
    assert reply.status_code == 400


def test_names_are_sorted_naturally(client: Client, headers: dict[str, str]) -> None:
    names = [node["name"] for node in pages(client, headers, "nodes?q=sp", 500)]
    assert names == [f"sp{number:02}" for number in range(1, 13)]
    assert sorted(["sp10", "sp2", "sp1"], key=natural) == ["sp1", "sp2", "sp10"]


def test_search_text_finds_paths_by_node_policy_and_gateway(client: Client, headers: dict[str, str]) -> None:
    for text, count in (("SP03 to", 1), ("router-to-sp", 1), ("atmgw", 12), ("nothing", 0)):
        found = pages(client, headers, f"paths?q={text}", 500)
        assert len(found) == count, text


def test_search_text_finds_holds(client: Client, headers: dict[str, str], world: World) -> None:
    Hold.objects.create(
        node=world.node("sp03"),
        origin="backend",
        person="ann",
        reason="card swap",
        seconds=60,
        at=world.now,
        since=world.now,
        until=world.now + timedelta(minutes=1),
    )
    for text, count in (("sp03", 1), ("ANN", 1), ("card", 1), ("sp04", 0)):
        assert len(pages(client, headers, f"holds?q={text}", 500)) == count, text


def test_missing_values_come_last_in_both_orders() -> None:
    items = [(1, 5.0), (2, None), (3, 7.0), (4, None), (5, 5.0)]
    keys = {"value": lambda item: item[1]}

    def order(descending: bool) -> list[int]:
        found, cursor = [], None
        while True:
            shown, cursor = page(
                items, keys, lambda item: item[0], sort=Sort("value", descending), cursor=cursor, limit=2
            )
            found += [item[0] for item in shown]
            if cursor is None:
                return found

    assert order(False) == [1, 5, 3, 2, 4]
    assert order(True) == [3, 1, 5, 2, 4]


@pytest.mark.parametrize("name", ["fabrics", "nodes", "failover-policies", "events", "topology", "sites"])
def test_unchanged_response_is_not_sent_again(client: Client, headers: dict[str, str], name: str) -> None:
    first = client.get(f"/api/v1/{name}", headers=headers)
    assert first["ETag"].startswith('W/"')
    again = client.get(f"/api/v1/{name}", headers={**headers, "if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_changed_response_is_sent(client: Client, headers: dict[str, str], world: World) -> None:
    first = client.get("/api/v1/events", headers=headers)
    world.forward()
    world.fail_back()
    again = client.get("/api/v1/events", headers={**headers, "if-none-match": first["ETag"]})
    assert again.status_code == 200
    assert again["ETag"] != first["ETag"]


def test_elapsed_time_alone_does_not_change_an_etag() -> None:
    one = b'{"id":1,"age_s":1.5,"state":"ok","state_text":"heard \\"1 s\\" ago","name":"a"}'
    other = b'{"id":1,"age_s":9.5,"state":"ok","state_text":"last seen 9 s ago","name":"a"}'
    assert etag(one) == etag(other)
    assert etag(one) != etag(one.replace(b'"ok"', b'"unknown"'))


def test_missing_object_is_a_problem_response(client: Client, headers: dict[str, str]) -> None:
    for path in ("nodes/999999", "links/999999", "links/999999/history", "incidents/999999", "paths/999999"):
        reply = client.get(f"/api/v1/{path}", headers=headers)
        assert (reply.status_code, reply.json()["code"]) == (404, "not_found")
    assert client.get("/api/v1/no-such-noun", headers=headers).json()["code"] == "not_found"
