"""The agent protocol with the real endpoint and the real database: what is stored."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from backstay.inventory.models import Node, Port
from backstay.telemetry.ingest import store
from bench.agent_requests import rejections, rows, send, value
from bench.device_reports import BOOT, PORTS, SECOND, report
from bench.site import AgentIdentity, batch, port_samples


def test_samples_are_stored_as_the_newest(client: Client, identity: AgentIdentity, now: int) -> None:
    reports = [port_samples(f"sw00{n}", PORTS, n + 1, boot=BOOT, at=now) for n in (0, 2)]
    reply = send(client, identity, batch(reports, sent=now))
    assert (reply.status_code, reply.json()["stored"], rejections(reply)) == (200, 2, [])
    assert now <= reply.json()["received"] <= time.time_ns()
    stored = rows("SELECT in_octets, out_octets, in_errors FROM telemetry_samples ORDER BY node_id")
    assert stored == [([1, 1], [2, 2], None), ([3, 3], [6, 6], None)]
    assert rows("SELECT in_octets FROM telemetry_latest ORDER BY node_id") == [([1, 1],), ([3, 3],)]


def test_every_column_round_trips(client: Client, identity: AgentIdentity, now: int) -> None:
    columns = {
        "in_octets": [2**62, 0],
        "out_octets": [-1, 7],
        "in_packets": [1, 2],
        "out_packets": [3, 4],
        "in_errors": [0, 5],
        "out_errors": [0, 0],
        "in_discards": [6, 0],
        "in_peak": [0, 0],
        "outcome": [2, 0],
    }
    assert send(client, identity, batch([report(1, now, **columns)], sent=now)).status_code == 200
    names = [*columns, "out_discards", "out_peak"]
    (stored,) = rows(f"SELECT {', '.join(names)} FROM telemetry_samples")
    expected = {**columns, "out_errors": None, "out_discards": None, "out_peak": None}
    assert dict(zip(names, stored, strict=True)) == expected


def test_later_interval_replaces_the_newest_and_an_older_one_does_not(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    for seq, at in ((1, now - 60 * SECOND), (3, now), (2, now - 30 * SECOND)):
        assert send(client, identity, batch([report(seq, at)], sent=now)).status_code == 200
    assert value("SELECT in_octets FROM telemetry_latest") == [3, 3]
    assert value("SELECT count(*) FROM telemetry_samples") == 3


def test_repeated_report_is_a_duplicate_and_stored_once(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    text = batch([report(1, now), report(2, now)], sent=now)
    assert send(client, identity, text).status_code == 200
    again = send(client, identity, text)
    assert (again.status_code, rejections(again)) == (409, [(0, "duplicate"), (1, "duplicate")])
    assert value("SELECT count(*) FROM telemetry_samples") == 2


def test_new_reports_in_a_batch_of_old_ones_are_stored(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    send(client, identity, batch([report(1, now), report(3, now)], sent=now))
    reply = send(client, identity, batch([report(seq, now) for seq in (1, 2, 3, 4)], sent=now))
    assert (reply.json()["stored"], rejections(reply)) == (2, [(0, "duplicate"), (2, "duplicate")])
    assert value("SELECT seqs::text FROM telemetry_reportledger") == "{[1,5)}"


def test_report_repeated_within_a_batch_counts_once(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    reply = send(client, identity, batch([report(1, now), report(1, now)], sent=now))
    assert (reply.json()["stored"], rejections(reply)) == (1, [(1, "duplicate")])


UNANSWERED: dict[str, dict[str, Any]] = {
    "not discovered yet": {"kind": "collector", "collector": "snmp", "outcome": "no_data", "duration_ms": 1},
    "only missing ports": {
        "kind": "ports",
        **{key: [-1] for key in ("in_octets", "out_octets", "in_packets", "out_packets")},
        "duration_ns": SECOND,
        "ports": ["Ethernet1/1"],
        "outcome": [6],
    },
    "metrics without a value": {
        "kind": "metrics",
        "collector": "snmp",
        "metrics": [{"metric": "snmp.x", "value": 0, "outcome": 6}],
    },
    "no metric": {"kind": "metrics", "collector": "snmp", "metrics": []},
    "silent in a sweep": {
        "kind": "metrics",
        "collector": "infiniband",
        "metrics": [{"metric": "ib.presence", "value": "silent"}],
    },
    "an empty table": {"kind": "neighbours", "neighbours": []},
    "gone from a sweep": {
        "kind": "device",
        "ports": [{"name": "1", "index": 1, "admin_up": True, "oper_up": False}],
    },
}


@pytest.mark.parametrize("case", UNANSWERED)
def test_report_without_an_answer_does_not_make_a_device_fresh(
    client: Client, identity: AgentIdentity, now: int, case: str
) -> None:
    head = {"boot": str(BOOT), "seq": 1, "device": "sw000", "at": now}
    assert send(client, identity, batch([{**UNANSWERED[case], **head}], sent=now)).json()["stored"] == 1
    state = (
        "SELECT last_reported_at FROM telemetry_nodestate s JOIN inventory_node n ON n.id = s.node_id"
        " WHERE n.name = %s"
    )
    assert value(state, "sw000") is None
    own = {**UNANSWERED["not discovered yet"], **head, "seq": 2, "device": "mgmt0"}
    assert send(client, identity, batch([own], sent=now)).json()["stored"] == 1
    assert value(state, "mgmt0") is not None, "the agent runs there"


def test_undeclared_port_is_discovered(client: Client, identity: AgentIdentity, now: int) -> None:
    surprise = port_samples("sw000", [*PORTS, "mgmt"], 1, boot=BOOT, at=now)
    assert send(client, identity, batch([surprise], sent=now)).status_code == 200
    port = Port.objects.get(name="mgmt")
    assert (port.declared, port.node.name) == (False, "sw000")


def test_different_port_order_is_a_new_layout(client: Client, identity: AgentIdentity, now: int) -> None:
    for seq, names in enumerate((PORTS, PORTS[::-1], PORTS), 1):
        send(client, identity, batch([port_samples("sw000", names, seq, boot=BOOT, at=now)], sent=now))
    assert value("SELECT count(DISTINCT layout_id) FROM telemetry_samples") == 2
    layouts = rows("SELECT ports FROM telemetry_portlayout ORDER BY id")
    assert layouts[0][0] == layouts[1][0][::-1]


def test_failed_poll_does_not_make_the_device_reachable(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    outcome = {
        "kind": "collector",
        "boot": str(BOOT),
        "seq": 1,
        "device": "sw000",
        "at": now,
        "collector": "snmp",
        "outcome": "timeout",
        "detail": "no answer",
        "duration_ms": 1000,
    }
    assert send(client, identity, batch([outcome], sent=now)).status_code == 200
    sql = (
        "SELECT last_reported_at, collector_outcome FROM telemetry_nodestate"
        " JOIN inventory_node n ON n.id = node_id"
    )
    assert rows(f"{sql} WHERE n.name = 'sw000'") == [(None, "timeout")]


def test_recovery_of_a_stale_device_is_recorded(client: Client, identity: AgentIdentity, now: int) -> None:
    send(client, identity, batch([report(1, now)], sent=now))
    long_ago = timezone.now() - timedelta(minutes=5)
    rows("UPDATE telemetry_nodestate SET last_reported_at = now() - interval '5 min' RETURNING 1")
    rows("UPDATE telemetry_nodestate SET stale_since = now() - interval '4 min' RETURNING 1")
    later = time.time_ns()
    send(client, identity, batch([report(2, later)], sent=later))
    assert value("SELECT count(*) FROM telemetry_event WHERE kind = 'node.reporting'") == 1
    state = Node.objects.get(name="sw000").state
    assert state.stale_since is None
    assert state.last_reported_at is not None
    assert state.last_reported_at > long_ago


def test_crash_during_a_batch_leaves_no_partial_rows(
    client: Client, identity: AgentIdentity, now: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = batch([report(1, now), report(2, now)], sent=now)

    def crash(end: object) -> None:
        raise OperationalError("the server closed the connection")

    with monkeypatch.context() as broken:
        broken.setattr(store, "finish", crash)
        reply = send(client, identity, text)
    assert (reply.status_code, reply["Retry-After"]) == (503, "2")
    assert value("SELECT count(*) FROM telemetry_samples") == 0
    assert value("SELECT count(*) FROM telemetry_reportledger") == 0
    assert send(client, identity, text).json()["stored"] == 2


def test_failing_evaluation_keeps_the_samples(
    client: Client, identity: AgentIdentity, now: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(facts: object) -> None:
        raise KeyError("a defect")

    monkeypatch.setattr("backstay.policy.services.observe", fail)
    spool = {"dropped": 1}
    reply = send(client, identity, batch([report(1, now)], sent=now, spool=spool))
    assert (reply.status_code, reply.json()["stored"]) == (200, 1)
    assert rows("SELECT message FROM telemetry_event WHERE kind = 'spool.dropped'") == []
