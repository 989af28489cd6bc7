"""No agent keeps a worker or a row for long: its reports are bounded, and so are its requests."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.intake.site_files import import_text
from backstay.telemetry.alarm_models import Alarm
from backstay.telemetry.ingest import deadline, dispatch, limits, store
from backstay.telemetry.states import neighbours
from backstay_wire import DeviceReport, NeighbourReport, RouteReport
from bench.agent_requests import enrolled, rejections, rows, send, value
from bench.site import AgentIdentity, Json, batch, port_samples, switch_site

PORTS = ["Ethernet1/1"]
REPEATED = 10_000
"""Entries with one address: a join of each with each takes minutes."""


@pytest.fixture
def identities(transactional_db: None) -> Iterator[list[AgentIdentity]]:
    """The agents of mgmt0 (sw000, sw002) and mgmt1 (sw001, sw003)."""
    import_text(switch_site("lab", devices=4, ports=1, agents=2), "lab.yaml", timezone.now())
    yield [enrolled(Client(), "lab", name) for name in ("mgmt0", "mgmt1")]
    for table in ("samples", "newest", "neighbourpast", "neighbourclash"):
        rows(f"WITH gone AS (DELETE FROM telemetry_{table} RETURNING 1) SELECT count(*) FROM gone")


@pytest.fixture
def other_process(identities: list[AgentIdentity]) -> Iterator[psycopg.Connection[Any]]:
    """A connection of another process, in a transaction."""
    known = connection.get_connection_params()
    with psycopg.connect(**{key: known[key] for key in ("host", "port", "user", "dbname")}) as other:
        yield other
        other.rollback()


def report(kind: str, device: str, seq: int = 1, **values: object) -> Json:
    head = {"kind": kind, "boot": str(uuid.uuid4()), "seq": seq, "device": device, "at": time.time_ns()}
    return {**head, **values}


def samples(device: str, seq: int = 1) -> Json:
    return port_samples(device, PORTS, seq, boot=uuid.uuid4(), at=time.time_ns())


def neighbour_table(device: str, count: int, address: str = "10.9.9.9") -> Json:
    entries = [
        {
            "port": f"p{i}",
            "address": address,
            "mac": f"02:00:00:00:{i >> 8:02x}:{i & 255:02x}",
            "state": "reachable",
        }
        for i in range(count)
    ]
    return report("neighbours", device, neighbours=entries)


def sent(identity: AgentIdentity, *reports: Json) -> Any:
    return send(Client(), identity, batch(reports, sent=time.time_ns()))


def held(other: psycopg.Connection[Any], identity: AgentIdentity, *classes: int) -> None:
    for lock in classes:
        other.execute("SELECT pg_advisory_lock(%s, %s)", [lock, limits._key(UUID(identity.agent))])


def test_table_that_repeats_one_address_is_stored_in_one_pass(identities: list[AgentIdentity]) -> None:
    reply = sent(identities[0], neighbour_table("sw000", REPEATED))
    assert (reply.status_code, reply.json()["stored"]) == (200, 1)
    assert value("SELECT count(*) FROM telemetry_neighbour") == REPEATED
    assert value("SELECT count(*) FROM telemetry_neighbourclash") == 1


def test_tables_that_disagree_are_noted_once_per_address(identities: list[AgentIdentity]) -> None:
    same = [{"port": "eth0", "address": "10.0.0.9", "mac": "02:00:00:00:00:99", "state": "stale"}]
    for device, identity, mac in (("sw000", identities[0], "1"), ("sw001", identities[1], "2")):
        entries = [
            {"port": "eth0", "address": f"10.0.0.{i}", "mac": f"02:00:00:00:00:0{mac}", "state": "reachable"}
            for i in (1, 2)
        ]
        assert sent(identity, report("neighbours", device, neighbours=[*entries, *same])).status_code == 200
    noted = rows("SELECT host(address) FROM telemetry_neighbourclash ORDER BY address")
    assert noted == [("10.0.0.1",), ("10.0.0.2",)]


def test_third_request_of_an_agent_must_wait(
    identities: list[AgentIdentity], other_process: psycopg.Connection[Any]
) -> None:
    held(other_process, identities[0], limits._AGENT, limits._WAITING)
    reply = sent(identities[0], samples("sw000"))
    assert (reply.status_code, reply["Retry-After"]) == (429, "1")
    assert sent(identities[1], samples("sw001")).status_code == 200


def test_second_request_of_an_agent_waits_for_a_limited_time(
    identities: list[AgentIdentity], other_process: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WAIT_MS", 50)
    held(other_process, identities[0], limits._AGENT)
    reply = sent(identities[0], samples("sw000"))
    assert (reply.status_code, reply["Retry-After"]) == (429, "1")
    other_process.execute("SELECT pg_advisory_unlock_all()")
    assert sent(identities[0], samples("sw000")).status_code == 200


def test_row_that_stays_locked_gives_503(
    identities: list[AgentIdentity], other_process: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOCK_MS", 50)
    other_process.execute("SELECT 1 FROM accounts_agent WHERE id = %s FOR UPDATE", [identities[0].agent])
    reply = sent(identities[0], samples("sw000"))
    assert (reply.status_code, reply["Retry-After"]) == (503, "2")
    assert sent(identities[1], samples("sw001")).status_code == 200


def test_report_beyond_its_limit_is_refused_and_the_others_are_stored(
    identities: list[AgentIdentity], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_ENTRIES", {NeighbourReport: 3, RouteReport: 3})
    reply = sent(identities[0], samples("sw000"), neighbour_table("sw000", 4), samples("sw002"))
    assert reply.json()["stored"] == 2
    assert rejections(reply) == [(1, "malformed")]
    assert "at most 3" in reply.json()["rejected"][0]["reason"]


def test_slow_report_is_refused_and_the_others_are_stored(
    identities: list[AgentIdentity], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STORE_S", 2.0)
    monkeypatch.setattr(limits, "ALONE_S", 2.0)
    monkeypatch.setattr(limits, "SMALL", 3)
    monkeypatch.setattr(neighbours, "known", lambda node: store.query("SELECT pg_sleep(60)", []))
    reply = sent(identities[0], samples("sw000"), neighbour_table("sw000", 4), samples("sw002"))
    assert (reply.json()["stored"], rejections(reply)) == (2, [(1, "malformed")])
    assert "not stored within" in reply.json()["rejected"][0]["reason"]
    small = sent(identities[0], neighbour_table("sw000", 2))
    assert (small.status_code, small["Retry-After"]) == (503, "2"), "the database is slow, not the report"


def test_statements_of_a_report_share_its_time(
    identities: list[AgentIdentity], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them alone is quick enough."""
    slept: list[int] = []

    def known(node: int) -> list[neighbours.StoredEntry]:
        for number in range(40):
            store.query("SELECT pg_sleep(0.2)", [])
            slept.append(number)
        return []

    monkeypatch.setattr(limits, "STORE_S", 1.0)
    monkeypatch.setattr(limits, "ALONE_S", 2.0)
    monkeypatch.setattr(limits, "SMALL", 3)
    monkeypatch.setattr(neighbours, "known", known)
    reply = sent(identities[0], neighbour_table("sw000", 4), samples("sw002"))
    assert (reply.json()["stored"], rejections(reply)) == (1, [(0, "malformed")])
    assert reply.json()["rejected"][0]["reason"] == "not stored within 2.0 s"
    assert len(slept) < (1.0 + 2.0 + 2 * deadline.SLACK_S) / 0.2
    assert value("SELECT count(*) FROM telemetry_neighbour") == 0


def test_statements_of_django_share_the_time_too(
    identities: list[AgentIdentity], monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[int] = []

    def slow(reports: object, correction: object, facts: object) -> None:
        for number in range(40):
            rows("SELECT pg_sleep(0.2)")
            slept.append(number)

    monkeypatch.setattr(limits, "STORE_S", 1.0)
    monkeypatch.setattr(limits, "ALONE_S", 1.0)
    monkeypatch.setitem(dispatch._APPLY, DeviceReport, slow)
    reply = sent(identities[0], report("device", "sw000", ports=[]))
    assert (reply.status_code, reply["Retry-After"]) == (503, "2"), "a small report: the database is slow"
    assert len(slept) < (1.0 + 1.0 + 2 * deadline.SLACK_S) / 0.2


def test_reports_that_need_more_than_a_requests_time_are_to_be_sent_in_smaller_requests(
    identities: list[AgentIdentity], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STORE_S", 1.0)
    monkeypatch.setattr(limits, "REQUEST_S", 1.5)
    monkeypatch.setattr(limits, "SMALL", 3)
    monkeypatch.setattr(neighbours, "known", lambda node: store.query("SELECT pg_sleep(60)", []))
    table, other = neighbour_table("sw000", 4), samples("sw002")
    reply = sent(identities[0], other, table)
    assert (reply.status_code, reply.json()["code"]) == (413, "too_large")
    assert rejections(sent(identities[0], other)) == [(0, "duplicate")], "what was stored stays stored"


def test_notices_take_as_many_statements_as_one(identities: list[AgentIdentity]) -> None:
    counts = []
    for number in (2, 50):
        reports = [
            report(
                "notices",
                "sw000",
                seq,
                notices=[
                    {"at": time.time_ns(), "source": "trap", "name": "card_down", "severity": "critical"}
                    | {"subject": f"card {number}.{seq}.{index}", "text": "x"}
                    for index in range(5)
                ],
            )
            for seq in range(1, number + 1)
        ]
        with CaptureQueriesContext(connection) as captured:
            assert sent(identities[0], *reports).status_code == 200
        counts.append(sum("telemetry_alarm" in item["sql"] for item in captured))
    assert counts[0] == counts[1]
    assert Alarm.objects.count() == 10 + 250


def test_routes_count_by_their_next_hops(
    identities: list[AgentIdentity], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_ENTRIES", {RouteReport: 3})
    hops = [{"via": f"10.0.0.{i}", "port": "eth0"} for i in range(1, 5)]
    route = {"prefix": "10.9.0.0/16", "protocol": "static", "next_hops": hops}
    reply = sent(identities[0], report("routes", "sw000", complete=True, routes=[route]))
    assert reply.json()["rejected"][0]["reason"].startswith("4 entries")


def test_route_change_with_many_prefixes_takes_few_statements(identities: list[AgentIdentity]) -> None:
    def change(first: int) -> Json:
        table = [
            {"prefix": f"10.{first + i // 250}.{i % 250}.0/24", "protocol": "static", "metric": 5}
            | {"next_hops": [{"via": "10.0.0.1", "port": "eth0"}, {"port": "eth1"}]}
            for i in range(2000)
        ]
        return report("routes", "sw000", complete=False, routes=table)

    first = change(1)
    assert sent(identities[0], first).json()["stored"] == 1
    assert value("SELECT count(*) FROM telemetry_route") == 4000
    with CaptureQueriesContext(connection) as captured:
        assert sent(identities[0], change(1)).json()["stored"] == 1
    assert not [item for item in captured if "INSERT" in item["sql"] and "route" in item["sql"]]
    gone = report("routes", "sw000", complete=False, routes=[], removed=first["routes"])
    assert sent(identities[0], gone).json()["stored"] == 1
    assert value("SELECT count(*) FROM telemetry_route") == 0
