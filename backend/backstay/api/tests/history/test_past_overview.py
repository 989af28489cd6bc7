"""The overview at a past moment: its numbers are those of the lists, and nothing is of today."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backstay.alerts.selectors.history.history_overview import past_overview_facts
from backstay.api.tests.history.measured_site import measure, open_incident
from backstay.api.tests.world import Json, World
from backstay.core.alerting.headline import PathTotals
from backstay.core.alerting.history_headline import PastHeadlineFacts, past_headline
from backstay.inventory.models import Node
from backstay.policy.models import Hold, Path, PathOutage, PathSwitch
from backstay.telemetry.models import Event

MINUTE = timedelta(minutes=1)


@pytest.fixture
def observed(world: World) -> World:
    """With paths that are known since an hour before the moment."""
    world.all_paths()
    early = world.now - timedelta(hours=1)
    Path.objects.update(observed_from=early, since=early, target_since=early)
    return world


def _tile(page: Json, kind: str) -> Json:
    found: Json = next(tile for tile in page["tiles"] if tile["kind"] == kind)
    return found


def _path(world: World, node: str = "sp01") -> Path:
    return Path.objects.filter(node__name=node, node__site=world.site).order_by("pk")[0]


def _switched(path: Path, at: datetime, to: str, outage_ms: float | None = 140.0) -> None:
    PathSwitch.objects.create(
        path=path, uid=uuid.uuid4(), at=at, from_gateway=path.active_text, to_gateway=to, outage_ms=outage_ms,
        probe_interval_ms=50,
    )  # fmt: skip


def _outage(path: Path, start: datetime, end: datetime | None) -> None:
    lasted = None if end is None else (end - start).total_seconds() * 1000
    PathOutage.objects.create(
        path=path, uid=uuid.uuid4(), start=start, end=end, duration_ms=lasted, cause="target_dead",
        measured_by="probes", probe_interval_ms=50, at=end or start,
    )  # fmt: skip


def test_problems_are_the_incidents_that_were_open(world: World, get: Any) -> None:
    at = world.now
    open_incident(world, "grf1", at - 2 * MINUTE, at + MINUTE)
    open_incident(world, "sp01", at - 3 * MINUTE, severity="warning")
    open_incident(world, "sp02", at + MINUTE)
    page = get("overview/past", at=at.isoformat())
    assert (page["open_incidents"], page["root_causes"]) == (2, 2)
    assert [item["title"] for item in _tile(page, "problems")["items"]] == [
        "grf1 has a port down",
        "sp01 has a port down",
    ]
    assert "2 problems were open: grf1 has a port down; sp01 has a port down." in page["headline"]
    assert len(get("incidents", at=at.isoformat(), limit=500)["items"]) == page["open_incidents"]


def test_paths_agree_with_the_list_of_the_moment(observed: World, get: Any) -> None:
    at, path = observed.now, _path(observed)
    _outage(path, at - MINUTE, at + MINUTE)
    page = get("overview/past", at=at.isoformat())
    listed = get("paths", at=at.isoformat(), limit=500)["items"]
    dead = [item for item in listed if item["end_to_end"] == "dead"]
    assert [item["node"] for item in dead] == [path.node.name]
    assert (page["paths_total"], page["paths_dead"]) == (len(listed), 1)
    assert page["paths_unknown"] == sum(item["end_to_end"] == "unknown" for item in listed)
    assert _tile(page, "worst_paths")["total"] == sum(
        item["state"] in {"critical", "warning"} for item in listed
    )
    assert sum(policy["nodes"] for policy in page["policies"]) == len(listed)
    assert "1 path was dead" in page["headline"]


def test_failovers_and_outages_are_those_of_the_range_until_the_moment(observed: World, get: Any) -> None:
    at, path = observed.now, _path(observed)
    _switched(path, at - 2 * MINUTE, "atmgw")
    _switched(path, at - timedelta(hours=2), "atmgw")
    _switched(path, at + MINUTE, "atmgw")
    _outage(path, at - 20 * MINUTE, at - 19 * MINUTE)
    _outage(path, at - MINUTE, at + MINUTE)
    page = get("overview/past", at=at.isoformat(), start=(at - timedelta(hours=1)).isoformat())
    switched = _tile(page, "failovers")
    assert (switched["total"], len(switched["items"])) == (1, 1)
    assert switched["items"][0]["title"] == f"{path.active_text} → atmgw"
    assert "longest outage 140 ms" in switched["items"][0]["detail"]
    outages = _tile(page, "outages")
    assert (outages["total"], outages["items"][0]["state"]) == (2, "critical")
    assert "2 outages of 1 path, 1 ongoing, longest 1 min" in outages["items"][0]["detail"]
    assert _tile(get("overview/past", at=at.isoformat()), "failovers")["total"] == 2


def test_failover_on_a_fallback_is_counted_and_returns_to_the_past(observed: World, get: Any) -> None:
    at, path = observed.now, _path(observed)
    other = "atmgw" if path.active_text != "atmgw" else "grf1"
    PathSwitch.objects.create(
        path=path, uid=uuid.uuid4(), at=at + MINUTE, from_gateway=other, to_gateway=path.active_text,
        outage_ms=None, probe_interval_ms=50,
    )  # fmt: skip
    page = get("overview/past", at=at.isoformat())
    assert page["paths_on_fallback"] == 1
    (policy,) = [item for item in page["policies"] if item["policy_id"] == path.policy_id]
    assert other in {item["name"] for item in policy["active"]}
    assert "ok" not in {item["state"] for item in page["policies"]}


def test_busiest_links_have_the_loads_of_the_list(world: World, get: Any) -> None:
    at = world.now
    page = get("overview/past", at=at.isoformat())
    listed = get("links", at=at.isoformat(), sort="-utilisation", limit=5)["items"]
    used = [max(link[side]["utilisation"] for side in ("forward", "back") if link[side]) for link in listed]
    assert used == [
        max(link[side]["utilisation"] for side in ("forward", "back") if link[side])
        for link in page["top_links"]
    ]
    assert page["top_links"][0]["age_s"] is None


def test_held_nodes_are_those_of_the_moment(world: World, get: Any) -> None:
    at = world.now
    Hold.objects.create(
        node=world.node("sp01"), uid="1", origin="backend", person="oli", seconds=60, at=at - MINUTE,
        until=at, state="ended", since=at + MINUTE,
    )  # fmt: skip
    assert get("overview/past", at=at.isoformat())["held_nodes"] == 1
    assert get("overview/past", at=(at - 2 * MINUTE).isoformat())["held_nodes"] == 0


def test_moment_without_history_is_unknown_and_says_so(world: World, get: Any) -> None:
    page = get("overview/past", at="now-5h")
    nodes = Node.objects.filter(site=world.site).count()
    assert page["headline"] == "Nothing was measured at that time: history does not know its states."
    assert (_tile(page, "not_measured")["total"], page["top_links"]) == (nodes, [])
    assert page["paths_unknown"] == page["paths_total"]
    assert _tile(page, "nearly_full")["lag"].startswith("0 of ")
    Event.objects.all().delete()
    assert _tile(get("overview/past", at="now-5h"), "recent_changes")["lag"]
    assert page["not_kept"]


def test_node_that_was_not_measured_is_listed(world: World, get: Any) -> None:
    world.now = timezone.now() - timedelta(seconds=20)
    measure(world, but=("sp01",))
    page = get("overview/past", at=world.now.isoformat())
    listed = get("nodes", at=world.now.isoformat(), state="unknown", limit=500)["items"]
    assert "sp01" in {item["name"] for item in listed}
    assert _tile(page, "not_measured")["total"] == len(listed)


@pytest.mark.parametrize("at", ["now+1h", "tomorrow", "now-2y"])
def test_moment_that_is_no_past_is_refused(get: Any, at: str) -> None:
    assert get("overview/past", status=400, at=at)["code"] == "invalid"


def test_start_after_the_moment_is_refused(get: Any) -> None:
    assert get("overview/past", status=400, at="now-1h", start="now-30m")["fields"]["start"]


@pytest.mark.parametrize("nodes", [3, 9])
def test_number_of_queries_does_not_depend_on_the_site(
    db: None, nodes: int, django_assert_max_num_queries: Any
) -> None:
    world = World.make(nodes=nodes, name="casa", now=timezone.now() - timedelta(minutes=20))
    measure(world)
    with django_assert_max_num_queries(45):
        past_overview_facts(world.site, world.now, timezone.now(), world.now - timedelta(hours=1))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (PastHeadlineFacts(9, 9, PathTotals(5), 0, (), 0, 0), "No incident was open. 9 of 9 nodes measured."),
        (
            PastHeadlineFacts(9, 8, PathTotals(1, 2, 1, 1), 3, ("a.", "b", "c"), 1, 1),
            "1 path was dead, 2 on a fallback. 3 problems were open: a; b; and 1 more. 1 link direction was"
            " full. 1 of 5 paths unknown. 1 node was held. 1 of 9 nodes not measured.",
        ),
        (
            PastHeadlineFacts(9, 0, PathTotals(unknown=4), 0, (), 0, 0),
            "Nothing was measured at that time: history does not know its states.",
        ),
        (
            PastHeadlineFacts(9, 0, PathTotals(unknown=4), 1, ("a",), 0, 0),
            "1 problem was open: a. 4 of 4 paths unknown. 9 of 9 nodes not measured.",
        ),
    ],
)
def test_headline_never_says_that_all_was_well(facts: PastHeadlineFacts, expected: str) -> None:
    assert past_headline(facts) == expected
