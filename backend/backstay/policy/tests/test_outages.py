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
from backstay.policy import path_history, path_states, timeline
from backstay.policy.models import FailoverPolicy, Path, PathOutage, PathSwitch
from backstay.policy.observation import observe
from backstay.policy.outage_totals import outage_totals
from backstay.policy.path_history import outage_of
from backstay.telemetry.facts import Facts, OutageSeen, PathSeen
from backstay.telemetry.models import Event
from backstay_wire import PathOutage as WireOutage


def path(world: World) -> Path:
    return Path.objects.get(node=world.node("sp01"), policy__name="sp-default")


def last(world: World) -> str | None:
    """The last outage as the lists show it."""
    row = path_states.paths(world.site, world.now).get(pk=path(world).pk)
    history = path_history.history_of(row)
    stored = path_history.last_outages([row.pk]).get(row.pk)
    if stored is None:
        assert history.last_outage_ms is None
        return None
    found = path_history.outage_of(stored, row.at, world.now, world.site.interval_s)
    assert history.last_outage_ms == pytest.approx(found.duration_ms)
    return found.text


def test_a_path_that_always_worked_has_no_outage_rather_than_one_of_0_ms(world: World) -> None:
    world.report([world.path("sp01", "sp-default", "grf1")])
    assert last(world) is None


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


def dead(world: World, outage: WireOutage | None = None, *, alive: bool | None = False) -> None:
    world.report([world.path("sp01", "sp-default", "grf1", target_alive=alive, outage=outage)])


def restart_within_an_outage(world: World, ident: uuid.UUID) -> None:
    """The agent reports an outage since 20 s, restarts, and reports the rest of it under another id."""
    world.forward(10)
    dead(world, world.outage(5))
    world.forward(12)
    dead(world, alive=None)
    world.forward(3)
    dead(world, world.outage(2, ident=ident))


def texts(world: World) -> list[str]:
    """The outages of the last hour, as a timeline shows them."""
    known = Path.objects.select_related("policy").get(pk=path(world).pk)
    (found,) = timeline.timelines([known], world.now - timedelta(hours=1), world.now, world.now)
    return [outage.text for _, outage in found.outages]


def test_outage_over_a_restart_of_its_agent_is_one(world: World) -> None:
    ident = uuid.uuid4()
    restart_within_an_outage(world, ident)
    world.forward(7)
    assert texts(world) == [last(world)] == ["at least 27 s, ongoing"]
    world.report([world.path("sp01", "sp-default", "grf1", outage=world.outage(9, 8_950.0, ident=ident))])
    assert texts(world) == [last(world)] == ["about 26.95 s"]
    policy = FailoverPolicy.objects.get(site=world.site, name="sp-default")
    (total,) = (item for item in outage_totals(policy, "day", None, None, world.now) if item.outages)
    assert (total.outages, total.paths) == (1, 1)
    assert total.outage_s == pytest.approx(26.95)
    assert [event.kind for event in Event.objects.filter(kind__startswith="path.").order_by("pk")] == [
        "path.dead",
        "path.restored",
    ]
    restored = Event.objects.get(kind="path.restored")
    assert restored.message.endswith("is reachable again via grf1, outage about 26.95 s")
    assert restored.data["outage_ms"] == pytest.approx(26_950)


def test_timeline_shows_an_outage_over_a_restart_within_its_first_part(world: World) -> None:
    restart_within_an_outage(world, uuid.uuid4())
    start, end = world.now - timedelta(seconds=18), world.now - timedelta(seconds=10)
    known = Path.objects.select_related("policy").get(pk=path(world).pk)
    (found,) = timeline.timelines([known], start, end, world.now)
    (outage,) = (outage for _, outage in found.outages)
    assert (world.now - outage.start).total_seconds() == pytest.approx(20)


def test_path_that_works_when_its_agent_is_back_is_restored(world: World) -> None:
    world.forward(10)
    dead(world, world.outage(5))
    world.forward(12)
    dead(world, alive=None)
    world.forward(1)
    dead(world, alive=True)
    assert texts(world) == ["about 18 s"]
    restored = Event.objects.get(kind="path.restored")
    assert restored.message.endswith("is reachable again via grf1, outage about 18 s")


def test_outage_after_a_good_report_is_another_one(world: World) -> None:
    world.forward(10)
    dead(world, world.outage(5))
    world.forward(10)
    dead(world, alive=True)
    world.forward(10)
    dead(world, world.outage(2))
    assert texts(world) == ["about 15 s", "at least 2 s, ongoing"]


def test_late_end_of_the_first_part_makes_two_outages_again(world: World) -> None:
    first, second = uuid.uuid4(), uuid.uuid4()
    world.forward(10)
    dead(world, world.outage(5, ident=first, cause="no_route"))
    world.forward(15)
    dead(world, world.outage(2, ident=second))
    row = path_history.last_outages([path(world).pk])[path(world).pk]
    assert path_history.outage_of(row, world.now, world.now, world.site.interval_s).cause == "no_route"
    late = world.path("sp01", "sp-default", "grf1", outage=world.outage(20, 8_000.0, ident=first))
    late = late.model_copy(update={"at": late.at - 10_000_000_000})
    world.report([late])
    assert texts(world) == ["8 s", "at least 2 s, ongoing"]
    row.refresh_from_db()
    assert (row.earlier_start, row.earlier_cause) == (None, "")


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
def test_rows_of_one_outage_are_joined_in_any_order_of_reports(world: World, data: st.DataObject) -> None:
    """One outage in which the agent restarts up to three times, after one that ended."""
    restarts = data.draw(st.lists(st.integers(30, 60), max_size=3, unique=True).map(sorted))
    sent = [_seen(world, 0, None), _seen(world, 80.2, None)]
    for number, start in enumerate([5, 20, *restarts]):
        outage = OutageSeen(uuid.UUID(int=number + 1), _at(world, start), None, "target_dead", 1, 50)
        sent.append(_seen(world, start + 0.9, outage, alive=False))
    ends = {0: (5, 10.0), len(restarts) + 1: ([20, *restarts][-1], 80.0)}
    for number, (start, end) in ends.items():
        outage = OutageSeen(
            uuid.UUID(int=number + 1), _at(world, start), (end - start) * 1000, "target_dead", 1, 50
        )
        sent.append(_seen(world, end + 0.1, outage))
    with undone():
        store(world, data.draw(deliveries(sent)))
        whole = [outage_of(row, None, world.now, world.site.interval_s) for row in shown(world)]
        assert [(item.start, item.end) for item in whole] == [
            (_at(world, 5), _at(world, 10)),
            (_at(world, 20), _at(world, 80)),
        ]
        assert [item.duration_ms for item in whole] == [5_000.0, 60_000.0]


def shown(world: World) -> list[PathOutage]:
    known = Path.objects.select_related("policy").get(pk=path(world).pk)
    (found,) = timeline.timelines([known], _at(world, -60), _at(world, 120), _at(world, 120))
    return [row for row, _ in found.outages]


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
