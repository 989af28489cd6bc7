"""Two sources of one device's samples, two sweeps of one fabric, and an interrupted ingest."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from backstay.accounts.models import Agent
from backstay.alerts import heartbeat, services
from backstay.alerts.models import Incident, Round
from backstay.api.tests.world import World
from backstay.intake.batches import store_batch
from backstay.inventory.models import Port
from backstay.telemetry.ingest.batch import Batch
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.ingest.store import query
from backstay.telemetry.models import AdjacencySet, Event, MetricSet
from backstay.telemetry.selectors.link_ends import ends_now
from backstay.telemetry.selectors.ports import port_now
from backstay.telemetry.selectors.ports import ports as selected_ports
from backstay.telemetry.states import metrics
from backstay_wire import (
    Adjacency,
    AdjacencyReport,
    MetricReport,
    MetricValue,
    PortSamples,
    Report,
    SpoolState,
)


@pytest.fixture
def world(db: None) -> World:
    metrics.forget_layouts()
    return World.make()


def sampled(world: World, seconds: float, **octets: int) -> None:
    """`router` reports these ports: octets in, over an interval in seconds."""
    world.seq += 1
    values = list(octets.values())
    report = PortSamples(
        boot=world.boot,
        seq=world.seq,
        device="router",
        at=nanoseconds(world.now),
        duration_ns=int(seconds * 1e9),
        ports=list(octets),
        in_octets=values,
        out_octets=values,
        in_packets=values,
        out_packets=values,
    )
    (outcome,) = world.report([report])
    assert outcome.stored == 1


def loads(world: World) -> dict[str, int | None]:
    """Port of `router` -> bit/s in, as on the map; the ports page must agree."""
    ports = {port.pk: port.name for port in Port.objects.filter(node=world.node("router"))}
    ends = {ports[pk]: end.reading.in_bps for pk, end in ends_now(ports).items() if end.reading}
    found = selected_ports(world.site, world.now, node="router")
    rows = [row for row in map(port_now, found) if row.at]
    assert {row.name: row.in_bps for row in rows} == ends
    assert len(rows) == len(ends)
    return ends


def test_port_is_shown_from_its_source(world: World) -> None:
    sampled(world, 2, at0=200, at1=400)
    world.forward(1)
    sampled(world, 2, at2=600)
    assert loads(world) == {"at0": 800, "at1": 1600, "at2": 2400}
    world.forward(1)
    sampled(world, 2, at0=300, at1=400)
    assert loads(world) == {"at0": 1200, "at1": 1600, "at2": 2400}


def test_port_of_two_sources_is_stable_and_survives_the_loss_of_either(world: World) -> None:
    for _ in range(3):
        sampled(world, 2, at0=200, at1=400)
        world.forward(1)
        sampled(world, 2, at1=500, at2=600)
        assert loads(world) == {"at0": 800, "at1": 2000, "at2": 2400}
        world.forward(1)
    for _ in range(3):
        world.forward(2)
        sampled(world, 2, at0=200, at1=400)
    assert loads(world) == {"at0": 800, "at1": 1600, "at2": 2400}
    sampled(world, 2, at1=500, at2=600)
    assert loads(world)["at1"] == 2000


def test_device_with_new_ports_is_not_shown_with_old_ones(world: World) -> None:
    sampled(world, 2, at0=200, at1=400)
    world.forward(2)
    sampled(world, 2, at0=300)
    assert loads(world)["at0"] == 1200
    for _ in range(4):
        world.forward(2)
        sampled(world, 2, at0=700, at1=400)
    assert loads(world) == {"at0": 2800, "at1": 1600}
    world.forward(10)
    sampled(world, 2, at1=100, at0=100)
    assert query("SELECT count(*) FROM telemetry_newest", []) == [(1,)]


def two_agents(world: World, monkeypatch: pytest.MonkeyPatch) -> tuple[uuid.UUID, uuid.UUID]:
    """Two management hosts that sweep the fabric of `onyx1`."""
    from backstay.telemetry.ingest import senders

    node = world.node("onyx1")
    swept = {node.pk: node.name}
    monkeypatch.setattr(senders, "swept_nodes", lambda agents: dict.fromkeys(agents, swept))
    mine, other = (
        Agent.objects.create(site=world.site.name, node=name, public_key=name.encode().ljust(32, b"x")).pk
        for name in ("sweep1", "sweep2")
    )
    return mine, other


def sweep(world: World, boots: dict[uuid.UUID, uuid.UUID], agent: uuid.UUID, symbol_errors: int) -> list[str]:
    """All reports of one sweep about `onyx1`; returns the rejection codes."""
    world.seq += 3
    at = nanoseconds(world.now)

    def head(number: int) -> dict[str, Any]:
        return {"boot": boots[agent], "seq": world.seq + number, "device": "onyx1", "at": at}

    errors = MetricValue(subject="hip0", metric="ib.symbol_errors", value=symbol_errors)
    column = [symbol_errors]
    answer: list[Report] = [
        PortSamples(
            **head(0),
            duration_ns=2 * 10**9,
            ports=["hip0"],
            in_octets=column,
            out_octets=column,
            in_packets=column,
            out_packets=column,
        ),
        MetricReport(**head(1), collector="infiniband", duration_ns=2 * 10**9, metrics=[errors]),
        AdjacencyReport(
            **head(2),
            source="infiniband",
            adjacencies=[Adjacency(port="hip0", peer="grf1", peer_port="gh010", width=f"{symbol_errors}X")],
        ),
    ]
    batch = Batch(agent, world.now, at, SpoolState(), list(enumerate(answer)))
    return [rejection.code.value for rejection in store_batch(batch).rejected]


def test_two_sweeps_store_each_sample_metric_and_neighbour_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = two_agents(world, monkeypatch)
    boots = {mine: uuid.uuid4(), other: uuid.uuid4()}
    for _ in range(3):
        assert sweep(world, boots, mine, 1) == []
        world.forward(1)
        assert sweep(world, boots, other, 9) == ["duplicate"] * 3
        world.forward(1)
    assert query("SELECT in_octets FROM telemetry_samples", []) == [([1],)] * 3
    assert query("SELECT numbers FROM telemetry_metrichistory", []) == [([1.0],)] * 3
    assert query("SELECT count(*) FROM telemetry_newest", []) == [(1,)]
    assert list(MetricSet.objects.values_list("numbers", flat=True)) == [[1.0]]
    (neighbours,) = AdjacencySet.objects.all()
    assert [entry["width"] for entry in neighbours.entries] == ["1X"]
    world.forward(10)
    assert sweep(world, boots, other, 9) == []
    assert list(MetricSet.objects.values_list("numbers", flat=True)) == [[9.0]]
    assert query("SELECT count(*) FROM telemetry_newest", []) == [(1,)]


def silent() -> list[str]:
    found = Incident.objects.filter(rule__kind="node_stale").values_list("subject", flat=True)
    events = Event.objects.filter(kind="node.stale").values_list("subject", flat=True)
    return sorted({*found, *events})


def second(world: World, *, beats: bool = True, names: list[str] | None = None) -> None:
    """Advance a second: the ingest beats if it is up, devices report, the round evaluates."""
    world.forward(1)
    if beats:
        heartbeat.beat(world.now)
        world.report([world.samples(name) for name in (world.devices() if names is None else names)])
    services.run_round(world.now)


def test_no_node_is_reported_unreachable_while_ingest_is_down(world: World) -> None:
    for _ in range(3):
        second(world)
    for _ in range(40):
        second(world, beats=False)
    assert silent() == []
    for _ in range(4):
        second(world, names=[])
    assert silent() == []
    for _ in range(5):
        second(world)
    assert silent() == []
    assert Round.objects.get(name="ingest").resumed_at is not None


def test_node_that_stays_away_is_unreachable_after_the_grace_period(world: World) -> None:
    for _ in range(3):
        second(world)
    for _ in range(20):
        second(world, beats=False)
    others = [name for name in world.devices() if name != "onyx1"]
    for _ in range(9):
        second(world, names=others)
    assert silent() == ["onyx1"]


def test_unreachable_node_is_reported_while_ingest_is_up(world: World) -> None:
    second(world)
    others = [name for name in world.devices() if name != "onyx1"]
    for _ in range(9):
        second(world, names=others)
    assert silent() == ["onyx1"]
