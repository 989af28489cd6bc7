"""A past moment: history is written, time moves on, and the answer for the moment is what it was then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backstay.alerts.models import Incident
from backstay.api.tests.history.measured_site import measure, open_incident
from backstay.api.tests.world import Json, World
from backstay.telemetry.models import PortState


def _at(moment: datetime) -> str:
    return moment.isoformat()


def _named(page: Json, kind: str) -> dict[str, Json]:
    return {item["name"]: item for item in page[kind]}


def _port(world: World, name: str) -> Any:
    node, port = name.split(":")
    return PortState.objects.filter(port__node__name=node, port__name=port, port__node__site=world.site)


def test_link_that_is_down_today_was_up(world: World, get: Any) -> None:
    before = world.now
    world.now = timezone.now() - timedelta(minutes=5)
    world.down.add("grf1:ga031")
    world.describe()
    measure(world)
    down = "grf1:ga031-router:at0"
    past = _named(get("topology/past", at=_at(before)), "links")[down]
    assert (past["carrier"], past["state"]) == ("up", "ok")
    assert past["forward"]["bps"] == pytest.approx(1e6, rel=0.2)
    present = _named(get("topology"), "links")[down]
    then = _named(get("topology/past", at=_at(world.now)), "links")[down]
    assert present["carrier"] == then["carrier"] == "down"


def test_link_that_is_up_again_was_down(world: World, get: Any) -> None:
    world.down.add("grf1:ga031")
    world.describe()
    measure(world)
    during = world.now
    world.now = timezone.now() - timedelta(minutes=5)
    world.down.clear()
    world.describe()
    measure(world)
    link = _named(get("topology/past", at=_at(during)), "links")["grf1:ga031-router:at0"]
    assert (link["carrier"], link["state"]) == ("down", "critical")


def test_what_was_not_stored_is_unknown(world: World, get: Any) -> None:
    world.now = timezone.now()
    measure(world)
    page = get("topology/past", at=_at(world.now - timedelta(hours=5)))
    assert {node["state"] for node in page["nodes"]} == {"unknown"}
    assert {link["state"] for link in page["links"]} == {"unknown"}
    assert {link["forward"] for link in page["links"]} == {None}
    assert {node["state_text"] for node in page["nodes"] if node["kind"] != "fabric"} == {
        "not measured at that time"
    }


def test_node_that_is_silent_today_reported(world: World, get: Any) -> None:
    before = world.now
    world.now = timezone.now() - timedelta(seconds=20)
    measure(world, but=("sp01",))
    assert _named(get("topology/past", at=_at(before)), "nodes")["sp01"]["state"] == "ok"
    assert _named(get("topology/past", at=_at(world.now)), "nodes")["sp01"]["state"] == "unknown"


def test_port_that_changed_after_its_events_expired_is_unknown(world: World, get: Any) -> None:
    before = world.now
    for port in ("grf1:ga031", "router:at0"):
        _port(world, port).update(since=timezone.now())
    link = _named(get("topology/past", at=_at(before)), "links")["grf1:ga031-router:at0"]
    assert (link["carrier"], link["state"]) == ("unknown", "unknown")
    assert link["forward"] is not None


def test_incidents_are_those_that_were_open_then(world: World, get: Any) -> None:
    first, resolved = world.now, world.now + timedelta(minutes=5)
    incident = open_incident(world, "grf1", first, resolved)
    Incident.objects.filter(pk=incident.pk).update(acknowledged_at=first + timedelta(minutes=3))
    (then,) = get("incidents", at=_at(first + timedelta(minutes=2)))["items"]
    assert (then["state"], then["phase"], then["resolved_at"]) == ("critical", "open", None)
    assert (then["age_s"], then["acknowledged_at"]) == (120, None)
    (later,) = get("incidents", at=_at(first + timedelta(minutes=4)))["items"]
    assert later["phase"] == "acknowledged"
    for outside in (first - timedelta(seconds=1), resolved):
        assert get("incidents", at=_at(outside))["items"] == []
    moment = _at(first + timedelta(minutes=2))
    assert _named(get("topology/past", at=moment), "nodes")["grf1"]["incidents"] == 1
    assert _named(get("topology/past", at=_at(resolved)), "nodes")["grf1"]["incidents"] == 0


@pytest.mark.parametrize("at", ["now+1h", "tomorrow", "now-2y"])
def test_moment_that_is_no_past_is_refused_alike_everywhere(get: Any, at: str) -> None:
    refused = [
        get(path, status=400, at=at)
        for path in ("topology/past", "incidents", "links", "nodes", "paths", "paths/groups")
    ]
    assert {answer["code"] for answer in refused} == {"invalid"}
    assert len({answer["message"] for answer in refused}) == 1


@pytest.mark.parametrize("nodes", [3, 9])
def test_number_of_queries_does_not_depend_on_the_site(
    db: None, nodes: int, django_assert_max_num_queries: Any
) -> None:
    from backstay.alerts.selectors.history.history_snapshot import past_map_facts

    world = World.make(nodes=nodes, name="casa", now=timezone.now() - timedelta(minutes=20))
    measure(world)
    with django_assert_max_num_queries(30):
        past_map_facts(world.site, world.now, timezone.now())
