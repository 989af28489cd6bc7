"""The list of nodes at a past moment: its states are those of the map, and nothing of today is shown."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backstay.alerts.selectors.history.history_nodes import past_nodes
from backstay.api.tests.history.measured_site import measure, open_incident
from backstay.api.tests.world import Json, World
from backstay.inventory.models import Node
from backstay.telemetry.models import NodeState


def _items(page: Json) -> dict[str, Json]:
    return {item["name"]: item for item in page["items"]}


def _all(get: Any, **query: Any) -> list[str]:
    """Names over all pages of two rows each."""
    found: list[str] = []
    cursor = None
    for _ in range(100):
        page = get("nodes", limit=2, **query, **({} if cursor is None else {"cursor": cursor}))
        found += [item["name"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            return found
    raise AssertionError("the pages do not end")


def _silence(world: World, *but: str) -> datetime:
    """Measure again just now without some nodes; the moment before."""
    before = world.now
    world.now = timezone.now() - timedelta(seconds=20)
    measure(world, but=but)
    return before


def test_states_are_those_of_the_map(world: World, get: Any) -> None:
    before = _silence(world, "sp01")
    open_incident(world, "grf1", before - timedelta(minutes=2), before + timedelta(minutes=2))
    open_incident(world, "sp02", before + timedelta(minutes=1), severity="warning")
    for at, expected in (
        (before, {"sp01": "ok", "grf1": "critical", "sp02": "ok"}),
        (world.now, {"sp01": "unknown", "grf1": "ok", "sp02": "warning"}),
    ):
        listed = _items(get("nodes", at=at.isoformat(), limit=500))
        drawn = get("topology/past", at=at.isoformat())["nodes"]
        assert {name: listed[name]["state"] for name in expected} == expected
        assert {name: (item["state"], item["state_text"]) for name, item in listed.items()} == {
            node["name"]: (node["state"], node["state_text"]) for node in drawn if node["kind"] != "fabric"
        }


def test_nothing_of_today_is_shown(world: World, get: Any) -> None:
    before = world.now
    NodeState.objects.update(sys_name="today", sys_descr="today", clock_offset_ms=60_000.0)
    page = get("nodes", at=before.isoformat(), limit=500)
    unknown = ("gateway", "since", "age_s", "agent", "clock_offset_s", "management", "hold")
    for item in page["items"]:
        assert [item[name] for name in unknown] == [None] * len(unknown)
        assert (item["sys_name"], item["sys_descr"], item["clock_text"]) == ("", "", "")


def test_what_was_not_stored_is_unknown(get: Any) -> None:
    items = get("nodes", at="now-5h", limit=500)["items"]
    assert items
    assert {(item["state"], item["reporting"]) for item in items} == {("unknown", None)}
    assert get("nodes", at="now-5h", state="ok")["items"] == []


def test_uptime_is_that_of_a_node_that_has_not_restarted_since(world: World, get: Any) -> None:
    at = world.now
    NodeState.objects.update(last_reported_at=at + timedelta(minutes=5), booted_at=at - timedelta(hours=1))
    NodeState.objects.filter(node__name="sp01").update(booted_at=at + timedelta(minutes=1))
    NodeState.objects.filter(node__name="sp02").update(last_reported_at=at - timedelta(minutes=1))
    items = _items(get("nodes", at=at.isoformat(), sort="-uptime", limit=500))
    assert items["grf1"]["uptime_s"] == 3600
    assert (items["sp01"]["uptime_s"], items["sp02"]["uptime_s"]) == (None, None)
    assert {"sp01", "sp02"} <= set(list(items)[-len(items) // 2 :])


@pytest.mark.parametrize("sort", ["name", "-name", "kind", "role", "state", "-state", "title", "node_number"])
def test_pages_have_every_node_once_in_order(world: World, get: Any, sort: str) -> None:
    at = _silence(world, "sp01")
    open_incident(world, "grf1", at - timedelta(minutes=2))
    whole = [item["name"] for item in get("nodes", at=at.isoformat(), sort=sort, limit=500)["items"]]
    assert _all(get, at=at.isoformat(), sort=sort) == whole
    assert sorted(whole) == sorted(Node.objects.filter(site=world.site).values_list("name", flat=True))


def test_state_filter_and_search_are_of_the_moment(world: World, get: Any) -> None:
    _silence(world, "sp01", "sp02")
    now = world.now.isoformat()
    assert {"sp01", "sp02"} <= set(_all(get, at=now, state="unknown", sort="-name"))
    assert _all(get, at=now, state="unknown", q="sp0") == ["sp01", "sp02"]
    assert get("nodes", at=now, state="ok", q="sp01")["items"] == []
    assert _all(get, at=now, gateway=True) == _all(get, gateway=True)


@pytest.mark.parametrize("sort", ["agent", "age", "clock_offset", "since"])
def test_sort_by_what_is_not_kept_is_refused(get: Any, sort: str) -> None:
    assert get("nodes", status=422, at="now-10m", sort=sort)["fields"]["sort"]


@pytest.mark.parametrize("nodes", [3, 9])
def test_number_of_queries_does_not_depend_on_the_nodes(
    db: None, nodes: int, django_assert_max_num_queries: Any
) -> None:
    world = World.make(nodes=nodes, name="casa", now=timezone.now() - timedelta(minutes=20))
    measure(world)
    ids = list(Node.objects.filter(site=world.site).values_list("pk", flat=True))
    with django_assert_max_num_queries(12):
        past_nodes(world.site, world.now, timezone.now(), ids)
