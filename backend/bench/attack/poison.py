"""Reports that are syntactically valid and harmful: texts, numbers, sizes, depths, compression."""

from __future__ import annotations

import gzip
import itertools
import json
import random
import time
import uuid
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from bench.attack.target import Result, Target, in_parallel
from bench.service.calls import Tally
from bench.service.sites import PORTS
from bench.site import batch, port_samples

NEIGHBOURS = 100_000
NOTICES = 500
BOMB_BYTES = 1_000_000_000
ANSWER_S = 30.0
BATCH_GOAL_S = 1.0
"""A batch of 500 notices is stored within this."""
LARGEST, TABLE_GOAL_S = 20_480, 3.0
"""The largest neighbour table that is accepted (`telemetry/ingest/limits.py`) is stored within this."""
Json = dict[str, Any]
_numbers = itertools.count(1)


def texts_and_numbers(target: Target) -> Result:
    """each harmful value, from two agents and at the public API."""
    result, boot = Result(), uuid.uuid4()
    requests = list(_public(target.service.token))

    def once(number: int) -> None:
        sender = target.attackers[number]
        for body in _bodies(sender.node, boot):
            result.attacker.add(target.ingest("reports", body, sender, timeout_s=ANSWER_S))
        for body in (b'{"token":"\\u0000"}', b'{"token":"\\ud800"}', b'{"token":NaN}', b"[" * 10_000):
            result.attacker.add(target.ingest("enrol", body, timeout_s=ANSWER_S))
        for method, path, data in requests:
            result.attacker.add(target.service.call(method, path, data, timeout_s=ANSWER_S))

    in_parallel(2, target.seconds, once)
    return result


def neighbours(target: Target) -> Result:
    """The report of 100,000 neighbours, resent on four connections without waiting for a reply."""
    result, sender = Result(), target.attackers[0]
    report = {**_head(sender.node, uuid.uuid4(), "neighbours"), "neighbours": _table(NEIGHBOURS)}
    body = batch([report], sent=time.time_ns())

    def send(number: int) -> None:
        # Every second one hangs up early, as an agent does whose patience ends.
        limit_s = ANSWER_S if number % 2 else 3.0
        result.attacker.add(target.ingest("reports", body, sender, timeout_s=limit_s))

    in_parallel(4, target.seconds, send)
    return result


def notices(target: Target) -> Result:
    """Batches of 500 reports with a notice each, one after the other."""
    result, sender, boot = Result(), target.attackers[0], uuid.uuid4()
    accepted = Tally()

    def send(_: int) -> None:
        reports = [notice_report(sender.node, boot, [f"line {next(_numbers)}"]) for _ in range(NOTICES)]
        answer = target.ingest("reports", batch(reports, sent=time.time_ns()), sender, timeout_s=ANSWER_S)
        result.attacker.add(answer)
        if answer.status == 200:
            accepted.add(answer)

    in_parallel(1, target.seconds, send)
    middle = sorted(accepted.took_s)[len(accepted.took_s) // 2] if accepted.took_s else ANSWER_S
    result.expect(middle <= BATCH_GOAL_S, f"median of {len(accepted.took_s)} stored batches {middle:.2f} s")
    return result


def largest_table(target: Target) -> Result:
    """The largest accepted neighbour table, every hardware address new each time, one after the other."""
    result, sender, boot = Result(), target.attackers[0], uuid.uuid4()
    accepted = Tally()

    def send(_: int) -> None:
        number = next(_numbers)
        report = {**_head(sender.node, boot, "neighbours"), "neighbours": _table(LARGEST, seed=number)}
        body = batch([report], sent=time.time_ns())
        answer = target.ingest("reports", body, sender, timeout_s=ANSWER_S)
        result.attacker.add(answer)
        if answer.status == 200:
            accepted.add(answer)

    in_parallel(1, target.seconds, send)
    longest = max(accepted.took_s, default=ANSWER_S)
    result.expect(longest <= TABLE_GOAL_S, f"longest of {len(accepted.took_s)} stored tables {longest:.2f} s")
    return result


def depth_and_bombs(target: Target) -> Result:
    """Deep JSON, a gzip bomb of 1 GB, cut and doubled streams, from four connections."""
    result, sender = Result(), target.attackers[0]
    squeezed = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    bomb = b"".join(squeezed.compress(bytes(1_000_000)) for _ in range(BOMB_BYTES // 1_000_000))
    bomb += squeezed.flush()
    deep = b'{"wire":2,"sent":1,"reports":' + b"[" * 4_000_000 + b"]" * 4_000_000 + b"}"
    keys = b'{"a":' * 1_000_000 + b"1" + b"}" * 1_000_000
    whole = gzip.compress(b"{}")
    bodies = [bomb, gzip.compress(deep, 1), gzip.compress(keys, 1), whole[:-4], whole + whole, b"\x1f\x8b"]

    def send(_: int) -> None:
        for body in bodies:
            result.attacker.add(target.ingest("reports", body, sender, timeout_s=ANSWER_S))

    in_parallel(4, target.seconds, send)
    return result


def notice_report(node: str, boot: uuid.UUID, texts: list[str], name: str = "link_down") -> Json:
    """A report of critical syslog lines."""
    at = time.time_ns()
    listed = [
        {
            "at": at,
            "source": "syslog",
            "name": name,
            "severity": "critical",
            "subject": text[:100],
            "text": text,
        }
        for text in texts
    ]
    return {**_head(node, boot, "notices"), "notices": listed}


def _head(node: str, boot: uuid.UUID, kind: str) -> Json:
    return {
        "kind": kind,
        "boot": str(boot),
        "seq": next(_numbers),
        "device": node,
        "at": time.time_ns(),
    }


def _table(count: int, seed: int = 1) -> list[Json]:
    dice = random.Random(seed)  # noqa: S311
    return [
        {
            "port": PORTS[number % len(PORTS)],
            "address": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
            "mac": "02:" + ":".join(f"{dice.randrange(256):02x}" for _ in range(5)),
            "state": "reachable",
        }
        for number in range(count)
    ]


def _bodies(node: str, boot: uuid.UUID) -> Iterator[bytes]:
    """Gzip bodies, each with a good report and a harmful one."""
    for change in HARMFUL:
        good = port_samples(node, PORTS, next(_numbers), boot=boot, at=time.time_ns())
        device = {**_head(node, boot, "device"), "sys_name": node, "ports": []}
        text = json.dumps({"wire": 2, "sent": time.time_ns(), "reports": [good, device]})
        yield gzip.compress(change(text).encode("utf-8", "surrogatepass"), 1)


def _replace(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


HARMFUL: list[Callable[[str], str]] = [
    _replace('"sys_name": "', '"sys_name": "\\u0000'),
    _replace('"sys_name": "', '"sys_name": "\\ud800'),
    _replace('"sys_name": "', '"sys_name": "\ud800'),
    _replace('"sys_name": "', '"sys_name": "\x01\x1b[2J'),
    _replace('"ports": []', '"ports": [], "uptime_s": NaN'),
    _replace('"ports": []', '"ports": [], "uptime_s": Infinity'),
    _replace('"ports": []', '"ports": [], "uptime_s": 1e999'),
    _replace('"ports": []', '"ports": [], "uptime_s": -1e308'),
    _replace('"in_octets": [', f'"in_octets": [{"9" * 5_000}, '),
    _replace('"in_octets": [', f'"in_octets": [{2**63}, '),
    _replace('"duration_ns": 30000000000', f'"duration_ns": {2**62 - 1}'),
    _replace('"in_octets": [', f'"in_octets": [{2**63 - 1}, '),
    _replace('"at": ', '"at": 9'),
    _replace('"seq": ', '"seq": 4611686018427387903, "extra": '),
    _replace('"sent": ', '"sent": 92233720368547758070'),
    _replace('"device": "', '"device": "\\u0000'),
    _replace('"boot": "', '"boot": "zz'),
    _replace('"reports": [', '"reports": [null, '),
]


def _public(token: str) -> Iterator[tuple[str, str, bytes | None]]:
    for bad in ("%00", "%ED%A0%80", "%FF", "a" * 5_000, "1" * 400):
        for path in ("nodes?q=", "events?q=", "incidents?q=", "topology?site=", "links?cursor=", "nodes/"):
            yield "GET", f"/api/v1/{path}{bad}", None
    for value in (b'"\\u0000"', b'"\\ud800"', b"NaN", b"1e999", b"9" * 5_000, b"[" * 50_000):
        yield "POST", "/api/v1/session", b'{"username":' + value + b',"password":"x"}'
        yield "POST", "/api/v1/site-files", b'{"name":"x.yaml","text":' + value + b"}"
        yield "POST", "/api/v1/enrolment-tokens", b'{"site":' + value + b',"node":"x"}'
