"""Outages of paths: measured by agents, reported late, twice and in any order."""

from __future__ import annotations

import importlib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstay.api.tests.world import World
from backstay.policy import path_history, path_states
from backstay.policy.models import Path, PathOutage, PathSwitch
from backstay.policy.observation import observe
from backstay.telemetry.facts import Facts, OutageSeen, PathSeen
from backstay.telemetry.models import Event


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    world.all_paths()
    return world


def path(world: World) -> Path:
    return Path.objects.get(node=world.node("sp01"), policy__name="sp-default")


def last(world: World) -> str | None:
    """The last outage as the lists show it."""
    row = path_states.paths(world.site, world.now).get(pk=path(world).pk)
    history = path_history.history_of(row)
    stored = path_history.last_outages([row.pk]).get(row.pk)
    if stored is None:
        return None
    found = path_history.outage_of(stored, row.at, world.now)
    assert history.last_outage_ms == pytest.approx(found.duration_ms)
    return found.text


def test_dead_path_without_a_switch_has_an_outage(world: World) -> None:
    ident = uuid.uuid4()
    for ago_s in (1, 11, 21):
        world.forward(10)
        outage = world.outage(ago_s, ident=ident)
        world.report([world.path("sp01", "sp-default", "grf1", target_alive=False, outage=outage)])
    assert last(world) == "at least 21 s, ongoing"
    world.forward(4)
    assert last(world) == "at least 25 s, ongoing"
    world.report([world.path("sp01", "sp-default", "grf1")])
    assert last(world) == "about 25 s"
    world.forward(0.2)
    ended = world.outage(25.2, 24_950.0, ident=ident)
    world.report([world.path("sp01", "sp-default", "grf1", outage=ended)])
    assert last(world) == "24.95 s"
    row = PathOutage.objects.get()
    assert (row.cause, row.measured_by, row.lost_probes) == ("target_dead", "probes", 499)
    assert row.end is not None
    assert row.end - row.start == timedelta(milliseconds=24_950)


def test_ongoing_outage_of_a_node_that_stopped_reporting_does_not_grow(world: World) -> None:
    world.forward(5)
    world.report([world.path("sp01", "sp-default", "grf1", target_alive=False, outage=world.outage(4))])
    world.forward(3600)
    assert last(world) == "at least 4 s, ongoing"


def test_event_of_the_recovery_is_amended_with_the_measured_outage(world: World) -> None:
    ident = uuid.uuid4()
    world.forward(5)
    dead = world.outage(1.1, ident=ident)
    world.report([world.path("sp01", "sp-default", "grf1", target_alive=False, outage=dead)])
    world.forward(19)
    world.report([world.path("sp01", "sp-default", "grf1")])
    event = Event.objects.get(kind="path.restored")
    assert event.message.endswith("10.9.0.1 is reachable again via grf1, outage about 20.1 s")
    world.forward(0.2)
    world.report([world.path("sp01", "sp-default", "grf1", outage=world.outage(20.3, 20_050.0, ident=ident))])
    event.refresh_from_db()
    assert event.message.endswith("10.9.0.1 is reachable again via grf1, outage 20.05 s")
    assert (event.data["outage_ms"], event.data["measured_by"]) == (20_050.0, "probes")


def test_failback_without_loss_does_not_hide_the_last_outage(world: World) -> None:
    ident = uuid.uuid4()
    world.forward()
    switch = world.switch("grf1", "atmgw", outage_ms=300.0)
    outage = world.outage(0.3, 300.0, ident=ident, cause="switch")
    world.report([world.path("sp01", "sp-default", "atmgw", switch=switch, outage=outage)])
    world.forward()
    back = world.switch("atmgw", "grf1", outage_ms=0.0)
    world.report([world.path("sp01", "sp-default", "grf1", switch=back)])
    assert last(world) == "300 ms"
    assert PathOutage.objects.get().uid == ident


def test_switch_of_an_agent_that_reports_no_outages_is_one(world: World) -> None:
    world.forward()
    switch = world.switch("grf1", "atmgw", outage_ms=131.0)
    for _ in range(2):
        world.forward(0.1)
        world.report([world.path("sp01", "sp-default", "atmgw", switch=switch)])
    row = PathOutage.objects.get()
    assert (row.uid, row.duration_ms, row.cause) == (switch.id, 131.0, "switch")
    assert last(world) == "131 ms"


def test_figure_after_ten_seconds_is_replaced_by_the_measured_one(world: World) -> None:
    world.forward(15)
    switch = world.switch("grf1", "atmgw", outage_ms=10_050.0)
    world.report([world.path("sp01", "sp-default", "atmgw", switch=switch)])
    world.forward(5)
    final = switch.model_copy(update={"outage_ms": 15_100.0})
    world.report([world.path("sp01", "sp-default", "atmgw", switch=final)])
    world.report([world.path("sp01", "sp-default", "atmgw", switch=switch)])
    assert PathSwitch.objects.get().outage_ms == 15_100.0
    assert Event.objects.get(kind="path.switched").message.endswith("outage 15.1 s")
    assert last(world) == "15.1 s"


def test_dead_target_of_an_agent_that_measures_no_outages_is_estimated(world: World) -> None:
    for _ in range(3):
        world.forward(10)
        world.report([world.path("sp01", "sp-default", "grf1", target_alive=False)])
    assert last(world) == "at least 20 s, ongoing"
    world.forward(5)
    world.report([world.path("sp01", "sp-default", "grf1")])
    assert last(world) == "about 25 s"
    assert PathOutage.objects.count() == 1


def test_outage_ends_with_the_next_one_if_its_agent_stopped(world: World) -> None:
    world.forward(10)
    world.report([world.path("sp01", "sp-default", "grf1", target_alive=False, outage=world.outage(5))])
    world.forward(20)
    outage = world.outage(2)
    world.report([world.path("sp01", "sp-default", "grf1", target_alive=False, outage=outage)])
    first, second = PathOutage.objects.order_by("start")
    assert first.end == second.start
    assert (first.measured_by, second.end) == ("reports", None)


def test_report_of_another_paths_outage_changes_nothing(world: World) -> None:
    world.forward(10)
    outage = world.outage(5)
    world.report([world.path("sp01", "sp-default", "grf1", target_alive=False, outage=outage)])
    foreign = outage.model_copy(update={"duration_ms": 1.0})
    world.report([world.path("sp02", "sp-default", "grf1", outage=foreign)])
    assert PathOutage.objects.get().end is None


def test_existing_history_becomes_outages(world: World) -> None:
    known = path(world)
    start = world.now - timedelta(hours=1)

    def switch(minutes: float, before: str, after: str, outage_ms: float | None) -> None:
        PathSwitch.objects.create(
            path=known, uid=uuid.uuid4(), at=start + timedelta(minutes=minutes), from_gateway=before,
            to_gateway=after, outage_ms=outage_ms, probe_interval_ms=50,
        )  # fmt: skip

    def event(minutes: float, kind: str) -> None:
        at, data = start + timedelta(minutes=minutes), {"path_id": known.pk}
        Event.objects.create(site=world.site, kind=kind, at=at, subject="sp01", message="", data=data)

    switch(0, "grf1", "atmgw", 300.0)
    switch(1, "atmgw", "grf1", 0.0)
    switch(2, "grf1", "atmgw", 10_040.0)
    switch(10, "atmgw", "", None)
    switch(11, "", "grf1", None)
    event(20, "path.dead")
    event(21, "path.restored")
    event(30, "path.restored")
    Event.objects.create(site=world.site, kind="path.dead", at=start, subject="x", message="", data={})
    migration = importlib.import_module("backstay.policy.migrations.0007_outages")
    with connection.cursor() as cursor:
        for statement in migration.FILL:
            cursor.execute(statement)
    assert list(PathOutage.objects.order_by("start").values_list("duration_ms", "cause", "measured_by")) == [
        (300.0, "switch", "probes"),
        (10_040.0, "switch", "reports"),
        (60_000.0, "no_route", "route"),
        (60_000.0, "target_dead", "reports"),
    ]
    known.refresh_from_db()
    assert known.observed_from == start


@dataclass(frozen=True)
class Down:
    """One outage of the true timeline, in seconds from its start."""

    start: float
    end: float
    died: float | None
    """When the agent stopped within it: nothing of it is reported afterwards."""


@st.composite
def timelines(draw: st.DrawFn, may_die: bool) -> list[Down]:
    found, at = [], 20.0
    for _ in range(draw(st.integers(1, 4))):
        start = at + draw(st.integers(1, 400)) / 10
        length = draw(st.integers(3, 400)) / 10
        died = start + length * draw(st.sampled_from([0.4, 0.8])) if may_die and draw(st.booleans()) else None
        found.append(Down(start, start + length, died if died is not None and died > start + 1.1 else None))
        at = start + length + 5
    return found


def reports(world: World, downs: Sequence[Down], until: float) -> list[PathSeen]:
    """What the agent of this timeline reports until then, in order of time."""
    found = [_seen(world, second, None) for second in range(0, int(until) + 1, 10) if _is_up(downs, second)]
    for number, down in enumerate(downs):
        outage = OutageSeen(uuid.UUID(int=number + 1), _at(world, down.start), None, "target_dead", 1, 50)
        at = down.start + 1.1
        while at < min(down.end, until, down.died or until):
            found.append(_seen(world, at, outage, alive=False))
            at += 10
        if down.end + 0.2 <= until:
            found.append(_seen(world, down.end, None))
        if down.end + 0.2 <= until and down.died is None:
            measured = replace(outage, duration_ms=round((down.end - down.start) * 1000, 3))
            found.append(_seen(world, down.end + 0.2, measured))
    return sorted(found, key=lambda seen: seen.at)


def _is_up(downs: Sequence[Down], second: float) -> bool:
    return not any(down.start <= second <= down.end + 0.2 for down in downs)


def _at(world: World, seconds: float) -> datetime:
    return world.now + timedelta(milliseconds=round(seconds * 1000))


def _seen(world: World, seconds: float, outage: OutageSeen | None, *, alive: bool = True) -> PathSeen:
    return PathSeen(
        node_id=world.node("sp01").pk, policy="sp-default", active="grf1", at=_at(world, seconds),
        target_alive=alive, target_rtt_us=900, liveness={}, switch=None, outage=outage,
    )  # fmt: skip


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def store(world: World, batches: Iterable[Sequence[PathSeen]]) -> None:
    for batch in batches:
        observe(Facts(site_id=world.site.pk, paths=list(batch)))


@st.composite
def deliveries(draw: st.DrawFn, sent: Sequence[PathSeen]) -> list[list[PathSeen]]:
    """Batches in any order, with repetitions."""
    repeated = draw(st.lists(st.sampled_from(sent), max_size=4))
    order = draw(st.permutations([*sent, *repeated]))
    size = draw(st.integers(1, 5))
    return [order[place : place + size] for place in range(0, len(order), size)]


LAWS = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@LAWS
@given(data=st.data())
def test_outages_equal_the_true_timeline_in_any_order_of_reports(world: World, data: st.DataObject) -> None:
    downs = data.draw(timelines(may_die=False))
    until = data.draw(st.floats(downs[0].start + 2, downs[-1].end + 30))
    with undone():
        store(world, data.draw(deliveries(reports(world, downs, until))))
        found = PathOutage.objects.order_by("start").values_list("start", "end", "measured_by")
        assert list(found) == [
            (_at(world, down.start), _at(world, down.end) if down.end + 0.2 <= until else None, "probes")
            for down in downs
            if down.end + 0.2 <= until or down.start + 1.1 < min(down.end, until)
        ]


@LAWS
@given(data=st.data())
def test_outage_whose_agent_stopped_ends_with_the_first_good_report(
    world: World, data: st.DataObject
) -> None:
    downs = data.draw(timelines(may_die=True))
    sent = reports(world, downs, downs[-1].end + 30)
    with undone():
        store(world, [sent])
        found = list(PathOutage.objects.order_by("start").values_list("start", "end", "measured_by"))
        assert found == [
            (_at(world, down.start), _at(world, down.end), "probes" if down.died is None else "reports")
            for down in downs
        ]


@LAWS
@given(data=st.data())
def test_no_outage_stays_open_behind_a_good_report(world: World, data: st.DataObject) -> None:
    downs = data.draw(timelines(may_die=True))
    sent = reports(world, downs, downs[-1].end + 30)
    good = {seen.at for seen in sent if seen.target_alive} | {_at(world, down.start) for down in downs}
    with undone():
        store(world, data.draw(deliveries(sent)))
        rows = list(PathOutage.objects.order_by("start"))
        assert [row.start for row in rows] == [_at(world, down.start) for down in downs]
        for row, down in zip(rows, downs, strict=True):
            assert row.end is not None
            if down.died is None:
                assert row.end == _at(world, down.end)
            else:
                assert row.end in good
                assert row.end >= _at(world, down.end)
