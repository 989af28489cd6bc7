"""A sweep reports a whole fabric at once: the number of database statements is independent of its size."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.accounts.models import Agent
from backstay.alerts import services
from backstay.alerts.models import Flip, Incident, SiteRule
from backstay.api.tests.world import World
from backstay.core.model.progress import Phase
from backstay.intake.site_files import import_text
from backstay.inventory.models import Site
from backstay.inventory.services import attach_agent
from backstay.telemetry import partitions
from backstay.telemetry.ingest import store
from backstay.telemetry.models import AdjacencySet, Event, MetricSet, NodeState, PortState
from backstay.telemetry.states import metrics
from backstay_wire import (
    Adjacency,
    AdjacencyReport,
    CollectorOutcome,
    CollectorReport,
    MetricReport,
    MetricValue,
    Report,
)

pytestmark = pytest.mark.usefixtures("shown_at_once")

FEW, MANY = 4, 40
Tally = list[int]
Counted = Callable[[], Any]


def fabric_site() -> str:
    """Pairs of switches with a cable between them, all swept from one host."""
    sources = [{"kind": "linux"}, {"kind": "infiniband", "fabric": "ib"}]
    nodes: list[dict[str, Any]] = [
        {"name": "mgmt1", "kind": "host", "role": "management", "agent": "self", "sources": sources}
    ]
    nodes += [
        {"name": name, "kind": "switch", "agent": "mgmt1", "guid": f"0x{number:016x}"}
        | {"ports": [{"name": port, "fabric": "ib"} for port in ("1", "2")]}
        for number, name in enumerate(names(FEW + MANY), 1)
    ]
    links = [{"a": f"{a}:1", "b": f"{b}:1"} for a, b in pairs(names(FEW + MANY))]
    fabric = {"name": "ib", "kind": "infiniband", "media_rate": "10 Gb/s", "usable_rate": "8 Gb/s"}
    return json.dumps({"site": "swept", "interval_s": 2, "fabrics": [fabric], "nodes": nodes, "links": links})


def names(number: int, first: int = 0) -> list[str]:
    return [f"isw{index:02}" for index in range(first, first + number)]


def pairs(devices: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(devices[::2], devices[1::2], strict=True))


SHARES: Mapping[int, list[str]] = {FEW: names(FEW), MANY: names(MANY, FEW)}


@pytest.fixture
def world(
    db: None, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> World:
    """Its agent has reported, so that statements for new agents are not counted."""
    metrics.forget_layouts()
    now = timezone.now().replace(microsecond=0)
    days = {(now + timedelta(days=ahead)).date() for ahead in (0, 1)}
    for day in days:
        partitions.ensure_day(day)
    monkeypatch.setattr(partitions, "_known", days)
    import_text(fabric_site(), "swept.yaml", now)
    attach_agent(Agent.objects.create(site="swept", node="mgmt1", public_key=b"key".ljust(32, b".")))
    world = World(Site.objects.get(name="swept"), now)
    # Rules that reports trigger use the clock: a slow machine must not make the reports old.
    monkeypatch.setattr(timezone, "now", lambda: world.now)
    with django_capture_on_commit_callbacks(execute=True):
        world.describe("mgmt1")
        services.run_round(world.now)
    return world


@pytest.fixture
def counted(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> Counted:
    """A context that counts statements, Django's and prepared ones, up to the commit."""

    @contextmanager
    def count() -> Iterator[Tally]:
        tally: Tally = []
        prepared: list[str] = []
        query = store.query

        def noted(statement: str, values: Any) -> list[tuple[Any, ...]]:
            prepared.append(statement)
            return query(statement, values)

        with monkeypatch.context() as patch, CaptureQueriesContext(connection) as captured:
            patch.setattr(store, "query", noted)
            with django_capture_on_commit_callbacks(execute=True):
                yield tally
        tally.append(len(captured) + len(prepared))

    return count


def states(world: World, devices: Sequence[str]) -> list[Report]:
    """Four reports per device: ports, neighbours, metrics, and the collector's outcome."""
    reports: list[Report] = []
    for name in devices:
        base = world.samples(name)
        head = {"boot": base.boot, "device": name, "at": base.at}
        reports.append(world.device(name))
        reports.append(
            AdjacencyReport(
                **head,
                seq=next_seq(world),
                source="infiniband",
                adjacencies=[Adjacency(port="2", peer_name=f"h-{name}", peer_port="1")],
            )
        )
        reports.append(
            MetricReport(
                **head,
                seq=next_seq(world),
                collector="infiniband",
                duration_ns=2 * 10**9,
                metrics=[MetricValue(subject="1", metric="ib.symbol_errors", value=0)],
            )
        )
        reports.append(
            CollectorReport(
                **head,
                seq=next_seq(world),
                collector="infiniband",
                outcome=CollectorOutcome.OK,
                duration_ms=2.5,
            )
        )
    return reports


def next_seq(world: World) -> int:
    world.seq += 1
    return world.seq


def test_new_devices_need_a_constant_number_of_statements(world: World, counted: Counted) -> None:
    tallies: dict[int, Tally] = {}
    for share, devices in SHARES.items():
        reports = states(world, devices)
        with counted() as tallies[share]:
            world.report(reports)
    assert tallies[FEW] == tallies[MANY]
    described = NodeState.objects.filter(node__name__startswith="isw", described_at__isnull=False)
    assert described.count() == MetricSet.objects.count() == AdjacencySet.objects.count() == FEW + MANY
    assert PortState.objects.filter(oper_up=True).count() == 2 * (FEW + MANY)
    assert NodeState.objects.filter(collector_outcome="ok").count() == FEW + MANY


def test_repeated_descriptions_are_stored_with_a_constant_number_of_statements(
    world: World, counted: Counted
) -> None:
    world.report(states(world, names(FEW + MANY)))
    since = dict(PortState.objects.values_list("port_id", "since"))
    tallies: dict[int, Tally] = {}
    for share, devices in SHARES.items():
        world.forward(60)
        reports = states(world, devices)
        with counted() as tallies[share]:
            world.report(reports)
        assert set(PortState.objects.filter(port__node__name__in=devices).values_list("at")) == {(world.now,)}
        assert set(AdjacencySet.objects.filter(node__name__in=devices).values_list("at")) == {(world.now,)}
    assert tallies[FEW] == tallies[MANY]
    assert dict(PortState.objects.values_list("port_id", "since")) == since
    (answer,) = AdjacencySet.objects.get(node__name="isw00").entries
    assert answer["since"] < world.now.isoformat()


def test_samples_of_unknown_layouts_need_a_constant_number_of_statements(
    world: World, counted: Counted
) -> None:
    tallies: dict[int, Tally] = {}
    for share, devices in SHARES.items():
        reports = [world.samples(name) for name in devices]
        with counted() as tallies[share]:
            world.report(reports)
    assert tallies[FEW] == tallies[MANY]


def test_simultaneous_port_changes_need_a_constant_number_of_statements(
    world: World, counted: Counted
) -> None:
    world.report(states(world, names(FEW + MANY)))
    fallen: dict[int, Tally] = {}
    risen: dict[int, Tally] = {}
    for share, devices in SHARES.items():
        world.forward()
        world.down = {f"{name}:1" for name in devices}
        reports = [world.device(name) for name in devices]
        with counted() as fallen[share]:
            world.report(reports)
        assert opened(world, "port_down") == share // 2
        world.forward()
        world.down = set()
        reports = [world.device(name) for name in devices]
        with counted() as risen[share]:
            world.report(reports)
        assert opened(world, "port_down") == 0
    assert fallen[FEW] == fallen[MANY]
    assert risen[FEW] == risen[MANY]
    links = (FEW + MANY) // 2
    for kind, number in (("port.down", 2), ("port.up", 2), ("incident.opened", 1), ("incident.resolved", 1)):
        assert Event.objects.filter(kind=kind).count() == number * links
    assert set(Flip.objects.values_list("from_phase", "to_phase")) == {("", "open"), ("open", "resolved")}
    answer = Event.objects.filter(kind="incident.resolved").values_list("message", flat=True)
    assert all(message.startswith("Resolved after ") for message in answer)
    assert any(message.endswith("isw00:1-isw01:1 is down") for message in answer)


def test_devices_that_stop_and_resume_reporting_need_a_constant_number_of_statements(
    world: World, counted: Counted
) -> None:
    # The latter two are not evaluated in each round: in one share and not in the other.
    SiteRule.objects.filter(kind__in=["reporting_lost", "load_below_usual", "cable"]).update(enabled=False)
    world.report(states(world, names(FEW + MANY)))
    services.run_round(world.now)
    silent: dict[int, Tally] = {}
    still: dict[int, Tally] = {}
    reported: dict[int, Tally] = {}
    for share, devices in SHARES.items():
        services.run_round(world.now)  # A batch removes the marks of what rounds evaluated.
        states_of = NodeState.objects.filter(node__name__in=devices)
        states_of.update(last_reported_at=world.now - timedelta(seconds=300))
        with counted() as silent[share]:
            services.run_round(world.now)
        assert opened(world, "node_stale") == share
        with counted() as still[share]:
            services.run_round(world.now)
        world.forward()
        reports = states(world, devices)
        with counted() as reported[share]:
            world.report(reports)
        assert opened(world, "node_stale") == 0
    assert silent[FEW] == silent[MANY]
    assert still[FEW] == still[MANY]
    assert reported[FEW] == reported[MANY]
    for kind in ("node.stale", "node.reporting"):
        assert Event.objects.filter(kind=kind).count() == FEW + MANY


def test_two_descriptions_of_a_device_in_a_batch_are_stored_in_order(world: World) -> None:
    world.report([world.device("isw00")])
    world.forward()
    world.down = {"isw00:1"}
    fell = world.device("isw00")
    world.forward()
    world.down = set()
    rose = world.device("isw00")
    world.report([rose, fell])
    answer = Event.objects.filter(kind__startswith="port.").order_by("at").values_list("kind", "subject")
    assert list(answer) == [("port.down", "isw00:1"), ("port.up", "isw00:1")]
    state = PortState.objects.get(port__node__name="isw00", port__name="1")
    assert (state.oper_up, state.since, state.at) == (True, world.now, world.now)


def test_duplicate_port_in_a_description_is_stored_once(world: World) -> None:
    report = world.device("isw00")
    (outcome,) = world.report([report.model_copy(update={"ports": [*report.ports, report.ports[0]]})])
    assert outcome.stored == 1
    assert PortState.objects.filter(port__node__name="isw00").count() == 2


def opened(world: World, kind: str) -> int:
    """Unresolved incidents of a kind."""
    rows = Incident.objects.filter(site=world.site, rule__kind=kind)
    return rows.exclude(phase__in=[Phase.RESOLVED, Phase.PENDING]).count()
