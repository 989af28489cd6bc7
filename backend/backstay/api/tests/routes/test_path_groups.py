"""`GET /paths/groups`: every path is in exactly one group and alike within it, at any state of the site."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.alerts import services
from backstay.alerts.selectors.paths.groups import SORTS, TOGETHER_S
from backstay.alerts.tests.test_state_parity import scramble
from backstay.api.tests.test_lists import pages
from backstay.api.tests.world import Json, World, bearer, person
from backstay.core.model.state import WORST_FIRST
from backstay.core.roles import Role
from backstay.policy.models import FailoverPolicy, Path
from backstay.rollout.models import Intended

pytestmark = pytest.mark.usefixtures("shown_at_once")
ALIKE = ("policy", "prefix", "in_force", "preferred", "active", "state", "end_to_end", "placement", "standby")
FILTERS = ("policy=sp-default", "state=warning", "state=ok", "q=sp1", "q=atmgw", "node=sp02")


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    world = World.make(nodes=9, now=timezone.now())
    world.describe()
    world.all_paths()
    monkeypatch.setattr(timezone, "now", lambda: world.now)
    return world


@pytest.fixture
def headers(world: World) -> dict[str, str]:
    return bearer(person("reader", Role.VIEWER))


def vary(world: World, seed: int) -> None:
    """States as `scramble`; few moments, most together; some policies are drafts."""
    scramble(world, seed)
    chance = random.Random(seed)
    for path in Path.objects.all():
        path.since = world.now - timedelta(seconds=chance.choice([0, 30, 59, 61, 200, 230, 4000]))
        path.target_since = chance.choice([None, path.since])
        path.save()
    if seed % 3 == 0:
        FailoverPolicy.objects.filter(name="sp-default").update(origin="operator")
        Intended.objects.all().delete()
    if seed % 2:
        services.run_round(world.now)


def groups(client: Client, headers: dict[str, str], query: str = "", limit: int = 500) -> list[Any]:
    return pages(client, headers, f"paths/groups?{query}", limit)


def members(client: Client, headers: dict[str, str], query: str, key: str) -> list[Any]:
    return pages(client, headers, f"paths?{query}&group={key}", 500)


@pytest.mark.parametrize("seed", range(6))
def test_groups_partition_the_paths_of_the_list(
    world: World, headers: dict[str, str], client: Client, seed: int
) -> None:
    vary(world, seed)
    for query in ("", FILTERS[seed % len(FILTERS)]):
        listed = {path["id"]: path for path in pages(client, headers, f"paths?{query}", 500)}
        found = groups(client, headers, query)
        paths = {group["key"]: members(client, headers, query, group["key"]) for group in found}
        assert {key: len(rows) for key, rows in paths.items()} == {
            group["key"]: group["paths"] for group in found
        }
        assert Counter(path["id"] for rows in paths.values() for path in rows) == Counter(list(listed))
        for group in found:
            check(group, paths[group["key"]])


def check(group: Json, paths: list[Json]) -> None:
    """Every path is like its group; sums, maxima and times are those of the paths."""
    for path in paths:
        assert {name: path[name] for name in ALIKE} == {name: group[name] for name in ALIKE}
    assert group["switches_24h"] == sum(path["switches_24h"] for path in paths)
    assert group["only"] == (paths[0] if len(paths) == 1 else None)
    if group["moved_until"] is not None and group["placement"] in {"fallback", "none"}:
        moments = sorted(datetime.fromisoformat(path["since"]) for path in paths)
        assert (moments[0], moments[-1]) == tuple(
            datetime.fromisoformat(group[name]) for name in ("since", "moved_until")
        )
    outages = [path["last_outage"]["duration_ms"] for path in paths if path["last_outage"] is not None]
    longest = group["last_outage"]
    assert (None if longest is None else longest["duration_ms"]) == max(outages, default=None)


@pytest.mark.parametrize("sort", [f"{sign}{field}" for field in SORTS for sign in ("", "-")])
def test_small_pages_add_up_to_the_whole_in_every_order(
    world: World, headers: dict[str, str], client: Client, sort: str
) -> None:
    vary(world, 5)
    whole = groups(client, headers, f"sort={sort}")
    assert len(whole) > 5
    assert [group["key"] for group in groups(client, headers, f"sort={sort}", 2)] == [
        group["key"] for group in whole
    ]
    assert {group["key"] for group in whole} == {group["key"] for group in groups(client, headers)}


def test_the_worst_and_the_newest_come_first(world: World, headers: dict[str, str], client: Client) -> None:
    vary(world, 4)
    found = groups(client, headers)
    ranks = [WORST_FIRST[group["state"]] for group in found]
    assert ranks == sorted(ranks)
    for one, other in pairwise(found):
        if one["state"] == other["state"] and other["moved_until"] is not None:
            assert one["moved_until"] >= other["moved_until"]


def test_a_failover_is_one_row_with_its_cause(world: World, headers: dict[str, str], client: Client) -> None:
    world.forward()
    world.fail_over()
    services.run_round(world.now)
    (moved,) = groups(client, headers, "policy=sp-default")
    assert moved["text"] == "9 nodes fell over from grf1 to atmgw"
    assert moved["paths"] == 9
    assert moved["cause"]["text"].startswith("grf1")
    assert moved["url"] == "/paths?policy=sp-default"


def test_a_pause_parts_failovers(world: World, headers: dict[str, str], client: Client) -> None:
    world.fail_over()
    names = ("sp01", "sp02", "sp03", "sp04")
    for pause, apart in ((TOGETHER_S, 1), (TOGETHER_S + 1, 2)):
        for place, name in enumerate(names):
            at = world.now - timedelta(hours=1) + timedelta(seconds=pause * (place // 2))
            Path.objects.filter(node__name=name, policy__name="sp-default").update(since=at)
        others = Path.objects.filter(policy__name="sp-default").exclude(node__name__in=names)
        others.update(since=world.now)
        found = groups(client, headers, "policy=sp-default")
        assert sorted(group["paths"] for group in found) == sorted([5, *[4 // apart] * apart])


def test_a_key_of_no_group_has_no_paths(world: World, headers: dict[str, str], client: Client) -> None:
    assert members(client, headers, "", "0" * 32) == []


@pytest.mark.parametrize("query", ["sort=name", "cursor=x", "group=x"])
def test_wrong_queries_are_refused(world: World, headers: dict[str, str], client: Client, query: str) -> None:
    assert client.get(f"/api/v1/paths/groups?{query}", headers=headers).status_code in {400, 422}


def test_queries_do_not_grow_with_groups(world: World, headers: dict[str, str], client: Client) -> None:
    counts = []
    for seed in (1, 3):
        vary(world, seed)
        groups(client, headers)
        with CaptureQueriesContext(connection) as queries:
            groups(client, headers)
        counts.append(len(queries))
    assert max(counts) <= 20, counts
