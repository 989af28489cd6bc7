"""The overview is one snapshot; it names the culprit from the paths' own reports and groups what happened."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.alerts.models import Incident, SiteRule
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.policy.models import FailoverPolicy

pytestmark = pytest.mark.usefixtures("shown_at_once")


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make()
        world.describe()
        world.all_paths()
        world.sample()
        yield world


@pytest.fixture
def world(made: World, db: None) -> World:
    return made.copy()


@pytest.fixture
def get(client: Client, world: World, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Reads of the API at the world's time."""
    headers = bearer(person("reader", Role.VIEWER))
    monkeypatch.setattr(timezone, "now", lambda: world.now)

    def call(path: str) -> Any:
        reply = client.get(f"/api/v1/{path}", headers=headers)
        assert reply.status_code == 200, reply.content
        return reply.json()

    return call


def tile(overview: Any, kind: str) -> Any:
    return next(item for item in overview["tiles"] if item["kind"] == kind)


def kill_target(world: World, gateway: str = "grf1") -> None:
    """The compute nodes' target does not answer through the gateway, which itself answers."""
    alive = {"grf1": True, "atmgw": True}
    for name in world.devices():
        if name.startswith("sp"):
            path = world.path(
                name, "sp-default", gateway, alive=alive, target_alive=False, forwards={gateway: False}
            )
            world.report([path])


def test_dead_paths_are_the_headline_before_any_rule_has_been_evaluated(get: Any, world: World) -> None:
    world.forward(1)
    kill_target(world)
    assert not Incident.objects.exists()
    overview = get("overview")
    assert overview["headline"].startswith("grf1 is reachable but not forwarding: 3 paths dead.")
    assert (overview["paths_dead"], overview["paths_on_fallback"]) == (3, 0)
    problems = tile(overview, "problems")
    assert (problems["total"], problems["items"][0]["state"]) == (1, "critical")
    states = {item["policy"]: (item["state"], item["state_text"]) for item in overview["policies"]}
    assert states["sp-default"] == ("critical", "all dead")


def test_dead_path_on_the_fallback_is_blamed_on_the_gateway_that_it_left(get: Any, world: World) -> None:
    world.forward(1)
    alive = {"grf1": False, "atmgw": True}
    for number, name in enumerate(["sp01", "sp02", "sp03"]):
        world.report([world.path(name, "sp-default", "atmgw", alive=alive, target_alive=number > 0)])
    headline = get("overview")["headline"]
    assert headline.startswith("grf1 is unreachable: 1 path dead, 2 rerouted to atmgw.")


def test_culprit_is_named_with_its_rerouted_paths(get: Any, world: World) -> None:
    world.forward(1)
    world.fail_over()
    first = get("overview")
    assert first["headline"].startswith("grf1 is unreachable: 3 paths rerouted to atmgw.")
    assert (first["root_causes"], tile(first, "problems")["total"]) == (0, 1)
    services.run_round(world.now)
    overview = get("overview")
    assert overview["headline"].startswith("grf1 is unreachable: 3 paths rerouted to atmgw.")
    assert (overview["root_causes"], tile(overview, "problems")["total"]) == (1, 1)
    assert (overview["paths_total"], overview["paths_on_fallback"]) == (5, 3)


def test_open_root_cause_gives_the_headline_its_words(get: Any, world: World) -> None:
    world.forward(1)
    world.fail_over()
    services.run_round(world.now)
    rule, _ = SiteRule.objects.get_or_create(site=world.site, kind="gateway_isolated")
    Incident.objects.update(rule=rule, title="grf1 lost all links: 3 paths rerouted to atmgw", cause=None)
    headline = get("overview")["headline"]
    assert headline.startswith("grf1 lost all links: 3 paths rerouted to atmgw.")


def test_policy_that_no_change_has_deployed_is_no_fault(get: Any, world: World) -> None:
    world.forward(1)
    world.fail_over()
    FailoverPolicy.objects.filter(name="sp-default").update(origin="operator")
    Site.objects.filter(pk=world.site.pk).update(version=F("version") + 1)
    overview = get("overview")
    assert (overview["paths_total"], overview["paths_on_fallback"]) == (2, 0)
    assert "rerouted" not in overview["headline"]
    assert {item["policy"] for item in get("paths")["items"] if not item["in_force"]} == {"sp-default"}


def test_counts_of_the_navigation_are_those_of_the_overview(get: Any, world: World) -> None:
    world.fail_over()
    world.forward(30)
    services.run_round(world.now)
    overview, counts = get("overview"), get("overview/counts")
    for name in ("root_causes", "open_incidents", "awaiting"):
        assert counts[name] == overview[name]
    assert tile(overview, "problems")["total"] == counts["root_causes"]
    assert counts["open_incidents"] == len(get("incidents?phase=current&limit=500")["items"])


def test_tile_of_problems_shows_the_age_of_a_late_evaluation(get: Any, world: World) -> None:
    assert tile(get("overview"), "problems")["lag"] == "The alert rules have never been evaluated."
    services.run_round(world.now)
    assert tile(get("overview"), "problems")["lag"] == ""
    world.forward(40)
    late = tile(get("overview"), "problems")
    assert late["lag"].startswith("The alert rules were last evaluated ")
    assert late["as_of"] < get("overview")["at"]


def recover(world: World, outage_ms: float = 300.0) -> None:
    """20 s later the gateway is back."""
    world.forward(20)
    world.describe()
    alive = {"grf1": True, "atmgw": True}
    for name in world.devices():
        if name.startswith("sp"):
            switch = world.switch("atmgw", "grf1", outage_ms=outage_ms)
            world.report([world.path(name, "sp-default", "grf1", alive=alive, switch=switch)])
    services.run_round(world.now)


def test_a_fault_and_its_end_are_one_row(get: Any, world: World) -> None:
    world.forward()
    world.fail_over()
    services.run_round(world.now)
    recover(world)
    (group,) = get("events/groups?about=changes")["items"]
    assert (group["title"], group["state"], group["events"]) == ("grf1 failed over", "ok", 6)
    assert group["detail"] == "3 paths rerouted to atmgw, at most 300 ms lost, restored"
    assert group["end"] is not None
    assert group["incident_id"] == Incident.objects.get().pk
    (item,) = tile(get("overview"), "recent_changes")["items"]
    assert (item["title"], item["detail"]) == (group["title"], group["detail"])
    assert (item["since"], item["until"]) == (group["start"], group["end"])


def test_causes_of_one_gateway_that_follow_each_other_are_one_row(get: Any, world: World) -> None:
    world.forward()
    world.fail_over()
    services.run_round(world.now)
    first = Incident.objects.get(rule__kind="gateway_failed_over")
    for kind in ("gateway_unreachable", "gateway_isolated"):
        SiteRule.objects.get_or_create(site=world.site, kind=kind)
    rules = dict(SiteRule.objects.filter(site=world.site).values_list("kind", "pk"))
    changed = first.opened_at + timedelta(seconds=3)
    later = Incident.objects.get(pk=first.pk)
    later.pk, later.rule_id, later.opened_at = None, rules["gateway_isolated"], changed
    later.fingerprint = "gateway_isolated:grf1"
    later.save()
    recover(world)
    Incident.objects.filter(pk=later.pk).update(title="grf1 lost all links: 3 paths rerouted to atmgw")
    Incident.objects.filter(pk=first.pk).update(
        rule=rules["gateway_unreachable"], title="grf1 is unreachable", phase="resolved", resolved_at=changed
    )
    (group,) = get("events/groups?about=paths")["items"]
    assert (group["title"], group["incident_id"]) == ("grf1 lost all links", later.pk)
    Incident.objects.filter(pk=later.pk).update(phase="resolved", resolved_at=world.now)
    Incident.objects.filter(pk=first.pk).update(phase="open", resolved_at=None, cause=None)
    (group,) = get("events/groups?about=paths&limit=9")["items"]
    assert (group["title"], group["incident_id"]) == ("grf1 is unreachable", first.pk)


def test_events_of_a_group_are_the_groups_events(get: Any, world: World) -> None:
    world.forward()
    world.fail_over()
    services.run_round(world.now)
    recover(world)
    world.forward(300)
    world.down.add("onyx1:hip0")
    world.describe("onyx1")
    groups = get("events/groups")
    assert groups["total"] == len(groups["items"]) > 1
    seen: list[int] = []
    for group in groups["items"]:
        period = f"start={group['first_at']}&end={group['last_at']}".replace("+", "%2B")
        events = get(f"events?group={group['key']}&{period}&limit=500")["items"]
        assert len(events) == group["events"], group["key"]
        seen += [event["id"] for event in events]
    assert sorted(seen) == sorted(event["id"] for event in get("events?limit=500")["items"])


def test_groups_are_paged_without_gaps_and_follow_the_range(get: Any, world: World) -> None:
    for _ in range(3):
        world.forward(300)
        world.down ^= {"onyx1:hip0"}
        world.describe("onyx1")
    whole = get("events/groups?q=hip0")["items"]
    assert len(whole) == 3
    found, cursor = [], ""
    while True:
        page = get(f"events/groups?q=hip0&limit=1&cursor={cursor}")
        found += page["items"]
        assert page["total"] == 3
        if page["next"] is None:
            break
        cursor = page["next"]
    assert [item["key"] for item in found] == [item["key"] for item in whole]
    start = (world.now - timedelta(seconds=310)).isoformat().replace("+", "%2B")
    assert len(get(f"events/groups?q=hip0&start={start}")["items"]) == 2
    changes = get(f"events/groups?about=changes&start={start}")
    assert tile(get(f"overview?start={start}"), "recent_changes")["total"] == changes["total"]
    assert changes["total"] >= 2


def test_short_moves_without_an_incident_are_grouped_by_gateway_and_time(get: Any, world: World) -> None:
    world.forward()
    world.fail_over()
    world.forward(5)
    world.fail_back()
    (group,) = get("events/groups?about=paths")["items"]
    assert (group["title"], group["rerouted"], group["affected"]) == ("3 paths left grf1", 3, 0)
    world.forward(120)
    world.fail_over()
    assert [item["affected"] for item in get("events/groups?about=paths")["items"]] == [3, 0]


def test_path_that_dies_after_its_failover_is_dead_and_not_rerouted(get: Any, world: World) -> None:
    world.forward()
    world.fail_over()
    world.forward(1)
    alive = {"grf1": False, "atmgw": True}
    world.report([world.path("sp01", "sp-default", "atmgw", alive=alive, target_alive=False)])
    services.run_round(world.now)
    (group,) = get("events/groups?about=paths")["items"]
    assert (group["dead"], group["rerouted"], group["affected"]) == (1, 2, 3)
    overview = get("overview")
    assert (overview["paths_dead"], overview["paths_on_fallback"]) == (1, 2)


def test_number_of_queries_is_independent_of_the_number_of_events(get: Any, world: World) -> None:
    world.forward()
    world.fail_over()
    services.run_round(world.now)
    get("events/groups")
    with CaptureQueriesContext(connection) as few:
        get("events/groups")
    for _ in range(5):
        recover(world)
        world.forward(100)
        world.fail_over()
        services.run_round(world.now)
    get("events/groups")
    with CaptureQueriesContext(connection) as many:
        get("events/groups")
    assert len(many) <= len(few)


def test_wrong_cursors_and_sorts_are_refused(client: Client, world: World) -> None:
    headers = bearer(person("reader", Role.VIEWER))
    for query, status in (("cursor=x", 400), ("sort=since", 422), ("sort=name", 422), ("start=never", 400)):
        reply = client.get(f"/api/v1/events/groups?{query}", headers=headers)
        assert reply.status_code == status, query
