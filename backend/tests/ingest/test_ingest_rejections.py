"""Reports that are refused, and reports of which only a part is."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from backstay.api.agent import body as agent_body
from backstay.inventory.models import Node
from backstay_wire import MAX_BATCH_BYTES, BatchReply
from bench.agent_requests import rejections, rows, send, value
from bench.device_reports import BOOT, PORTS, SECOND, report
from bench.site import AgentIdentity, batch, port_samples


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
    "an infinite counter": (lambda r: r.update(in_octets=[math.inf, 0]), "in_octets"),
    "a counter of 5,000 digits": (lambda r: r.update(in_octets=[10**4000, 0]), "in_octets"),
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


def notices(seq: int, now: int, *texts: str) -> dict[str, Any]:
    items = [
        {"at": now, "source": "syslog", "name": "card_down", "severity": "critical"}
        | {"subject": f"card {place}", "text": text}
        for place, text in enumerate(texts)
    ]
    head = {"kind": "notices", "boot": str(BOOT), "seq": seq, "device": "sw000", "at": now}
    return {**head, "notices": items}


def test_bad_text_is_replaced_and_its_report_is_stored(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    bad = ["a\x00b", "half \ud800 pair", "\x1b[31mred\x07", "line\none\ttwo", "x" * 3000, "pair \U0001f600"]
    reply = send(client, identity, batch([report(1, now), notices(2, now, *bad), report(3, now)], sent=now))
    assert (reply.status_code, reply.json()["stored"]) == (200, 3)
    texts = [text for (text,) in rows("SELECT text FROM telemetry_alarm ORDER BY subject")]
    assert texts[:4] == ["a\ufffdb", "half \ufffd pair", "\ufffd[31mred\ufffd", "line\none\ttwo"]
    assert (len(texts[4]), texts[4][-2:]) == (1024, "x\u2026")
    assert texts[5] == "pair \U0001f600"
    counted = "SELECT reports_sanitised, reports_refused FROM accounts_agent WHERE id = %s"
    assert rows(counted, identity.agent) == [(1, 0)]


def test_wrong_octets_are_replaced_and_the_report_is_stored(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    text = gzip.decompress(batch([notices(1, now, "octet ?")], sent=now)).replace(b"?", b"\xff\xfe")
    reply = send(client, identity, gzip.compress(text))
    assert (reply.status_code, reply.json()["stored"]) == (200, 1)
    assert value("SELECT text FROM telemetry_alarm") == "octet \ufffd\ufffd"


def test_refused_reports_are_counted_without_repeated_ones(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    foreign = port_samples("sw001", PORTS, 2, boot=BOOT, at=now)
    sent = batch([report(1, now), foreign, report(3, now, in_octets=[1]), {"kind": "nonsense"}], sent=now)
    counted = "SELECT reports_refused FROM accounts_agent WHERE id = %s"
    send(client, identity, sent)
    assert value(counted, identity.agent) == 3
    send(client, identity, batch([report(1, now)], sent=now))
    assert value(counted, identity.agent) == 3


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
