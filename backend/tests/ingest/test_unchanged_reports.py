"""Reports that repeat what is stored: the same state as if they were compared, at the cost of their time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.api.tests.world import World
from backstay.intake.batches import store_batch
from backstay.inventory.models import Port, Site
from backstay.telemetry import partitions
from backstay.telemetry.ingest import senders
from backstay.telemetry.ingest.batch import Batch
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.models import DeviceMetric, Event, HostNetwork, NeighbourWatch, NodeState, PortState
from backstay.telemetry.selectors.neighbours import watches
from backstay.telemetry.selectors.nodes import collectors_of
from backstay.telemetry.states import metrics
from backstay_wire import (
    CollectorOutcome,
    CollectorReport,
    DeviceReport,
    HostNetworkReport,
    MetricReport,
    MetricValue,
    PortNetwork,
    Report,
    SpoolState,
)

HOST = "sp01"
BOOTED = timezone.now().replace(microsecond=0) - timedelta(hours=1)
OK, FAILED = CollectorOutcome.OK, CollectorOutcome.FAILED
TABLES = ("telemetry_portstate", "telemetry_hostnetwork", "telemetry_neighbourwatch")


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(partitions, "_known", set())  # The partitions are rolled back, this is not.
    world = World.make(now=timezone.now().replace(microsecond=0) - timedelta(minutes=5))
    for day in (world.now, world.now + timedelta(days=1)):
        partitions.ensure_day(day.date())
    return world


def device(world: World, names: list[str] | None = None) -> DeviceReport:
    uptime_s = (world.now - BOOTED).total_seconds()
    return world.device(HOST, names).model_copy(update={"uptime_s": uptime_s})


def collector(
    world: World, name: str, outcome: CollectorOutcome = OK, took_ms: float = 1.5
) -> CollectorReport:
    return CollectorReport(**world._head(HOST), collector=name, outcome=outcome, duration_ms=took_ms)


def neighbours(world: World, entries: int = 7, permanent: int = 2) -> MetricReport:
    values = {"neigh.ipv4_entries": entries, "neigh.permanent": permanent}
    counts = [MetricValue(metric=name, subject="css0", value=value) for name, value in values.items()]
    return MetricReport(**world._head(HOST), collector="neighbours", metrics=counts)


def network(world: World, forwards: bool = False) -> HostNetworkReport:
    ports = [PortNetwork(port="css0", forwards_ipv4=forwards)]
    return HostNetworkReport(**world._head(HOST), controllers=[], resolvers=[], ports=ports, rules=[])


def everything(world: World, took_ms: float = 1.5, ports: list[str] | None = None) -> list[Report]:
    return [
        device(world, ports),
        collector(world, "linux", took_ms=took_ms),
        collector(world, "linux-state"),
        neighbours(world),
        network(world),
    ]


def store(world: World, *reports: Report) -> list[str]:
    """Store them in one request; the statements that read or write the states."""
    agent = world.node(HOST).agent_id
    assert agent is not None
    sent = nanoseconds(world.now)
    with CaptureQueriesContext(connection) as queries:
        outcome = store_batch(Batch(agent, world.now, sent, SpoolState(), list(enumerate(reports))))
    assert outcome.stored == len(reports)
    for registered in connection.run_on_commit:
        registered[1]()
    connection.run_on_commit = []
    return [query["sql"] for query in queries]


def forget_digests() -> None:
    """As in rows of before the upgrade: everything is compared."""
    NodeState.objects.update(described_with=None, collectors_digest=None)
    NeighbourWatch.objects.update(digest=None)
    HostNetwork.objects.update(digest=None)


def seen(world: World) -> dict[str, Any]:
    """All that readers see of the host."""
    node = world.node(HOST)
    (watch,) = watches(Site.objects.get(), also=[node.pk])
    state = NodeState.objects.get(node=node)
    return {
        "collectors": collectors_of(node),
        "watch": (watch.at, watch.capacity, {name: _counts(table) for name, table in watch.tables.items()}),
        "network": HostNetwork.objects.values_list("ports", "rules", "at").get(),
        "node": (state.described_at, state.booted_at, state.sys_name, state.collector_outcome),
        "ports": list(
            PortState.objects.order_by("port_id").values_list("port_id", "oper_up", "since", "mtu")
        ),
        "events": sorted(Event.objects.values_list("kind", "message")),
    }


def _counts(table: Any) -> tuple[Any, ...]:
    return table.ipv4, table.permanent, table.recent[-1], table.missing, table.missing_after, table.missing_at


def rows(statements: list[str]) -> list[str]:
    return [text for text in statements if any(table in text for table in TABLES)]


def repeat(world: World, before: Callable[[], None]) -> None:
    store(world, *everything(world))
    for minute in range(3):
        world.forward(60)
        before()
        store(world, *everything(world, took_ms=2.5 + minute))


def test_repeated_reports_leave_what_comparing_them_leaves(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for before in (lambda: None, forget_digests):
        copy = world.copy()
        metrics.forget_layouts()
        monkeypatch.setattr(senders, "_duties", {})
        with transaction.atomic():
            repeat(copy, before)
            found.append(seen(copy))
            transaction.set_rollback(True)
    metrics.forget_layouts()
    assert found[0] == found[1]
    runs = {run.name: run for run in found[0]["collectors"]}
    assert (runs["linux"].duration_ms, runs["linux-state"].duration_ms) == (4.5, 1.5)
    assert runs["linux"].answered_at == runs["linux"].at


def test_repeated_reports_read_no_rows_of_ports_tables_or_networks(world: World) -> None:
    assert len(rows(store(world, *everything(world)))) >= 3
    world.forward(60)
    assert rows(store(world, *everything(world))) == []


def test_change_after_repeated_reports_is_stored_with_its_events(world: World) -> None:
    repeat(world, lambda: None)
    world.forward(60)
    world.down = {f"{HOST}:css0"}
    store(
        world,
        device(world),
        collector(world, "linux", FAILED),
        collector(world, "linux-state"),
        neighbours(world, entries=9, permanent=1),
        network(world, forwards=True),
    )
    found = seen(world)
    assert ("port.down", f"{HOST}:css0 went down") in found["events"]
    runs = {run.name: (run.outcome, run.at, run.answered_at) for run in found["collectors"]}
    assert runs["linux"] == ("failed", world.now, world.now - timedelta(seconds=60))
    assert runs["linux-state"] == ("ok", world.now, world.now)
    assert found["network"][0][0]["forwards_ipv4"] is True
    ipv4, permanent, _, missing, after, at = found["watch"][2]["css0"]
    assert (ipv4, permanent, missing) == (9, 1, 1)
    assert (after, at) == (world.now.timestamp() - 60, world.now.timestamp())


def test_one_of_several_collectors_that_runs_alone_is_stored(world: World) -> None:
    repeat(world, lambda: None)
    world.forward(60)
    store(world, collector(world, "linux", took_ms=9.0))
    runs = {run.name: (run.at, run.duration_ms) for run in collectors_of(world.node(HOST))}
    assert runs == {"linux": (world.now, 9.0), "linux-state": (world.now - timedelta(seconds=60), 1.5)}


def test_older_report_from_a_backlog_does_not_replace_a_repeated_one(world: World) -> None:
    store(world, *everything(world))
    old: list[Report] = [
        network(world, forwards=True),
        neighbours(world, entries=99),
        collector(world, "linux", FAILED),
    ]
    world.forward(60)
    store(world, *everything(world))
    before = seen(world)
    world.forward(5)
    shifted: list[Report] = [report.model_copy(update={"at": report.at + 30 * 10**9}) for report in old]
    store(world, *shifted)
    assert seen(world) == before


def test_restart_is_noticed_although_its_report_repeats_the_ports(world: World) -> None:
    store(world, world.device(HOST).model_copy(update={"uptime_s": 5000.0}))
    world.forward(60)
    store(world, world.device(HOST).model_copy(update={"uptime_s": 5060.0}))
    assert not Event.objects.filter(kind="node.restarted").exists()
    world.forward(60)
    store(world, world.device(HOST).model_copy(update={"uptime_s": 20.0}))
    assert Event.objects.filter(kind="node.restarted").count() == 1


def test_port_that_an_import_removed_is_created_again_by_the_next_repeated_report(world: World) -> None:
    repeat(world, lambda: None)
    ports = list(Port.objects.filter(node__name=HOST).order_by("pk").values_list("name", flat=True))
    Port.objects.get(node__name=HOST, name="css0").delete()
    site = Site.objects.get()
    Site.objects.update(version=site.version + 1)
    world.forward(60)
    store(world, *everything(world, ports=ports))
    assert PortState.objects.get(port__node__name=HOST, port__name="css0").oper_up


def test_ports_are_compared_every_ten_minutes(world: World) -> None:
    store(world, device(world))
    compared = []
    for minute in range(1, 12):
        world.forward(60)
        if rows(store(world, device(world))):
            compared.append(minute)
    assert compared == [10]


def test_newest_of_several_sets_of_metrics_in_one_request_is_the_current_one(world: World) -> None:
    sets = []
    for entries in (7, 8, 9):
        sets.append(neighbours(world, entries))
        world.forward(10)
    store(world, sets[2], sets[0], sets[1])
    current = DeviceMetric.objects.get(node=world.node(HOST), metric="neigh.ipv4_entries")
    assert current.number == 9
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM telemetry_metrichistory")
        assert cursor.fetchone() == (3,)


@pytest.mark.parametrize(
    "text", ['a "quoted", {braced} \\ text', "NULL", "", "\N{GREEK SMALL LETTER OMEGA} \U0001f600"]
)
def test_state_of_any_text_is_stored_as_it_is(world: World, text: str) -> None:
    values = [MetricValue(metric="x.state", subject="s", value=text), MetricValue(metric="x.n", value=1.5)]
    store(world, MetricReport(**world._head(HOST), collector="linux", metrics=values))
    found = DeviceMetric.objects.filter(node=world.node(HOST)).values_list("metric", "state", "number")
    assert sorted(found) == [("x.n", None, 1.5), ("x.state", text, None)]
