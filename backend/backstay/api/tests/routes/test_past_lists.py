"""Lists at past moments: what the API said live is recorded, time moves on, and `at` must say the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.api.links.router import PAST_KEYS
from backstay.api.paths.router import PAST_SORTS
from backstay.api.tests.world import Json, World, bearer, kept, person
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.telemetry.selectors import site_history

LISTS = ("paths", "links")
SPS = ("sp01", "sp02", "sp03")
PATH_FIELDS = (
    *("active", "end_to_end", "placement", "on_fallback", "target_alive", "state", "preferred"),
    *("switches_24h", "switches_7d", "last_outage_at", "last_outage_ms"),
)
LINK_FIELDS = ("carrier", "state", "incidents", "usable_rate", "source", "target")
NOT_KEPT = ("standby", "rtt_ms", "age_s", "managed", "deployed", "engine", "move", "hold")


@dataclass
class Recorded:
    """What the API said at a moment."""

    at: datetime
    rows: dict[str, dict[str, Json]]
    """List -> name -> row."""
    groups: list[tuple[Any, ...]]


class Story:
    """Reports of the site while its clock runs; the API's clock is the same."""

    def __init__(self, world: World, get: Any) -> None:
        self.world, self.get = world, get
        self.recorded: list[Recorded] = []
        self.active, self.more = "grf1", dict[str, Any]()

    def heartbeat(self) -> None:
        """Every path as it is, through gateways that all answer."""
        world, up = self.world, {"grf1": True, "atmgw": True}
        world.report(
            [
                *(
                    world.path(
                        node, "sp-default", self.active, alive=up,
                        **{name: value[node] if isinstance(value, dict) else value
                           for name, value in self.more.items()},
                    )
                    for node in SPS
                ),
                world.path("router", "router-to-sp", "grf1", alive=up),
                world.path("origin1", "origin1-to-sp", "grf1", alive={"grf1": True, "router": True}),
            ]
        )  # fmt: skip

    def run(self, seconds: int) -> None:
        """Everything reports."""
        for _ in range(0, seconds, 2):
            self.world.forward(2)
            self.world.sample()
        self.heartbeat()

    def record(self) -> None:
        """Record what the API says, and let two minutes pass in which only the paths are reported."""
        self.world.describe()
        for seconds in (20, 2):  # What is recorded was reported before that moment, not at it.
            self.run(seconds)
        self.recorded.append(Recorded(self.world.now, *_lists(self.get)))
        self.run(4)
        for _ in range(6):
            self.world.forward(20)
            self.heartbeat()

    def switch(self, before: str, after: str) -> None:
        switches = {node: self.world.switch(before, after, outage_ms=0.0) for node in SPS}
        self.active, self.more = after, {"switch": switches}
        self.heartbeat()
        self.more = {}

    def play(self) -> None:
        """Working, on the fallback, dead, back with a link down, and all well."""
        self.record()
        self.switch("grf1", "atmgw")
        self.record()
        lasting = {node: self.world.outage(0.5) for node in SPS}
        began = self.world.now
        self.more = {"target_alive": False, "outage": lasting}
        self.record()
        lasted = (self.world.now - began).total_seconds() * 1000
        self.more = {"outage": {n: o.model_copy(update={"duration_ms": lasted}) for n, o in lasting.items()}}
        self.heartbeat()
        self.more = {}
        self.world.down.add("grf1:ga031")
        self.switch("atmgw", "grf1")
        self.record()
        self.world.down.clear()
        self.record()


def _lists(get: Any, **query: Any) -> tuple[dict[str, dict[str, Json]], list[tuple[Any, ...]]]:
    groups = get("paths/groups", **query)["items"]
    return (
        {kind: {row["name"]: row for row in get(kind, **query)["items"]} for kind in LISTS},
        sorted((row["text"], row["paths"], row["state"], row["active"]) for row in groups),
    )


def _reader() -> Any:
    client, headers = Client(), bearer(person("vera", Role.VIEWER, "argonne"), Role.VIEWER)

    def read(path: str, status: int = 200, **query: Any) -> Json:
        answer = client.get(f"/api/v1/{path}", query, headers=headers)
        assert answer.status_code == status, answer.content
        found: Json = answer.json()
        return found

    return read


@contextmanager
def _clock_of(world: World) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        # The moment may be in the hour before, which nothing rolls up here.
        patch.setattr(site_history, "_ROLLED_UP_AFTER_S", 7200)
        patch.setattr(timezone, "now", lambda: world.now)
        yield


@pytest.fixture(scope="module")
def played(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Story]:
    with kept(django_db_blocker):
        world = World.make(now=timezone.now() - timedelta(minutes=50))
        Site.objects.update(interval_s=2.0)
        world.site = Site.objects.get()
        story = Story(world, _reader())
        with _clock_of(world):
            story.play()
        yield story


@pytest.fixture
def story(played: Story, db: None) -> Iterator[Story]:
    found = Story(played.world.copy(), played.get)
    found.recorded = played.recorded
    with _clock_of(found.world):
        yield found


@pytest.fixture
def get(story: Story) -> Any:
    return story.get


def test_lists_are_what_the_api_said_then(story: Story, get: Any) -> None:
    seen = {row["state"] for then in story.recorded for row in then.rows["paths"].values()}
    assert {"ok", "warning", "critical"} <= seen
    assert {row["carrier"] for then in story.recorded for row in then.rows["links"].values()} >= {
        "up",
        "down",
    }
    for number, then in enumerate(story.recorded):
        rows, groups = _lists(get, at=then.at.isoformat())
        assert groups == then.groups
        for kind, fields in (("paths", PATH_FIELDS), ("links", LINK_FIELDS)):
            assert rows[kind].keys() == then.rows[kind].keys()
            for name, live in then.rows[kind].items():
                known = {field: rows[kind][name][field] for field in fields}
                assert known == {field: live[field] for field in fields}, (number, name)
        for name, live in then.rows["paths"].items():
            assert rows["paths"][name]["since"] in {None, live["since"]}
            assert [rows["paths"][name][field] for field in NOT_KEPT] == [None] * len(NOT_KEPT)


def test_filters_and_sorts_apply_to_the_moment(story: Story, get: Any) -> None:
    for then in story.recorded:
        at = then.at.isoformat()
        for kind in LISTS:
            for state in ("ok", "warning", "critical", "unknown"):
                named = {row["name"] for row in get(kind, at=at, state=state)["items"]}
                assert named == {name for name, row in then.rows[kind].items() if row["state"] == state}
        assert {row["name"] for row in get("paths", at=at, q="atmgw")["items"]} == {
            name for name, row in then.rows["paths"].items() if row["active"] == "atmgw"
        }


@pytest.mark.parametrize(("kind", "sorts"), [("paths", PAST_SORTS), ("links", PAST_KEYS)])
def test_pages_are_the_whole_list_in_its_order(story: Story, get: Any, kind: str, sorts: Any) -> None:
    at = story.recorded[1].at.isoformat()
    for sort in (*sorts, *(f"-{name}" for name in sorts)):
        whole = [row["name"] for row in get(kind, at=at, sort=sort)["items"]]
        paged: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = get(kind, at=at, sort=sort, limit=3, **cursor)
            paged += [row["name"] for row in page["items"]]
            if page["next"] is None:
                break
            cursor = {"cursor": page["next"]}
        assert paged == whole, sort
    assert "Cannot sort by 'age'" in get(kind, status=422, at=at, sort="age")["message"]


def test_paths_of_a_group_are_those_that_it_counts(story: Story, get: Any) -> None:
    at = story.recorded[1].at.isoformat()
    for group in get("paths/groups", at=at)["items"]:
        rows = get("paths", at=at, group=group["key"])["items"]
        assert (len(rows), {row["active"] for row in rows}) == (group["paths"], {group["active"]})
        assert group["standby"] is None


def test_time_without_reports_is_unknown(story: Story, get: Any) -> None:
    world = story.world
    world.forward(400)
    story.heartbeat()
    for at in (world.now - timedelta(seconds=200), story.recorded[0].at - timedelta(hours=5)):
        rows, _ = _lists(get, at=at.isoformat())
        for kind in LISTS:
            assert {row["state"] for row in rows[kind].values()} == {"unknown"}
        assert {row["state_text"] for row in rows["paths"].values()} == {"not measured at that time"}


def test_number_of_queries_does_not_depend_on_the_rows(story: Story, get: Any) -> None:
    at = story.recorded[1].at.isoformat()
    for kind in ("paths", "links", "paths/groups"):
        counted = []
        for limit in (1, 100):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                get(kind, at=at, limit=limit)
            counted.append(len(queries))
        # A first request reads the topology; groups of one read their paths.
        assert counted[1] <= counted[0] + 3, kind
