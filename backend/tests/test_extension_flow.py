"""From a router's report of its SP adapter to the incident, the comparison and the check."""

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
from backstay.telemetry.models import ArpState
from backstay.telemetry.states import metrics
from backstay_wire import MetricReport, MetricValue

Json = dict[str, Any]
ROW: dict[str, float | str] = {
    "sp.node_number": 16,
    "sp.token": "00010500",
    "sp.arp": "enabled",
    "sp.switch_node_number": 15,
    "sp.address": "10.1.0.16",
    "sp.mask": "255.255.0.0",
    "sp.max_link_packet": 65520,
    "sp.host_offset": 1,
    "sp.config_state": "fullyConfigured",
    "sp.node_state": "nodeUp",
    "sp.admin_status": "up",
}


def imported(world: World) -> None:
    """The small Argonne with numbers: the rule's constant is 1, and grf1 is next to the wide gateway node."""
    file = json.loads(site_file())
    for node in file["nodes"]:
        number = {"grf1": 16, "atmgw": 15}.get(node["name"]) or (
            int(node["name"][2:]) if node["name"].startswith("sp") else None
        )
        if number is None:
            continue
        node |= {"node_number": number, "switch_node_number": number - 1}
        on_switch = [port for port in node["ports"] if port["fabric"] == "sp-switch"]
        on_switch[0]["addresses"] = [f"10.1.0.{number}/16"]
        if node["name"] == "grf1":
            node["extension"] = {"host_offset": 1, "token": "00010500"}
        if node["name"] == "atmgw":
            node["labels"] = {"slots": "2"}
    file["failover_policies"] = []
    import_text(json.dumps(file), "argonne.yaml", world.now)
    world.site.refresh_from_db()


@pytest.fixture(scope="module")
def evaluated(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make(now=datetime.now(UTC))
        imported(world)
        world.describe()
        world.sample()
        services.run_round(world.now)
        yield world


@pytest.fixture
def world(evaluated: World, db: None) -> World:
    metrics.forget_layouts()
    return evaluated.copy()


def rounds(world: World, seconds: float, row: Json | None, name: str = "grf1") -> None:
    """Advance time, report the router's row, and evaluate every two seconds."""
    for _ in range(round(seconds / 2)):
        world.forward(2)
        world.sample()
        if row is not None:
            answer = [MetricValue(subject=name, metric=metric, value=value) for metric, value in row.items()]
            world.seq += 1
            at = nanoseconds(world.now)
            head: Json = {"boot": world.boot, "seq": world.seq, "device": "grf1", "at": at}
            world.report([MetricReport(**head, collector="sp-node", metrics=answer)])
        services.run_round(world.now)


def open_now() -> list[Incident]:
    shown = Incident.objects.filter(
        phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED], fingerprint__startswith="extension"
    )
    return list(shown.order_by("pk"))


def asked(path: str, body: Json | None = None) -> tuple[int, Json]:
    client, headers = Client(), bearer(person(f"p{len(path)}{len(str(body))}", Role.ADMIN))
    if body is None:
        done = client.get(f"/api/v1{path}", headers=headers)
    else:
        done = client.post(
            f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers
        )
    return done.status_code, done.json()


def test_matching_router_has_no_incident_and_every_attribute_ok(world: World) -> None:
    rounds(world, 10, ROW)
    assert open_now() == []
    status, answer = asked("/extension-nodes")
    assert status == 200
    (item,) = answer["items"]
    assert (item["name"], item["state"], item["place"]) == ("grf1", "ok", "frame 1 slot 16")
    assert item["state_text"] == "the router agrees in 12 attributes"
    assert {entry["level"] for entry in item["checks"]} == {"passed"}
    by_key = {entry["key"]: entry for entry in item["attributes"]}
    assert by_key["switch_number"] == {
        "key": "switch_number",
        "title": "Switch node number",
        "sdr": "DependentNode.switch_node_number",
        "object": "ibmSPDepSwNodeNumber",
        "intended": "15",
        "reported": "15",
        "verdict": "same",
        "text": "",
        "severe": False,
    }


def test_wrong_switch_node_number_is_an_incident_until_corrected(world: World) -> None:
    rounds(world, 4, ROW | {"sp.switch_node_number": 3})
    assert open_now() == []
    rounds(world, 6, ROW | {"sp.switch_node_number": 3, "sp.node_number": 4})
    (incident,) = open_now()
    assert incident.severity == "critical"
    assert incident.title == "grf1 as extension node: switch node number is 3, intended 15, and 1 more"
    assert "packets for it are sent to another port of the switch" in incident.detail
    assert "enadmin -a reconfigure" in incident.detail
    status, item = asked(f"/extension-nodes/{world.node('grf1').pk}")
    assert (status, item["state"], item["incident_id"]) == (200, "critical", incident.pk)
    rounds(world, 4, ROW)
    assert open_now() == []


def test_row_with_another_name_is_reported(world: World) -> None:
    rounds(world, 10, ROW, name="grf9")
    (incident,) = open_now()
    assert incident.title == "grf1 as extension node: name is grf9, intended grf1"


def test_arp_must_match_the_nodes_of_the_switch(world: World) -> None:
    for name in ("sp01", "sp02", "sp03", "atmgw"):
        ArpState.objects.create(
            node=world.node(name),
            revision=0,
            ports=[{"port": "css0", "arp": False}],
            at=world.now,
            changed_at=world.now,
        )
    rounds(world, 10, ROW)
    (incident,) = open_now()
    assert incident.title == "grf1 as extension node: ARP is enabled, intended disabled"
    assert asked("/extension-nodes")[1]["items"][0]["arp_source"] == "4 nodes of sp-switch run it so"


def test_incident_is_unchanged_while_the_router_is_unreachable(world: World) -> None:
    rounds(world, 10, ROW | {"sp.mask": "255.255.255.0"})
    before = open_now()
    assert len(before) == 1
    world.forward(400)
    services.run_round(world.now)
    assert open_now() == before


def test_router_without_row_is_unknown(world: World) -> None:
    (item,) = asked("/extension-nodes?state=unknown")[1]["items"]
    assert (item["reported_at"], {entry["reported"] for entry in item["attributes"]}) == (None, {None})


def test_new_gateway_gets_a_proposed_port_numbers_and_address(world: World) -> None:
    status, answer = asked("/extension-nodes/check", {"site": "argonne", "node": "grf2"})
    assert (status, answer["attachable"]) == (200, True)
    proposal = answer["proposal"]
    assert (proposal["slot"], proposal["node_number"], proposal["switch_node_number"]) == (14, 14, 13)
    assert proposal["address"] == "10.1.0.14/16"
    used = {port["slot"]: port["owner"] for port in answer["ports"] if port["use"] == "used"}
    assert used == {1: "sp01", 2: "sp02", 3: "sp03", 15: "atmgw", 16: "grf1"}
    assert [step["command"] for step in answer["steps"]][:2] == ["endefnode", "endefadapter"]
    assert "extension: {port: gt000, frame: 1, slot: 14, host_offset: 1}" in answer["site_file"]


def test_used_numbers_are_refused_with_both_owners_and_no_steps(world: World) -> None:
    body = {"site": "argonne", "node": "grf2", "frame": 1, "slot": 14, "switch_node_number": 15}
    _, answer = asked("/extension-nodes/check", body)
    failed = {item["check"]: item for item in answer["checks"] if item["level"] == "failed"}
    assert failed["switch_node_number"]["text"] == "grf2 and grf1 would both have switch node number 15."
    assert (answer["attachable"], answer["steps"], answer["site_file"]) == (False, [], "")


@pytest.mark.parametrize(
    ("more", "field"),
    [({"slot": 3}, "slot"), ({"address": "10.1.0.9"}, "address"), ({"fabric": "nowhere"}, "fabric")],
)
def test_incomplete_request_is_refused_with_the_missing_fields(world: World, more: Json, field: str) -> None:
    status, answer = asked("/extension-nodes/check", {"site": "argonne", "node": "grf2", **more})
    assert status == 400
    assert field in answer["fields"]
