"""The agent protocol with the real endpoint and the real database."""

from __future__ import annotations

import gzip
import json
import time
import uuid
import zlib
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from backstay.accounts import agents
from backstay.accounts.models import Agent
from backstay.api.agent import body as agent_body
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node, Port
from backstay.telemetry.ingest import store
from backstay_wire import MAX_BATCH_BYTES, BatchReply, Desired
from bench.site import AgentIdentity, batch, port_samples, switch_site
from bench.talk import BASE, enrolled, rejections, rows, send, value

BOOT = uuid.uuid4()
PORTS = ["Ethernet1/1", "Ethernet1/2"]
SECOND = 10**9
YEAR = 365 * 86_400 * SECOND


@pytest.fixture
def site(db: None) -> str:
    import_text(switch_site("lab", devices=4, ports=2, agents=2), "lab.yaml", timezone.now())
    return "lab"


@pytest.fixture
def identity(site: str, client: Client) -> AgentIdentity:
    """The agent of mgmt0, which polls sw000 and sw002."""
    return enrolled(client, site, "mgmt0")


@pytest.fixture
def now() -> int:
    return time.time_ns()


def report(seq: int, at: int, **values: object) -> dict[str, Any]:
    return port_samples("sw000", PORTS, seq, boot=BOOT, at=at, **values)


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


@pytest.mark.parametrize("device", ["sw001", "mgmt1", "nothing", "sw000 "])
def test_agent_can_write_only_for_its_devices(
    client: Client, identity: AgentIdentity, now: int, device: str
) -> None:
    foreign = port_samples(device, PORTS, 1, boot=BOOT, at=now)
    reply = send(client, identity, batch([foreign, report(2, now)], sent=now))
    assert (reply.status_code, reply.json()["stored"], rejections(reply)) == (403, 1, [(0, "foreign")])


def test_reassigned_device_is_foreign_at_once(client: Client, identity: AgentIdentity, now: int) -> None:
    assert send(client, identity, batch([report(1, now)], sent=now)).status_code == 200
    Node.objects.filter(name="sw000").update(watcher=Node.objects.get(name="mgmt1"))
    rows("UPDATE inventory_site SET version = version + 1 RETURNING 1")
    reply = send(client, identity, batch([report(2, now)], sent=now))
    assert rejections(reply) == [(0, "foreign")]


MALFORMED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a column that is too short": (lambda r: r.update(in_octets=[1]), "in_octets: 1 values for 2 ports"),
    "a negative counter": (lambda r: r.update(in_octets=[-2, 0]), "in_octets"),
    "a counter beyond 63 bits": (lambda r: r.update(out_octets=[2**63, 0]), "out_octets"),
    "text for a counter": (lambda r: r.update(in_packets=["many", 1]), "in_packets"),
    "an unknown field": (lambda r: r.update(colour="red"), "colour"),
    "a missing column": (lambda r: r.pop("in_octets"), "in_octets"),
    "no ports": (lambda r: r.update(ports=[]), "ports"),
    "a port twice": (lambda r: r.update(ports=["a", "a"]), "twice"),
    "an unknown kind": (lambda r: r.update(kind="weather"), "report"),
    "an interval of nothing": (lambda r: r.update(duration_ns=0), "duration_ns"),
    "a boot that is no UUID": (lambda r: r.update(boot="yesterday"), "boot"),
    "sequence number 0": (lambda r: r.update(seq=0), "seq"),
    "a NUL in a name": (lambda r: r.update(ports=["a\x00b", "c"]), "NUL"),
    "an unknown outcome": (lambda r: r.update(outcome=[99, 0]), "outcome"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_report_is_rejected_by_index_and_others_are_stored(
    client: Client, identity: AgentIdentity, now: int, case: str
) -> None:
    spoil, reason = MALFORMED[case]
    bad = report(2, now)
    spoil(bad)
    reply = send(client, identity, batch([report(1, now), bad, report(3, now)], sent=now))
    assert (reply.status_code, reply.json()["stored"], rejections(reply)) == (422, 2, [(1, "malformed")])
    assert reason in reply.json()["rejected"][0]["reason"]
    assert BatchReply.model_validate(reply.json())


def test_value_refused_by_the_database_rejects_only_its_report(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    device = {"kind": "device", "boot": str(BOOT), "seq": 2, "device": "sw000", "at": now}
    device["ports"] = [{"name": "x", "index": 2**40, "admin_up": True, "oper_up": True}]
    infinite = {**device, "seq": 3, "ports": [], "uptime_s": 1e300}
    reply = send(client, identity, batch([report(1, now), device, infinite, report(4, now)], sent=now))
    assert (reply.status_code, reply.json()["stored"]) == (422, 2)
    assert rejections(reply) == [(1, "malformed"), (2, "malformed")]
    assert value("SELECT seqs::text FROM telemetry_reportledger") == "{[1,2),[4,5)}"


def test_mixed_batch_names_each_rejected_report_once(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    send(client, identity, batch([report(1, now)], sent=now))
    reports = [
        report(1, now),
        port_samples("sw001", PORTS, 2, boot=BOOT, at=now),
        report(3, now + 3600 * SECOND),
        report(4, now, in_octets=[1]),
        report(5, now - 30 * 86_400 * SECOND),
        {"kind": "nonsense"},
        report(7, now),
    ]
    reply = send(client, identity, batch(reports, sent=now))
    assert rejections(reply) == [
        (0, "duplicate"),
        (1, "foreign"),
        (2, "future"),
        (3, "malformed"),
        (4, "expired"),
        (5, "malformed"),
    ]
    assert (reply.status_code, reply.json()["stored"]) == (422, 1)


UNREADABLE = {
    "no gzip": (b'{"wire": 2}', 400),
    "nothing": (b"", 400),
    "cut gzip": (gzip.compress(b"x" * 1000)[:-5], 400),
    "something after the gzip": (gzip.compress(b"{}") + b"more", 400),
    "no JSON": (gzip.compress(b"{not json"), 400),
    "a JSON list": (gzip.compress(b"[]"), 400),
    "no reports": (gzip.compress(b'{"wire":2,"sent":1,"reports":[]}'), 400),
    "no time of sending": (gzip.compress(b'{"wire":2,"reports":[{}]}'), 400),
    "another wire version": (gzip.compress(b'{"wire":3,"sent":1,"reports":[{}]}'), 400),
    "513 reports": (gzip.compress(b'{"wire":2,"sent":1,"reports":[' + b"{}," * 512 + b"{}]}"), 413),
    "a bomb": (zlib.compress(b" " * (MAX_BATCH_BYTES + 1), wbits=31), 413),
    "a body too large": (bytes(agent_body.MAX_COMPRESSED + 1), 413),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_invalid_batch_is_refused_with_a_reason(client: Client, identity: AgentIdentity, case: str) -> None:
    text, status = UNREADABLE[case]
    reply = send(client, identity, text)
    assert reply.status_code == status
    assert set(reply.json()) == {"code", "message", "fields"}
    assert value("SELECT count(*) FROM telemetry_reportledger") == 0


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer nonsense", "Bearer bsa1.AAAA"])
def test_body_is_not_read_without_a_valid_credential(client: Client, header: str) -> None:
    reply = client.generic("POST", f"{BASE}reports", b"x", headers={"authorization": header})
    assert (reply.status_code, reply["WWW-Authenticate"]) == (401, "Bearer")


def test_revoked_agent_is_refused_from_its_next_request(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    assert send(client, identity, batch([report(1, now)], sent=now)).status_code == 200
    agents.revoke(uuid.UUID(identity.agent), timezone.now())
    assert send(client, identity, batch([report(2, now)], sent=now)).status_code == 401
    headers = {"authorization": identity.authorization}
    assert client.get(f"{BASE}desired", headers=headers).status_code == 401


@pytest.mark.parametrize("offset", [YEAR, -YEAR, 3600 * SECOND, -3600 * SECOND, 5 * SECOND])
def test_samples_of_a_host_with_a_wrong_clock_are_dated_by_ours(
    client: Client, identity: AgentIdentity, now: int, offset: int
) -> None:
    reports = [report(1, now + offset - 30 * SECOND), report(2, now + offset)]
    assert send(client, identity, batch(reports, sent=now + offset)).status_code == 200
    ages = rows("SELECT extract(epoch FROM now() - ts)::float, shift_ns FROM telemetry_samples ORDER BY ts")
    assert [round(age, -1) for age, _ in ages] == [30, 0]
    assert all(abs(shift - offset) < 5 * SECOND for _, shift in ages)
    stored = Agent.objects.get().clock_offset_ms
    assert stored is not None
    assert abs(stored * 1e6 - offset) < 5 * SECOND


def test_small_clock_offset_is_not_corrected(client: Client, identity: AgentIdentity, now: int) -> None:
    sent = now + SECOND // 2
    send(client, identity, batch([report(1, sent)], sent=sent))
    assert value("SELECT shift_ns FROM telemetry_samples") == 0
    assert value("SELECT extract(epoch FROM ts) * 1000000 FROM telemetry_samples") == sent // 1000


def test_report_far_ahead_of_its_batch_is_refused(client: Client, identity: AgentIdentity, now: int) -> None:
    reports = [report(1, now + 601 * SECOND), report(2, now + 599 * SECOND)]
    reply = send(client, identity, batch(reports, sent=now))
    assert (reply.status_code, rejections(reply)) == (422, [(0, "future")])


def test_backlog_keeps_its_times_and_does_not_revive_an_unreachable_device(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    old = now - 3600 * SECOND
    send(client, identity, batch([report(1, old)], sent=now))
    reported = "FROM telemetry_nodestate WHERE last_reported_at IS NOT NULL"
    age_s = value(f"SELECT extract(epoch FROM now() - last_reported_at)::float {reported}")
    assert 3590 < age_s < 3620


def test_clock_step_is_reported(client: Client, identity: AgentIdentity, now: int) -> None:
    for seq, offset in ((1, 0), (2, SECOND), (3, 60 * SECOND)):
        clock = {"offset_ns": offset, "error_ns": 1_000_000}
        send(client, identity, batch([report(seq, now + offset)], sent=now + offset, clock=clock))
    assert value("SELECT subject FROM telemetry_event WHERE kind = 'clock.stepped'") == "mgmt0"


def test_slow_connection_is_not_a_wrong_clock(client: Client, identity: AgentIdentity, now: int) -> None:
    sent = now - 8 * SECOND
    assert send(client, identity, batch([report(1, sent)], sent=sent)).status_code == 200
    assert value("SELECT shift_ns FROM telemetry_samples") == 0
    assert Agent.objects.get().clock_offset_ms is None


def test_lost_reports_are_recorded(client: Client, identity: AgentIdentity, now: int) -> None:
    spool = {"waiting": 3, "dropped": 12}
    send(client, identity, batch([report(1, now)], sent=now, spool=spool))
    agent = Agent.objects.get()
    assert (agent.spool_waiting, agent.spool_dropped) == (3, 12)
    assert value("SELECT data->>'dropped' FROM telemetry_event WHERE kind = 'spool.dropped'") == "12"


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


def test_desired_state_has_sources_with_secrets(client: Client, identity: AgentIdentity) -> None:
    reply = client.get(f"{BASE}desired", headers={"authorization": identity.authorization})
    duty = Desired.model_validate_json(reply.content)
    assert (duty.site, duty.node, duty.generation) == ("lab", "mgmt0", 1)
    assert [(source.kind, source.device, source.interval_s) for source in duty.sources] == [
        ("linux", "mgmt0", 30.0),
        ("snmp", "sw000", 30.0),
        ("snmp", "sw002", 30.0),
    ]
    access = json.loads(reply.content)["sources"][1]["access"]
    assert access == {"version": "2c", "community": "secret of sw000"}
    assert reply["Cache-Control"] == "no-store"


def test_known_desired_state_is_not_sent_again(client: Client, identity: AgentIdentity) -> None:
    headers = {"authorization": identity.authorization}
    generation = client.get(f"{BASE}desired", headers=headers).json()["generation"]
    asked = {**headers, "if-none-match": f'"{generation}"'}
    reply = client.get(f"{BASE}desired", headers=asked)
    assert (reply.status_code, reply.content) == (304, b"")
    Agent.objects.filter(pk=identity.agent).update(generation=generation + 1)
    assert client.get(f"{BASE}desired", headers=asked).json()["generation"] == generation + 1


def test_reach_request_needs_no_database_query(
    client: Client, identity: AgentIdentity, django_assert_num_queries: Callable[..., Any]
) -> None:
    with django_assert_num_queries(0):
        reply = client.get(f"{BASE}reach", headers={"authorization": identity.authorization})
        assert client.get(f"{BASE}reach", headers={"authorization": "Bearer bsa1.x"}).status_code == 401
    assert reply.json() == {"agent": str(identity.agent)}


def test_reply_announces_a_new_generation(client: Client, identity: AgentIdentity, now: int) -> None:
    import_text(
        switch_site("lab", devices=5, ports=2, agents=2), "lab.yaml", timezone.now()
    )  # One switch more.
    assert send(client, identity, batch([report(1, now)], sent=now)).json()["generation"] == 2


def test_credential_is_renewed_by_key_but_not_by_a_replay(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    body = identity.renew_body("n" * 16)
    reply = client.post(f"{BASE}credential", body, content_type="application/json")
    assert reply.status_code == 200
    identity.credential = reply.json()["credential"]
    assert send(client, identity, batch([report(1, now)], sent=now)).status_code == 200
    again = client.post(f"{BASE}credential", body, content_type="application/json")
    assert again.status_code == 401


def test_invalid_enrolment_names_the_fields(client: Client, db: None) -> None:
    reply = client.post(f"{BASE}enrol", b"{}", content_type="application/json")
    assert reply.status_code == 400
    assert set(reply.json()["fields"]) == {"token", "public_key", "hostname", "agent_version"}


@pytest.mark.parametrize("path", ["reports", "enrol", "credential"])
def test_wrong_method_is_refused(client: Client, path: str) -> None:
    assert client.get(BASE + path).status_code == 405


def test_no_secret_appears_in_logs_replies_or_tables(
    client: Client, identity: AgentIdentity, now: int, caplog: pytest.LogCaptureFixture
) -> None:
    send(client, identity, batch([report(1, now), {"kind": "device"}], sent=now))
    call_command("enrolment_token", "lab", "mgmt1", stdout=StringIO())
    tables = [name for (name,) in rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
    dump = "".join(str(rows(f"SELECT * FROM {name} LIMIT 1000")) for name in tables)
    for secret in ("secret of sw000", identity.credential):
        assert secret not in dump + caplog.text
