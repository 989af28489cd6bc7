"""Batches of several agents in one transaction: the same rows as alone, and no agent's fault is another's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.accounts.models import Agent
from backstay.alerts import evaluation_triggers as triggered
from backstay.api.tests.world import World
from backstay.intake.batches import store_batch
from backstay.intake.groups import store_group
from backstay.inventory.models import Node
from backstay.policy.models import Path, PathGap
from backstay.telemetry import partitions
from backstay.telemetry.ingest import layouts, limits, senders, store
from backstay.telemetry.ingest.batch import Batch, Outcome
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.ingest.group import can_join
from backstay.telemetry.models import ClockState, DaemonState, Event, HostNetwork, NodeState, PortState
from backstay_wire import (
    BfdSession,
    ClockReading,
    CollectorOutcome,
    CollectorReport,
    DaemonReport,
    HostNetworkReport,
    MetricReport,
    MetricValue,
    PortNetwork,
    RejectionCode,
    Report,
    SpoolState,
)

UP = {"grf1": True, "atmgw": True}
HOSTS = ("sp01", "sp02", "sp03")
Results = Sequence[Outcome | None]


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """Hosts that have reported: their assignments are cached, their paths have no news."""
    monkeypatch.setattr(partitions, "_known", set())  # The partitions are rolled back, this is not.
    world = World.make(now=timezone.now().replace(microsecond=0))
    for day in (world.now, world.now + timedelta(days=1)):
        partitions.ensure_day(day.date())
    world.describe()
    world.all_paths()
    _commit_caches()
    world.forward(10)
    return world


def _commit_caches() -> None:
    """What a committed request leaves in memory; the tests' transaction is rolled back."""
    for registered in connection.run_on_commit:
        registered[1]()
    connection.run_on_commit = []


def agent_of(world: World, host: str) -> UUID:
    agent = world.node(host).agent_id
    assert agent is not None
    return agent


def batch(world: World, host: str, *reports: Report, **values: Any) -> Batch:
    sent = nanoseconds(world.now)
    indexed = list(enumerate(reports))
    return Batch(agent_of(world, host), world.now, sent, SpoolState(), indexed, **values)


def collector(world: World, host: str, outcome: CollectorOutcome = CollectorOutcome.OK) -> CollectorReport:
    return CollectorReport(**world._head(host), collector="linux", outcome=outcome, duration_ms=1.5)


def metric(world: World, host: str, value: float) -> MetricReport:
    values = [MetricValue(metric="neigh.ipv4_entries", subject="eth0", value=value)]
    return MetricReport(**world._head(host), collector="linux", duration_ns=10**9, metrics=values)


def daemon(world: World, host: str) -> DaemonReport:
    sessions = [BfdSession(neighbour="10.1.0.1", port="eth0", state="Up")]
    return DaemonReport(
        **world._head(host), daemon="bird", version="2.0.12", running=True, protocols=[], bfd=sessions
    )


def network(world: World, host: str) -> HostNetworkReport:
    ports = [PortNetwork(port="eth0", forwards_ipv4=True)]
    return HostNetworkReport(**world._head(host), controllers=[], resolvers=[], ports=ports, rules=[])


def everything(world: World, host: str) -> Batch:
    """A batch of each kind that may be stored in a group."""
    clock = ClockReading(offset_ns=1_000_000, error_ns=500_000)
    reports = (
        world.samples(host),
        world.device(host),
        collector(world, host),
        metric(world, host, 7),
        daemon(world, host),
        network(world, host),
        world.path(host, "sp-default", "grf1", alive=UP),
    )
    return batch(world, host, *reports, clock=clock)


def heartbeats(world: World, hosts: Sequence[str] = HOSTS) -> list[Batch]:
    return [batch(world, host, world.path(host, "sp-default", "grf1", alive=UP)) for host in hosts]


def stored_times(world: World, hosts: Sequence[str] = HOSTS) -> dict[str, Any]:
    paths = Path.objects.filter(node__name__in=hosts, policy__name="sp-default")
    return dict(paths.values_list("node__name", "at"))


def _rows(table: str, columns: str, order: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {table} ORDER BY {order}")
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _database() -> dict[str, Any]:
    """Every row that a batch writes."""
    nodes = ("node_id", "last_reported_at", "described_at", "collectors", "collector_outcome", "booted_at")
    return {
        "samples": _rows("telemetry_samples", "node_id, ts, in_octets", "node_id, ts"),
        "newest": _rows("telemetry_newest", "node_id, ts, duration_ns", "node_id"),
        "ledger": _rows("telemetry_reportledger", "agent_id, boot, seqs::text", "agent_id, boot"),
        "metrics": _rows(
            "telemetry_metricset", "node_id, collector, at, numbers::text", "node_id, collector"
        ),
        "nodes": list(NodeState.objects.order_by("node_id").values_list(*nodes, "clock_offset_ms")),
        "ports": list(PortState.objects.order_by("port_id").values_list("port_id", "at", "oper_up", "since")),
        "paths": list(Path.objects.order_by("pk").values_list("pk", "at", "liveness", "target_rtt_us")),
        "clocks": list(ClockState.objects.order_by("node_id").values_list("node_id", "offset_ms", "recent")),
        "daemons": list(
            DaemonState.objects.order_by("node_id").values_list("node_id", "daemon", "version", "bfd", "at")
        ),
        "networks": list(HostNetwork.objects.order_by("node_id").values_list("node_id", "ports", "at")),
        "agents": list(
            Agent.objects.order_by("pk").values_list(
                "pk", "last_reported_at", "clock_offset_ms", "spool_waiting"
            )
        ),
        "events": sorted(Event.objects.values_list("kind", "message")),
        "gaps": PathGap.objects.count(),
    }


def _tried(world: World, store_all: Callable[[Sequence[Batch]], Results]) -> tuple[Results, dict[str, Any]]:
    """What is stored of a copy of the world, which is rolled back."""
    copy = world.copy()
    copy.down = {"sp02:css0"}
    with transaction.atomic():
        outcomes = store_all([everything(copy, host) for host in HOSTS])
        found = _database()
        transaction.set_rollback(True)
    connection.run_on_commit = []
    return outcomes, found


def test_group_stores_what_each_would_store_alone(world: World) -> None:
    before = len(_database()["samples"])
    alone = _tried(world, lambda batches: [store_batch(one) for one in batches])
    together = _tried(world, store_group)
    assert [outcome is not None and outcome.stored for outcome in together[0]] == [7, 7, 7]
    assert together == alone
    assert len(together[1]["samples"]) == before + len(HOSTS)
    assert ("port.down", "sp02:css0 went down") in together[1]["events"]


def test_statements_do_not_grow_with_the_number_of_agents(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    query = store.query

    def counted(statement: str, values: Any) -> Any:
        statements.append(statement)
        return query(statement, values)

    monkeypatch.setattr(store, "query", counted)
    counts = []
    for hosts in (HOSTS[:1], HOSTS):
        statements.clear()
        world.forward(10)
        assert None not in store_group(heartbeats(world, hosts))
        counts.append(len(statements))
    assert counts[0] == counts[1] == 6


def test_report_that_is_stored_already_is_a_duplicate_and_no_others_fault(world: World) -> None:
    first, second, third = (everything(world, host) for host in HOSTS)
    store_batch(replace(second, reports=second.reports[:2]))
    before = len(_database()["samples"])
    outcomes = store_group([first, second, third])
    assert [outcome and outcome.stored for outcome in outcomes] == [7, 5, 7]
    assert outcomes[1] is not None
    refused = [(item.index, item.code) for item in outcomes[1].rejected]
    assert refused == [(0, RejectionCode.DUPLICATE), (1, RejectionCode.DUPLICATE)]
    assert len(_database()["samples"]) == before + 2


def test_path_with_news_leaves_its_agent_out_and_nothing_of_it_is_stored(world: World) -> None:
    dead = world.path("sp02", "sp-default", "grf1", alive={"grf1": False, "atmgw": True})
    news = batch(world, "sp02", world.samples("sp02"), dead)
    before, samples = stored_times(world), _database()["samples"]
    outcomes = store_group([*heartbeats(world, ("sp01", "sp03")), news])
    assert [outcome is not None for outcome in outcomes] == [True, True, False]
    times = stored_times(world)
    assert (times["sp01"], times["sp02"], times["sp03"]) == (world.now, before["sp02"], world.now)
    assert _database()["samples"] == samples
    assert store_batch(news).stored == 2


def test_revoked_agents_are_left_out_and_enrolled_ones_are_read(world: World) -> None:
    Agent.objects.filter(pk=agent_of(world, "sp01")).update(revoked_at=world.now)
    Agent.objects.filter(pk=agent_of(world, "sp02")).update(revoked_at=world.now)
    twin = Agent.objects.create(site=world.site.name, node="sp02", public_key=b"t" * 32, version="1.0")
    Node.objects.filter(name="sp02").update(agent=twin)
    outcomes = store_group(heartbeats(world))
    assert [outcome is not None for outcome in outcomes] == [False, True, True]
    assert senders.assignments_of(senders.lock_free_senders([twin.pk]))[twin.pk].devices == {
        "sp02": world.node("sp02").pk
    }


def started(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when all agents start together: nothing is stored of them, and this process has read nothing."""
    monkeypatch.setattr(senders, "_duties", {})
    monkeypatch.setattr(layouts, "_cache", layouts.LayoutCache())
    NodeState.objects.all().delete()
    PortState.objects.all().delete()
    unknown = {"since": None, "at": None, "observed_from": None, "target_since": None}
    Path.objects.update(**unknown, active=None, active_text="", target_alive=None, liveness={})


def test_first_reports_of_all_agents_are_stored_together_as_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(world, monkeypatch)
    alone = _tried(world, lambda batches: [store_batch(one) for one in batches])
    started(world, monkeypatch)
    together = _tried(world, store_group)
    assert [outcome is not None and outcome.stored for outcome in together[0]] == [7, 7, 7]
    assert together == alone
    assert {path[1] for path in together[1]["paths"]} >= {world.now}


def test_statements_of_first_reports_do_not_grow_with_the_number_of_agents(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the ORM, savepoints included; those of `store.query` are counted above."""
    counts = []
    for hosts in (HOSTS[:1], HOSTS):
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            started(world, monkeypatch)
            batches = [everything(world, host) for host in hosts]
            before = len(queries)
            assert None not in store_group(batches)
            counts.append(len(queries) - before)
            transaction.set_rollback(True)
        connection.run_on_commit = []
    assert counts[0] == counts[1]


def test_value_that_cannot_be_stored_rolls_the_group_back(world: World) -> None:
    bad = batch(world, "sp02", replace_uptime(world, "sp02", 1e300))
    before = _database()
    assert store_group([*heartbeats(world, ("sp01", "sp03")), bad]) == [None] * 3
    assert _database() == before
    assert [item.code for item in store_batch(bad).rejected] == [RejectionCode.MALFORMED]
    assert None not in store_group(heartbeats(world, ("sp01", "sp03")))


def replace_uptime(world: World, host: str, seconds: float) -> Report:
    return world.device(host).model_copy(update={"uptime_s": seconds})


def test_two_batches_of_one_agent_are_not_stored_in_one_group(world: World) -> None:
    first, second = (batch(world, "sp01", world.samples("sp01")) for _ in range(2))
    assert [outcome is not None for outcome in store_group([first, second])] in ([True, False], [False, True])


def test_reports_of_events_backlogs_and_other_clocks_do_not_join(world: World) -> None:
    (plain,) = heartbeats(world, ("sp01",))
    moved = world.path("sp01", "sp-default", "atmgw", alive=UP, switch=world.switch("grf1", "atmgw"))
    lost = world.path("sp01", "sp-default", "grf1", alive=UP, outage=world.outage(3, 50))
    assert can_join(plain)
    assert not can_join(batch(world, "sp01", moved))
    assert not can_join(batch(world, "sp01", lost))
    assert not can_join(batch(world, "sp01", *(world.samples("sp01") for _ in range(33))))
    assert not can_join(replace(plain, malformed=1))
    assert not can_join(replace(plain, sent_ns=plain.sent_ns + 60 * 10**9))


def test_alerts_of_a_group_are_evaluated_in_another_thread(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[threading.Thread] = []
    done = threading.Event()

    def evaluate(site_id: int, kinds: object) -> None:
        evaluated.append(threading.current_thread())
        done.set()

    monkeypatch.setattr(triggered.evaluations, "_evaluate", evaluate)
    world.down = {"sp02:css0"}
    store_group([batch(world, host, world.device(host)) for host in HOSTS])
    _commit_caches()
    assert done.wait(10)
    assert evaluated[0] is not threading.current_thread()
    deadline = threading.Event()
    while not triggered.evaluations.is_idle:
        deadline.wait(0.01)


@pytest.mark.django_db(transaction=True)
def test_agent_that_another_transaction_holds_is_left_out_at_once() -> None:
    world = World.make(now=timezone.now().replace(microsecond=0))
    world.describe()
    world.all_paths()
    world.forward(10)
    known = connection.get_connection_params()
    with psycopg.connect(**{key: known[key] for key in ("host", "port", "user", "dbname")}) as other:
        other.execute("SELECT 1 FROM accounts_agent WHERE id = %s FOR UPDATE", [agent_of(world, "sp02")])
        outcomes = store_group(heartbeats(world))
        other.rollback()
    assert [outcome is not None for outcome in outcomes] == [True, False, True]
    assert None not in store_group(heartbeats(world, ("sp02",)))


@pytest.mark.django_db(transaction=True)
def test_row_that_stays_locked_gives_the_group_up_within_its_limit() -> None:
    world = World.make(now=timezone.now().replace(microsecond=0))
    world.describe()
    world.all_paths()
    world.forward(10)
    known = connection.get_connection_params()
    began = timezone.now()
    with psycopg.connect(**{key: known[key] for key in ("host", "port", "user", "dbname")}) as other:
        node = world.node("sp02").pk
        other.execute("SELECT 1 FROM telemetry_nodestate WHERE node_id = %s FOR UPDATE", [node])
        assert store_group(heartbeats(world)) == [None] * 3
        other.rollback()
    assert timezone.now() - began < timedelta(seconds=2)
    assert None not in store_group(heartbeats(world))


def test_database_that_is_away_leaves_all_to_be_stored_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise psycopg.OperationalError("the connection is lost")

    monkeypatch.setattr(limits, "limited_group", gone)
    assert store_group(heartbeats(world)) == [None] * 3
