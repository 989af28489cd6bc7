"""Circuits: from the site file and device reports to an incident that names the hop; plans of new ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.api.tests.world import World, bearer, kept, person, site_file
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.states import metrics
from backstay_wire import MetricReport, MetricValue

pytestmark = pytest.mark.slow

Json = dict[str, Any]
SHAPE = {"name": "oc12", "peak": "538 Mb/s", "qos": "high"}
CIRCUITS = [
    {
        "name": "grf-origin",
        "shape": "oc12",
        "hops": [{"node": "grf1", "out": "ga030 0/130"}, {"node": "origin1", "in": "at0 0/130"}],
    },
    {
        "name": "grf-router",
        "shape": "oc12",
        "hops": [{"node": "grf1", "out": "ga031 0/131"}, {"node": "router", "in": "at0 0/131"}],
    },
]


def imported(world: World, circuits: list[Json]) -> None:
    file = json.loads(site_file()) | {"traffic_shapes": [SHAPE], "circuits": circuits}
    import_text(json.dumps(file), "argonne.yaml", world.now)
    world.site.refresh_from_db()


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make(now=datetime.now(UTC))
        imported(world, CIRCUITS)
        yield world


@pytest.fixture
def declared(made: World, db: None) -> World:
    """Without metrics so far."""
    metrics.forget_layouts()
    return made.copy()


@pytest.fixture
def world(declared: World) -> World:
    # Report the metrics now, because the API uses the real time.
    declared.now = datetime.now(UTC)
    declared.describe()
    declared.sample()
    services.run_round(declared.now)
    return declared


def vcl(*labels: str, state: str = "up") -> list[MetricValue]:
    return [MetricValue(subject=label, metric="atm.vcl", value=state) for label in labels]


GOOD = vcl("ga030 0/130", "ga031 0/131")


def report_metrics(
    world: World, metrics: list[MetricValue], device: str = "grf1", collector: str = "atm"
) -> None:
    world.seq += 1
    at = nanoseconds(world.now)
    head: Json = {"boot": world.boot, "seq": world.seq, "device": device, "at": at}
    world.report([MetricReport(**head, collector=collector, metrics=metrics)])


def rounds(world: World, seconds: float, metrics: list[MetricValue]) -> None:
    """Advance time, report devices, and evaluate every two seconds."""
    for _ in range(round(seconds / 2)):
        world.forward(2)
        world.sample()
        report_metrics(world, metrics)
        services.run_round(world.now)


def titles() -> list[str]:
    shown = Incident.objects.filter(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED])
    return [incident.title for incident in shown.order_by("pk")]


def answer(world: World, method: str, path: str, body: Json | None = None) -> tuple[int, Json]:
    client, headers = (
        Client(),
        bearer(person(f"p{Incident.objects.count()}{path[-9:]}{len(str(body))}", Role.ADMIN)),
    )
    data = None if body is None else json.dumps(body)
    if method == "GET":
        done = client.get(f"/api/v1{path}", headers=headers)
    else:
        done = client.post(f"/api/v1{path}", data, content_type="application/json", headers=headers)
    return done.status_code, done.json()


def test_circuits_that_are_all_up_have_no_incident(world: World) -> None:
    rounds(world, 10, GOOD)
    assert titles() == []


def test_wrong_vci_at_one_hop_is_an_incident_that_names_it_and_resolves(world: World) -> None:
    rounds(world, 4, GOOD)
    wrong = vcl("ga030 0/230", "ga031 0/131")
    rounds(world, 4, wrong)
    assert titles() == []
    rounds(world, 6, wrong)
    (incident,) = Incident.objects.filter(phase=Phase.OPEN)
    assert incident.title == (
        "grf-origin: grf1:ga030 has no 0/130; it has 0/230, which no circuit uses:"
        " probably this circuit with a wrong label"
    )
    assert incident.severity == "critical"
    assert incident.detail == "Hop 1 of 2 between grf1 and origin1, grf1."
    assert (incident.node_id, incident.link_id) == (world.node("grf1").pk, world.link("grf1:ga030").pk)
    rounds(world, 4, GOOD)
    assert titles() == []


def test_down_circuit_has_one_incident_and_its_device_none(world: World) -> None:
    rounds(world, 12, [*vcl("ga030 0/130", state="down"), *vcl("ga031 0/131")])
    assert titles() == ["grf-origin: 0/130 on grf1:ga030 is down"]


def test_state_outside_of_circuits_is_an_incident_of_the_device(world: World) -> None:
    rounds(world, 12, [*GOOD, *vcl("ga030 0/999", state="down")])
    assert titles() == ["grf1:ga030: circuit is down"]


def test_down_port_causes_no_circuit_incident(world: World) -> None:
    world.down.add("grf1:ga030")
    world.forward(2)
    world.describe("grf1")
    rounds(world, 12, [*vcl("ga030 0/130", state="down"), *vcl("ga031 0/131")])
    assert not Incident.objects.filter(fingerprint__startswith="circuit:", phase=Phase.OPEN)


def test_router_table_and_next_hop_are_checked(world: World) -> None:
    answer = [
        MetricValue(subject="ga030 0/130", metric="grf.vc", value="permanent"),
        MetricValue(subject="ga031 0/131", metric="grf.vc", value="permanent"),
        MetricValue(subject="ga031 10.3.0.6 over 0/131", metric="grf.next_hop", value="inactive"),
    ]
    rounds(world, 12, answer)
    assert titles() == ["grf-router: 0/131 on grf1:ga031: the next hop 10.3.0.6 is inactive"]


def test_circuit_declared_with_two_labels_on_one_link_is_an_incident(world: World) -> None:
    hops = [{"node": "grf1", "out": "ga030 0/130"}, {"node": "origin1", "in": "at0 0/133"}]
    imported(world, [CIRCUITS[0] | {"hops": hops}])
    rounds(world, 10, vcl("ga030 0/130"))
    assert titles() == ["grf-origin: grf1 sends 0/130 out of ga030, and origin1 expects 0/133 on at0"]


def test_unreachable_device_neither_opens_nor_resolves(world: World) -> None:
    wrong = vcl("ga030 0/230", "ga031 0/131")
    rounds(world, 12, wrong)
    before = titles()
    for _ in range(4):
        world.forward(60)
        world.report([world.samples(name) for name in world.devices() if name != "grf1"])
        services.run_round(world.now)
    assert [title for title in titles() if title.startswith("grf-origin")] == before


def test_api_shows_declared_and_reported_values_of_each_hop(world: World) -> None:
    rounds(world, 12, vcl("ga030 0/230", "ga031 0/131"))
    status, listed = answer(world, "GET", "/circuits?site=argonne&state=critical")
    assert status == 200
    (circuit,) = listed["items"]
    assert (circuit["name"], circuit["ends"], circuit["labels"]) == (
        "grf-origin",
        ["grf1", "origin1"],
        ["0/130"],
    )
    out = circuit["hops"][0]["out"]
    assert (out["port"], out["label"], out["reported"], out["strays"]) == (
        "ga030",
        "0/130",
        "missing",
        ["0/230"],
    )
    assert out["fault"].startswith("grf1:ga030 has no 0/130")
    assert circuit["hops"][1]["into"]["reported"] is None
    assert circuit["incident_id"] == Incident.objects.get(phase=Phase.OPEN).pk
    status, one = answer(world, "GET", f"/circuits/{circuit['id']}")
    assert one == circuit


def test_mesh_of_98_nodes_and_12_atm_hosts_is_planned(declared: World) -> None:
    groups = [{"name": "sp", "count": 98}, {"name": "atm", "count": 12}]
    body: Json = {"site": "argonne", "groups": groups, "hub": "grf1", "switches": 3, "means": ["pvc", "svc"]}
    status, made = answer(declared, "POST", "/circuits/plan", body)
    assert status == 200
    assert (made["members"], made["pairs"], made["planned"], made["capacity"]) == (110, 5995, 5995, 39936)
    assert made["advised"] == "svc"
    assert len(made["circuits"]) == 500


def test_plan_avoids_used_labels_and_is_written_for_the_router(
    declared: World,
) -> None:
    groups = [{"name": "hosts", "nodes": ["origin1", "router"]}]
    body: Json = {"site": "argonne", "groups": groups, "hub": "grf1", "pattern": "hub", "fabric": "atm-oc12"}
    status, made = answer(declared, "POST", "/circuits/plan", body)
    assert status == 200
    assert made["device"] == "grf1"
    assert made["text"] == "PVC ga030 0/32 proto=ip\nPVC ga030 0/33 proto=ip\n"
    assert made["circuits"][0]["sides"][0] == "grf1:ga030 0/32"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"groups": [{"name": "a"}]}, "groups.0"),
        ({"pattern": "hub"}, "hub"),
        ({"pattern": "between"}, "groups"),
        ({"fabric": "nowhere"}, "fabric"),
        ({"groups": [{"name": "a", "nodes": ["x"]}, {"name": "b", "nodes": ["x"]}]}, "groups"),
    ],
)
def test_impossible_plan_names_the_field(declared: World, change: Json, field: str) -> None:
    body: Json = {"site": "argonne", "groups": [{"name": "a", "count": 3}]} | change
    status, problem = answer(declared, "POST", "/circuits/plan", body)
    assert (status, list(problem["fields"])) == (400, [field])


def test_file_is_returned_with_diff_and_commands(declared: World) -> None:
    body = {"site": "argonne", "node": "grf1", "current": "PVC ga031 0/131 proto=ip traffic_shape=oc12\n"}
    status, problem = answer(declared, "POST", "/circuits/hand-over", body)
    assert status == 200
    assert "+PVC ga030 0/130 proto=ip traffic_shape=oc12\n" in problem["diff"]
    assert problem["after"].startswith(body["current"])
    assert problem["commands"] == ["grreset 3"]
    assert problem["unlike"] == ["/etc/gratm.conf lacks PVC ga030 0/130."]
    status, problem = answer(declared, "POST", "/circuits/hand-over", body | {"current": "nonsense\n"})
    assert (status, "line 1: 'nonsense'" in problem["message"]) == (422, True)
