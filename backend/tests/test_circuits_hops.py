"""PVCs and VLANs over several switches, over the API: a wrong middle hop, and duplicate labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.api.tests.world import World, bearer, kept, person, site_file
from backstay.core.roles import Role
from backstay.inventory import snapshot
from backstay.telemetry.states import metrics
from backstay_wire import MetricReport, MetricValue

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]

Json = dict[str, Any]
SNMP = {"kind": "snmp", "address": "10.255.0.9", "access": {"version": "2c", "community": "hush"}}
PVC: Json = {
    "name": "router-origin",
    "hops": [
        {"node": "router", "out": "at7 0/130"},
        {"node": "asx1", "in": "1A1 0/130", "out": "1B1 0/130"},
        {"node": "asx2", "in": "2A1 0/130", "out": "2B1 0/130"},
        {"node": "origin1", "in": "at7 0/130"},
    ],
}
VLAN: Json = {
    "name": "lan-router-origin",
    "kind": "vlan",
    "hops": [
        {"node": "router", "out": "eth7 200"},
        {"node": "sw1", "in": "p1 200", "out": "p2 200"},
        {"node": "sw2", "in": "p1 200", "out": "p2 200"},
        {"node": "origin1", "in": "eth7 200"},
    ],
}


def site(*circuits: Json) -> str:
    """The small Argonne, with two ATM switches and two Ethernet switches between its router and origin1."""
    file = json.loads(site_file())
    nodes = {node["name"]: node for node in file["nodes"]}
    file["fabrics"].append({"name": "lan", "kind": "ethernet", "media_rate": "1 Gb/s"})
    for name, number in (("router", 1), ("origin1", 2)):
        nodes[name]["ports"] += [
            {"name": "at7", "fabric": "atm-oc12", "addresses": [f"10.3.7.{number}/30"]},
            {"name": "eth7", "fabric": "lan", "addresses": [f"10.4.7.{number}/30"]},
        ]
    for name, fabric, ports in (
        ("asx1", "atm-oc12", ("1A1", "1B1")),
        ("asx2", "atm-oc12", ("2A1", "2B1")),
        ("sw1", "lan", ("p1", "p2")),
        ("sw2", "lan", ("p1", "p2")),
    ):
        answer = [{"name": port, "fabric": fabric} for port in ports]
        more = {"kind": "switch", "role": "switch", "agent": "mgmt1", "sources": [SNMP]}
        file["nodes"].append({"name": name, "ports": answer, **more})
    file["links"] += [
        {"a": "router:at7", "b": "asx1:1A1"},
        {"a": "asx1:1B1", "b": "asx2:2A1"},
        {"a": "asx2:2B1", "b": "origin1:at7"},
        {"a": "router:eth7", "b": "sw1:p1"},
        {"a": "sw1:p2", "b": "sw2:p1"},
        {"a": "sw2:p2", "b": "origin1:eth7"},
    ]
    return json.dumps(file | {"circuits": list(circuits)})


def with_label(circuit: Json, hop: int, side: str, label: str) -> Json:
    """The same with a different port and label on one side of one hop."""
    hops = [dict(item) for item in circuit["hops"]]
    hops[hop][side] = label
    return circuit | {"hops": hops}


class Api:
    """An administrator's calls."""

    def __init__(self) -> None:
        self._client, self._headers = Client(), bearer(person("root", Role.ADMIN))

    def get(self, path: str) -> Any:
        reply = self._client.get(f"/api/v1{path}", headers=self._headers)
        assert reply.status_code == 200, reply.content
        return reply.json()

    def import_site(self, text: str, status: int = 200) -> Any:
        body = json.dumps({"name": "argonne.yaml", "text": text})
        reply = self._client.post(
            "/api/v1/site-files", body, content_type="application/json", headers=self._headers
        )
        assert reply.status_code == status, reply.content
        return reply.json()

    def circuit(self, name: str) -> Json:
        (one,) = self.get(f"/circuits?site=argonne&q={name}")["items"]
        found: Json = self.get(f"/circuits/{one['id']}")
        assert found == one
        return found

    def incidents(self) -> list[str]:
        items = self.get("/incidents?site=argonne&kind=circuit&phase=open")["items"]
        return [item["title"] for item in items]


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        yield World.make(now=datetime.now(UTC))


@pytest.fixture
def world(made: World, db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    metrics.forget_layouts()
    # Each test imports its own version 2 of the site and rolls it back.
    monkeypatch.setattr(snapshot, "_newest", {})
    copy = made.copy()
    copy.now = datetime.now(UTC)
    return copy


@pytest.fixture
def api(db: None) -> Api:
    return Api()


def report_metrics(world: World, metric: str, state: str, tables: Mapping[str, list[str]]) -> None:
    """Each switch reports its table."""
    for device, subjects in tables.items():
        answer = [MetricValue(subject=subject, metric=metric, value=state) for subject in subjects]
        head = world._head(device)
        world.report([MetricReport(**head, collector=metric.partition(".")[0], metrics=answer)])


def rounds(world: World, metric: str, state: str, tables: Mapping[str, list[str]]) -> None:
    """Advance eight seconds, and evaluate every two."""
    for _ in range(4):
        world.forward(2)
        world.sample()
        report_metrics(world, metric, state, tables)
        services.run_round(world.now)


GOOD_PVC = {"asx1": ["1A1 0/130", "1B1 0/130"], "asx2": ["2A1 0/130", "2B1 0/130"]}
GOOD_VLAN = {"sw1": ["p1 200", "p2 200"], "sw2": ["p1 200", "p2 200"]}


def test_wrong_vci_at_the_middle_hop_is_an_incident_until_corrected(world: World, api: Api, db: None) -> None:
    api.import_site(site(PVC))
    world.site.refresh_from_db()
    rounds(world, "atm.vcl", "up", GOOD_PVC)
    assert (api.circuit("router-origin")["state"], api.incidents()) == ("ok", [])
    rounds(world, "atm.vcl", "up", GOOD_PVC | {"asx2": ["2A1 0/131", "2B1 0/130"]})
    circuit = api.circuit("router-origin")
    output = (
        "asx2:2A1 has no 0/130; it has 0/131, which no circuit uses: probably this circuit with a wrong label"
    )
    assert (circuit["state"], circuit["state_text"]) == ("critical", f"{output}")
    sides = [
        (hop["node"], route, hop[route]) for hop in circuit["hops"] for route in ("into", "out") if hop[route]
    ]
    assert [(node, route) for node, route, side in sides if side["fault"]] == [("asx2", "into")]
    assert [side["reported"] for node, _, side in sides if node == "asx1"] == ["up", "up"]
    assert api.incidents() == [f"router-origin: {output}"]
    rounds(world, "atm.vcl", "up", GOOD_PVC)
    assert (api.circuit("router-origin")["state"], api.incidents()) == ("ok", [])


def test_wrong_declared_vci_at_the_middle_hop_names_both_sides(world: World, api: Api, db: None) -> None:
    api.import_site(site(with_label(PVC, 2, "in", "2A1 0/131")))
    world.site.refresh_from_db()
    rounds(world, "atm.vcl", "up", GOOD_PVC | {"asx2": ["2A1 0/131", "2B1 0/130"]})
    (title,) = api.incidents()
    assert title == (
        "router-origin: asx1 sends 0/130 out of 1B1, and asx2 expects 0/131 on 2A1: all other hops have 0/130"
    )
    hops = api.circuit("router-origin")["hops"]
    faults = {hop["node"] for hop in hops if hop["into"] and hop["into"]["fault"]}
    assert faults == {"asx2"}


def test_label_of_two_circuits_on_one_port_is_refused_with_both_owners(
    world: World, api: Api, db: None
) -> None:
    second = {
        "name": "second",
        "hops": [
            {"node": "asx1", "out": "1B1 0/130"},
            {"node": "asx2", "in": "2A1 0/140"},
        ],
    }
    refused = api.import_site(site(PVC, second), 422)
    assert [(item["key"], item["expected"]) for item in refused["errors"]] == [
        (
            "circuits[second].hops[0].out",
            "a label that no other circuit has on asx1:1B1: router-origin and second want 0/130",
        )
    ]
    assert api.get("/circuits?site=argonne")["items"] == [], "nothing of the file was taken over"


def test_vlan_missing_on_a_middle_switch_is_found_there(world: World, api: Api, db: None) -> None:
    api.import_site(site(VLAN))
    world.site.refresh_from_db()
    rounds(world, "vlan.member", "tagged", GOOD_VLAN)
    assert (api.circuit("lan-router")["state"], api.incidents()) == ("ok", [])
    rounds(world, "vlan.member", "tagged", GOOD_VLAN | {"sw2": ["p1 201", "p2 200"]})
    assert api.incidents() == [
        "lan-router-origin: sw2:p1 has no 200; it has 201, which no circuit uses: probably this circuit with"
        " a wrong label"
    ]
    rounds(world, "vlan.member", "tagged", GOOD_VLAN)
    assert (api.circuit("lan-router")["state"], api.incidents()) == ("ok", [])


def test_vlan_id_of_two_circuits_on_one_trunk_is_refused_with_both_owners(api: Api, db: None) -> None:
    second = {
        "name": "backup",
        "kind": "vlan",
        "hops": [{"node": "sw1", "out": "p2 200"}, {"node": "sw2", "in": "p1 200"}],
    }
    refused = api.import_site(site(VLAN, second), 422)
    assert {(item["key"], item["expected"]) for item in refused["errors"]} == {
        (
            f"circuits[backup].hops[{hop}].{side}",
            f"a label that no other circuit has on {place}: lan-router-origin and backup want 200",
        )
        for hop, side, place in ((0, "out", "sw1:p2"), (1, "in", "sw2:p1"))
    }
