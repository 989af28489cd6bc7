"""States that lists sort by in PostgreSQL equal those of the core, through random reports and silences."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import QuerySet
from pytest_django import DjangoDbBlocker

from backstay.alerts.rounds import run_site_round
from backstay.api.saved_state.present import saved_out
from backstay.api.tests.world import World, kept, site_file
from backstay.core.model.state import WORST_FIRST
from backstay.core.planning.extension.checks import Attachment, check
from backstay.core.planning.extension.compare import extension_state
from backstay.intake.site_files import import_text
from backstay.inventory.models import Circuit, Site
from backstay.telemetry import state_evidence
from backstay.telemetry.evidence_models import CircuitEvidence, ExtensionEvidence, JudgedSite
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.models import PortState
from backstay.telemetry.selectors.circuits import circuits_now, with_state
from backstay.telemetry.selectors.extension import extension_nodes, extension_nodes_now
from backstay.telemetry.selectors.saved import saved_now, watched_nodes
from backstay.telemetry.states import metrics
from backstay_wire import ArpReport, MetricReport, MetricValue, RunningPortArp, SavedFile

Json = dict[str, Any]
HOSTS = ("sp01", "sp02", "sp03", "atmgw")
SHAPES = [{"name": "fast", "peak": "538 Mb/s"}, {"name": "slow", "peak": "10 Mb/s"}]
LATER_S = (0, 155, 460)
"""Metrics of an interval of 60 s are stale after 150 s, of 180 s after 450 s."""


def _circuit(number: int, near: str, far: str, **more: str) -> Json:
    ends = [{"node": "grf1", "out": f"ga030 {near}"}, {"node": "origin1", "in": f"at0 {far}"}]
    return {"name": f"c{number}", "hops": [end | more if more else end for end in ends]}


CIRCUITS = [
    _circuit(1, "0/130", "0/130"),
    _circuit(2, "0/131", "0/131"),
    _circuit(3, "0/132", "0/133"),
    {
        "name": "c4",
        "hops": [
            {"node": "grf1", "out": "ga031 0/140", "shape": "fast"},
            {"node": "router", "in": "at0 0/140", "shape": "slow"},
        ],
    },
    {
        "name": "c5",
        "hops": [
            {"node": "grf1", "out": "ga031 0/141"},
            {"node": "router", "in": "at0 0/141", "out": "at2 0/142"},
            {"node": "origin1", "in": "at1 0/142"},
        ],
    },
]


def _imported(world: World) -> None:
    file = json.loads(site_file()) | {"traffic_shapes": SHAPES, "circuits": CIRCUITS}
    for number, node in enumerate(file["nodes"], start=1):
        if node["name"].startswith("sp") or node["name"] in {"grf1", "atmgw"}:
            node |= {"node_number": number, "switch_node_number": number - 1}
        if node["name"] in {"grf1", "atmgw"}:
            node["extension"] = {"host_offset": 1} if node["name"] == "grf1" else {"token": "0001"}
    file["failover_policies"] = []
    import_text(json.dumps(file), "argonne.yaml", world.now)
    world.site.refresh_from_db()


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make(now=datetime.now(UTC))
        _imported(world)
        world.describe()
        yield world


@pytest.fixture
def world(made: World, db: None) -> World:
    metrics.forget_layouts()
    return made.copy()


def head(world: World, device: str) -> Json:
    world.seq += 1
    at = nanoseconds(world.now)
    return {"boot": world.boot, "seq": world.seq, "device": device, "at": at}


def report_metrics(
    world: World, device: str, collector: str, values: list[MetricValue], every_s: int
) -> None:
    report = MetricReport(
        **head(world, device), collector=collector, metrics=values, duration_ns=every_s * 10**9
    )
    world.report([report])


def circuit_metrics(chance: random.Random) -> list[MetricValue]:
    """Part of the tables of a device with these ports and labels."""
    places = [
        f"{port} 0/{label}" for port in ("ga030", "ga031", "at0", "at1", "at2") for label in range(130, 144)
    ]
    values = [
        MetricValue(subject=place, metric=metric, value=chance.choice(states))
        for metric, states, part in (
            ("atm.vcl", ("up", "up", "up", "down"), 0.9),
            ("atm.vcl_admin", ("up", "up", "down"), 0.2),
            ("grf.vc", ("permanent", "permanent", "failed"), 0.4),
        )
        if chance.random() < 0.6
        for place in places
        if chance.random() < part
    ]
    if chance.random() < 0.3:
        crossing = chance.choice(("at0 0/141 to at2 0/142", "at0 0/141 to at2 0/143"))
        state = chance.choice(("up", "down"))
        values.append(MetricValue(subject=crossing, metric="atm.cross_connect", value=state))
    if chance.random() < 0.3:
        values.append(
            MetricValue(subject="ga030 10.3.0.2 over 0/130", metric="grf.next_hop", value="inactive")
        )
    if chance.random() < 0.3:
        values.append(MetricValue(subject="ga031", metric="grf.circuits", value=0))
    return values or [MetricValue(subject="card", metric="grf.card_state", value="running")]


def assert_circuits_agree(world: World, now: datetime) -> None:
    site = Site.objects.get(pk=world.site.pk)
    decided = {ident: item.state for ident, item in circuits_now(site, now).circuits.items()}
    ranked: QuerySet[Any] = with_state(Circuit.objects.filter(site=site), site, now)
    assert dict(ranked.values_list("pk", "rank")) == {pk: WORST_FIRST[one] for pk, one in decided.items()}
    for state in ("ok", "warning", "critical", "unknown"):
        filtered = with_state(Circuit.objects.filter(site=site), site, now, state)
        assert {row.pk for row in filtered} == {pk for pk, one in decided.items() if one == state}


@pytest.mark.parametrize("seed", range(3))
def test_circuits_agree_while_reports_come_change_and_stop(world: World, seed: int) -> None:
    chance, seen = random.Random(seed), set[str]()
    for _ in range(10):
        world.forward(chance.choice((2, 30, 100)))
        device, collector = chance.choice(("grf1", "origin1", "router")), chance.choice(("atm", "grf", "ssh"))
        report_metrics(world, device, collector, circuit_metrics(chance), chance.choice((60, 180)))
        for later in LATER_S:
            assert_circuits_agree(world, world.now + timedelta(seconds=later))
        states = circuits_now(Site.objects.get(pk=world.site.pk), world.now).circuits.values()
        seen |= {item.state for item in states}
    assert len(seen) > 2, seen


def test_circuits_follow_an_edited_site_file_and_an_upgrade(world: World) -> None:
    report_metrics(world, "grf1", "atm", circuit_metrics(random.Random(1)), 60)
    text = json.loads(site_file())
    text["circuits"] = [_circuit(1, "0/130", "0/139"), CIRCUITS[1], _circuit(6, "0/135", "0/135")]
    import_text(json.dumps(text), "argonne.yaml", world.now)
    assert_circuits_agree(world, world.now)
    assert Circuit.objects.get(name="c1").declared_fault == "cut"

    CircuitEvidence.objects.all().delete()
    JudgedSite.objects.all().delete()
    Circuit.objects.update(declared_fault="")
    run_site_round(Site.objects.get(pk=world.site.pk), world.now)
    assert_circuits_agree(world, world.now)


def versions() -> set[tuple[Any, ...]]:
    """Rows of evidence with the transaction that wrote each."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, xmin, cmin FROM telemetry_circuitevidence")
        return set(cursor.fetchall())


def test_repeated_metrics_write_no_evidence(world: World) -> None:
    values = circuit_metrics(random.Random(3))
    report_metrics(world, "grf1", "atm", values, 60)
    before = versions()
    world.forward(60)
    report_metrics(world, "grf1", "atm", values, 60)
    assert before
    assert versions() == before


def extension_metrics(chance: random.Random, name: str) -> list[MetricValue]:
    row: dict[str, list[float | str]] = {
        "sp.node_number": [4, 5, 6],
        "sp.token": ["0001", "0002"],
        "sp.arp": ["enabled", "disabled"],
        "sp.config_state": ["fullyConfigured", "notConfigured"],
        "sp.node_state": ["nodeUp", "nodeDown"],
    }
    return [
        MetricValue(subject=name, metric=metric, value=chance.choice(values))
        for metric, values in row.items()
        if chance.random() < 0.7
    ] or [MetricValue(subject=name, metric="sp.host_offset", value=1)]


def report_arp(world: World, host: str, text: str, *, arp: bool = True) -> None:
    port = RunningPortArp(port="css0", arp=arp, mac="02:00:00:00:00:01", settings={}, neighbours=[])
    file = SavedFile(path="/etc/backstay/arp", sha256="0" * 64, text=text)
    world.report(
        [ArpReport(**head(world, host), revision=0, digest="0" * 64, ports=[port], table={}, files=[file])]
    )


def assert_extensions_agree(world: World, now: datetime) -> set[str]:
    site = Site.objects.get(pk=world.site.pk)
    decided = {
        node: (
            extension_state(item.attributes, check(Attachment(item.known, item.node_name, item.wanted)))[0],
            None if item.wanted.slot is None else str(item.wanted.slot),
            None if item.wanted.interface is None else str(item.wanted.interface),
            item.reported_at,
        )
        for node, item in extension_nodes_now(site, now).items()
    }
    rows: QuerySet[Any] = extension_nodes(site, now)
    listed = rows.values_list("pk", "status", "place", "address", "reported_at")
    assert {pk: tuple(values) for pk, *values in listed} == decided
    return {state for state, *_ in decided.values()}


@pytest.mark.parametrize("seed", range(2))
def test_extension_nodes_agree_while_reports_come_change_and_stop(world: World, seed: int) -> None:
    chance, seen = random.Random(seed), set[str]()
    for _ in range(10):
        world.forward(chance.choice((2, 30, 100)))
        if chance.random() < 0.4:
            report_arp(world, chance.choice(HOSTS), "", arp=chance.random() < 0.5)
        device = chance.choice(("grf1", "atmgw"))
        values = extension_metrics(chance, chance.choice((device, device, "other")))
        report_metrics(world, device, chance.choice(("sp", "ssh")), values, chance.choice((60, 180)))
        state_evidence.refresh(Site.objects.get(pk=world.site.pk))
        for later in LATER_S:
            seen |= assert_extensions_agree(world, world.now + timedelta(seconds=later))
    assert len(seen) > 1, seen

    ExtensionEvidence.objects.all().delete()
    JudgedSite.objects.all().delete()
    run_site_round(Site.objects.get(pk=world.site.pk), world.now)
    assert_extensions_agree(world, world.now)


def boot_file(chance: random.Random) -> str:
    lines = [
        f"link set dev css0 mtu {chance.choice((9180, 1500))} {chance.choice(('up', 'up', 'down'))}",
        f"address add 10.1.0.{chance.choice((21, 22))}/16 dev css0",
        "link set dev at0 up mtu 9180",
        "# nothing",
    ]
    return "\n".join(line for line in lines if chance.random() < 0.7)


@pytest.mark.parametrize("seed", range(2))
def test_saved_state_agrees_after_every_report(world: World, seed: int) -> None:
    chance, seen = random.Random(seed), set[str]()
    for _ in range(12):
        world.forward(2)
        host = chance.choice(HOSTS)
        if chance.random() < 0.5:
            report_arp(world, host, boot_file(chance))
        else:
            report = world.device(host)
            ports = [
                port.model_copy(update={"mtu": chance.choice((9180, 1500)), "addresses": addresses})
                for port in report.ports
                for addresses in [chance.choice(([], ["10.1.0.21/16"], ["10.1.0.22/16", "fe80::1/64"]))]
            ]
            world.report([report.model_copy(update={"ports": ports})])
        listed: QuerySet[Any] = watched_nodes(world.site)
        rows = dict(listed.values_list("pk", "rank"))
        decided = {item.node_id: saved_out(item).state for item in saved_now(world.site, list(rows))}
        assert rows == {node: WORST_FIRST[state] for node, state in decided.items()}
        seen |= set(decided.values())
    assert seen >= {"warning", "unknown"}

    before = dict(PortState.objects.values_list("pk", "saved"))
    PortState.objects.update(saved="unknown")
    import_module("backstay.telemetry.migrations.0023_saved_verdict").judge(apps, None)
    assert dict(PortState.objects.values_list("pk", "saved")) == before, "an upgrade computes the same"
