"""Recordings of devices: asked for by people, sent by agents, downloaded."""

from __future__ import annotations

import base64
import gzip
import time
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.accounts.models import Agent
from backstay.api.agent.desired import desired
from backstay.api.tests.world import bearer, person
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node
from backstay.telemetry import recordings
from backstay.telemetry.models import NodeState
from backstay.telemetry.recording_models import DeviceRecording
from backstay.telemetry.recordings import MOST_KEPT, MOST_WAITING
from backstay.telemetry.states.recordings import MOST_BYTES
from backstay_wire import MAX_RECORDINGS
from bench.agent_requests import enrolled, send
from bench.site import AgentIdentity, batch, switch_site

FILE = b"# backstay recording: 1\n1.3.6.1.2.1.1.5.0|4|host-1\n"


class Agency:
    """One agent that polls sw000, its reports, and a person at the API."""

    def __init__(self, client: Client) -> None:
        import_text(switch_site("lab", devices=2, ports=2, agents=1), "lab.yaml", timezone.now())
        self.client = client
        self.identity: AgentIdentity = enrolled(client, "lab", "mgmt0")
        self.node = Node.objects.get(name="sw000")
        self.boot, self.seq = str(uuid.uuid4()), 0
        self.headers = bearer(person("olga", Role.OPERATOR, "lab"))

    def report(self, kind: str, *, device: str = "sw000", **values: Any) -> None:
        self.seq += 1
        head = {"kind": kind, "boot": self.boot, "seq": self.seq, "device": device, "at": time.time_ns()}
        reply = send(self.client, self.identity, batch([head | values], sent=time.time_ns()))
        assert reply.status_code == 200, reply.content

    def reads_tables(self) -> None:
        reading = {"table": "interfaces", "columns": 2, "rows": 2, "duration_ms": 1.0}
        self.report("collector", collector="snmp", outcome="ok", duration_ms=3.0, tables=[reading])

    def ask(self, node: Node | None = None) -> Any:
        ident = (node or self.node).pk
        return self.client.post(f"/api/v1/nodes/{ident}/recordings", headers=self.headers)

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=self.headers)

    def desired(self) -> Any:
        return desired(Agent.objects.get()).model_dump(mode="json")

    def send(self, ident: int, data: bytes = FILE, **values: Any) -> None:
        packed = base64.b64encode(gzip.compress(data)).decode()
        result: dict[str, Any] = {"recording": str(ident), "state": "recorded", "data": packed, "objects": 1}
        self.report("recording", **(result | values))


@pytest.fixture
def agency(db: None, client: Client) -> Agency:
    agency = Agency(client)
    agency.reads_tables()
    return agency


def test_recording_is_asked_for_made_and_downloaded(agency: Agency) -> None:
    before = Agent.objects.get().generation
    reply = agency.ask()
    assert reply.status_code == 201, reply.content
    asked = reply.json()
    assert (asked["state"], asked["by"], asked["download"]) == ("asked", "olga", None)
    assert Agent.objects.get().generation == before + 1
    assert agency.desired()["recordings"] == [{"id": str(asked["id"]), "device": "sw000", "seconds": 120.0}]
    assert agency.get(f"recordings/{asked['id']}/download").status_code == 409

    agency.send(asked["id"], detail="lldp: no answer")
    [shown] = agency.get(f"nodes/{agency.node.pk}/recordings").json()["items"]
    assert (shown["state"], shown["text"]) == ("recorded", "Not complete: lldp: no answer.")
    assert (shown["objects"], shown["bytes"]) == (1, len(FILE))
    file = agency.get(f"recordings/{asked['id']}/download")
    assert file.content == FILE
    assert file["Content-Disposition"] == f'attachment; filename="sw000-{asked["id"]}.snmprec"'
    assert "recordings" not in agency.desired()


def test_state_of_a_recording_is_read_without_its_file(agency: Agency) -> None:
    ident = agency.ask().json()["id"]
    agency.send(ident)
    with CaptureQueriesContext(connection) as queries:
        assert agency.get(f"recordings/{ident}").json()["state"] == "recorded"
    read = [query["sql"] for query in queries if "telemetry_devicerecording" in query["sql"]]
    assert read
    assert not [sql for sql in read if '"telemetry_devicerecording"."data"' in sql]


def test_only_an_operator_may_ask(agency: Agency) -> None:
    agency.headers = bearer(person("vera", Role.VIEWER, "lab"))
    assert agency.ask().status_code == 403
    assert not DeviceRecording.objects.exists()


def test_one_recording_at_a_time_until_its_time_is_over(agency: Agency) -> None:
    first = agency.ask().json()["id"]
    assert agency.ask().status_code == 409
    past = timezone.now() - timedelta(minutes=11)
    DeviceRecording.objects.filter(pk=first).update(asked_at=past, until=past + recordings.WAIT)
    assert "recordings" not in agency.desired()
    late = agency.get(f"recordings/{first}").json()
    assert (late["state"], "within 10 min" in late["text"]) == ("failed", True)
    assert agency.ask().status_code == 201
    agency.send(first)  # What arrives late is kept.
    assert agency.get(f"recordings/{first}").json()["state"] == "recorded"


def test_device_that_cannot_be_recorded_is_refused_with_the_reason(agency: Agency) -> None:
    mgmt = Node.objects.get(name="mgmt0")
    reply = agency.ask(mgmt)
    assert (reply.status_code, "only SNMP devices" in reply.json()["message"]) == (422, True)
    NodeState.objects.filter(node=agency.node).update(collectors={})
    reply = agency.ask()
    assert (reply.status_code, "start or upgrade it" in reply.json()["message"]) == (422, True)
    Node.objects.filter(pk=agency.node.pk).update(watcher=None)
    assert "No agent collects sw000" in agency.ask().json()["message"]


def test_result_for_another_device_or_a_second_one_changes_nothing(agency: Agency) -> None:
    ident = agency.ask().json()["id"]
    agency.send(ident, device="sw001")
    agency.send(10**12)
    agency.report("recording", recording="not a number", state="failed", detail="x")
    assert DeviceRecording.objects.get().state == "asked"
    agency.send(ident)
    agency.send(ident, data=b"another\n")
    assert agency.get(f"recordings/{ident}/download").content == FILE


@pytest.mark.parametrize(
    "data",
    [
        base64.b64encode(b"no gzip").decode(),
        base64.b64encode(gzip.compress(FILE)[:-6]).decode(),
        base64.b64encode(gzip.compress(bytes(MOST_BYTES + 1))).decode(),
        "AAA",
    ],
    ids=["no gzip", "cut off", "expands too far", "no base64"],
)
def test_damaged_recording_is_a_failure_with_a_reason(agency: Agency, data: str) -> None:
    ident = agency.ask().json()["id"]
    agency.report("recording", recording=str(ident), state="recorded", data=data)
    shown = agency.get(f"recordings/{ident}").json()
    assert (shown["state"], shown["text"]) == ("failed", "the agent sent a damaged recording.")
    assert agency.get(f"recordings/{ident}/download").status_code == 409


def test_failed_recording_has_the_reason_of_the_agent(agency: Agency) -> None:
    ident = agency.ask().json()["id"]
    agency.report("recording", recording=str(ident), state="failed", detail="no answer from 192.0.2.1")
    assert agency.get(f"recordings/{ident}").json()["text"] == "no answer from 192.0.2.1."


def test_oldest_recordings_of_a_device_make_room(agency: Agency) -> None:
    for _ in range(MOST_KEPT + 2):
        agency.send(agency.ask().json()["id"])
    assert DeviceRecording.objects.count() == MOST_KEPT


def test_limit_of_requests_is_that_of_the_wire() -> None:
    assert MOST_WAITING == MAX_RECORDINGS
