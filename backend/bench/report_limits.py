#!/usr/bin/env python3
"""`make bench-report-limits`: how long the largest accepted report of each kind takes.

Private PostgreSQL (durable, as shipped), Redis and the ingest as a process. An agent sends each kind at its
limit (`telemetry/ingest/limits.py`): a new table, the same again, and twice one in which every entry differs.
The limits of time are a minute (`bench/slow_ingest.py`), so that all of it is measured.

Measures the time to the reply and the processor seconds of ingest and PostgreSQL meanwhile. Processor seconds
depend little on other work on the machine: the limits are set so that they are at most half of `STORE_S`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

BACKEND = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BACKEND))

from bench import databases, processes, servers  # noqa: E402
from bench.client import Endpoint  # noqa: E402
from bench.site import AgentIdentity, Json, batch, host_site  # noqa: E402

NODE = "host000"
GOAL_CPU_S = 1.5
"""Half of the time in which a report must be stored, for a machine that does something else as well."""
Make = Callable[[int, int], Json]
"""(entries, seed) -> the fields of a report; another seed makes every entry differ."""


def neighbours(count: int, seed: int) -> Json:
    """Every hardware address depends on the seed."""
    entries = [
        {
            "port": f"Ethernet1/{i % 48 + 1}",
            "address": _address(i),
            "mac": _mac(i, seed),
            "state": "reachable",
        }
        for i in range(count)
    ]
    return {"kind": "neighbours", "neighbours": entries}


def neighbours_elsewhere(count: int, seed: int) -> Json:
    """Every address depends on the seed: all entries end, and as many begin."""
    entries = [
        {"port": "eth0", "address": f"10.{100 + seed}{_address(i)[4:]}", "mac": _mac(i, 0), "state": "stale"}
        for i in range(count)
    ]
    return {"kind": "neighbours", "neighbours": entries}


def routes(count: int, seed: int) -> Json:
    """A whole table with one next hop for each prefix."""
    return {"kind": "routes", "complete": True, "routes": _routes(count, seed)}


def changed_routes(count: int, seed: int) -> Json:
    """As many changes without a whole table."""
    return {"kind": "routes", "complete": False, "routes": _routes(count, seed)}


def forwarding(count: int, seed: int) -> Json:
    """One address at each port, which makes each an adjacency."""
    entries = [{"port": f"port {i}", "mac": _mac(i, seed)} for i in range(count)]
    return {"kind": "forwarding", "entries": entries}


def adjacencies(count: int, seed: int) -> Json:
    """LLDP neighbours with names."""
    entries = [
        {
            "port": f"port {i}",
            "peer_name": f"switch {seed} {i}",
            "peer_id": _mac(i, seed),
            "peer_port": str(i),
        }
        for i in range(count)
    ]
    return {"kind": "adjacencies", "source": "lldp", "adjacencies": entries}


def counters(count: int, seed: int) -> Json:
    """Counters of the same ports; every number depends on the seed."""
    return _metrics([("ib.symbol_errors", str(i), i + seed + 1) for i in range(count)])


def renamed_counters(count: int, seed: int) -> Json:
    """As `counters`; every name depends on the seed: another layout each time."""
    return _metrics([("ib.symbol_errors", f"{seed} {i}", i + 1) for i in range(count)])


def notices(count: int, seed: int) -> Json:
    """Alarms of so many parts."""
    at = time.time_ns()
    listed = [
        {"at": at, "source": "trap", "name": "card_down", "severity": "critical"}
        | {"subject": f"card {seed} {i}", "text": f"card {i} failed"}
        for i in range(count)
    ]
    return {"kind": "notices", "notices": listed}


def device(count: int, seed: int) -> Json:
    """So many ports that this device never had."""
    ports = [
        {"name": f"port {i}", "index": i, "admin_up": True, "oper_up": seed % 2 == 0, "mac": _mac(i, seed)}
        | {"alias": f"to {seed}", "addresses": [f"{_address(i)}/24"]}
        for i in range(count)
    ]
    return {"kind": "device", "ports": ports}


def _routes(count: int, seed: int) -> list[Json]:
    return [
        {"prefix": f"{_address(i)}/32", "protocol": "bird", "metric": 0}
        | {"next_hops": [{"via": f"10.255.{seed % 250}.1", "port": "eth0"}]}
        for i in range(count)
    ]


def _metrics(values: Sequence[tuple[str, str, int]]) -> Json:
    listed = [{"metric": metric, "subject": subject, "value": value} for metric, subject, value in values]
    return {"kind": "metrics", "collector": "bench", "duration_ns": 10**10, "metrics": listed}


def _address(number: int) -> str:
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def _mac(number: int, seed: int) -> str:
    dice = random.Random(number * 1000 + seed)  # noqa: S311
    return "02:" + ":".join(f"{dice.randrange(256):02x}" for _ in range(5))


@dataclass(frozen=True, slots=True)
class Measured:
    """One reply."""

    status: int
    stored: int
    seconds: float
    ingest_s: float
    database_s: float

    @property
    def processor_s(self) -> float:
        return self.ingest_s + self.database_s


class Sender:
    """An enrolled agent that sends one report at a time."""

    def __init__(self, port: int, ingest: int, database: int) -> None:
        self._endpoint = Endpoint(port, 1)
        self._ingest, self._database = ingest, database
        self._boot, self._seq = str(uuid.uuid4()), 0
        self._identity = _enrolled(self._endpoint)

    def send(self, fields: Json) -> Measured:
        """Send a report of the node and measure."""
        self._seq += 1
        head = {"boot": self._boot, "seq": self._seq, "device": NODE, "at": time.time_ns()}
        body = batch([{**head, **fields}], sent=time.time_ns())
        before = processes.cpu_seconds([self._ingest]), processes.cpu_seconds([self._database])
        began = time.monotonic()
        status, reply = self._endpoint.call(
            "POST", "/api/agent/v1/reports", body, self._identity.authorization
        )
        took_s = time.monotonic() - began
        after = processes.cpu_seconds([self._ingest]), processes.cpu_seconds([self._database])
        stored = json.loads(reply).get("stored", 0)
        return Measured(status, stored, took_s, after[0] - before[0], after[1] - before[1])


def _enrolled(endpoint: Endpoint) -> AgentIdentity:
    from django.utils import timezone

    from backstay.accounts.agents import create_enrolment_token

    identity = AgentIdentity()
    token, _ = create_enrolment_token("largest", NODE, None, timezone.now())
    status, body = endpoint.call("POST", "/api/agent/v1/enrol", identity.enrol_body(token))
    if status != 200:
        raise RuntimeError(f"enrolment failed: {status} {body[:300]!r}")
    identity.enrolled(json.loads(body))
    return identity


def _cases() -> Iterator[tuple[Make, int]]:
    import backstay_wire as wire
    from backstay.telemetry.ingest.limits import MAX_ENTRIES

    most: dict[type, int] = {wire.AdjacencyReport: 4096, wire.NoticeReport: 1000}
    most |= {wire.DeviceReport: wire.MAX_PORTS, **MAX_ENTRIES}
    makes: dict[type, Sequence[Make]] = {
        wire.NeighbourReport: (neighbours, neighbours_elsewhere),
        wire.RouteReport: (routes, changed_routes),
        wire.ForwardingReport: (forwarding,),
        wire.AdjacencyReport: (adjacencies,),
        wire.MetricReport: (counters, renamed_counters),
        wire.NoticeReport: (notices,),
        wire.DeviceReport: (device,),
    }
    for kind, functions in makes.items():
        for make in functions:
            yield make, most[kind]


def main() -> None:
    """Run the benchmark and print its results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only these functions of this file, separated by commas")
    parser.add_argument("--entries", type=int, default=0, help="entries per report (default: the limit)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # The servers are stopped in any case.
    stores = databases.start(durable=True)
    try:
        os.environ |= stores.environment | {
            "BACKSTAY_SECRET_KEYS": uuid.uuid4().hex,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "BACKSTAY_LOG_LEVEL": "WARNING",
        }
        _prepare()
        with (
            tempfile.TemporaryFile() as log,
            servers.server(servers.SLOW_INGEST, {"BACKSTAY_DB_STATEMENT_S": "60"}, log) as ingest,
        ):
            sender = Sender(ingest.port, ingest.pid, stores.pids[0])
            only = set(filter(None, options.only.split(",")))
            found = [
                _measure(sender, make, options.entries or count)
                for make, count in _cases()
                if not only or make.__name__ in only
            ]
    finally:
        stores.stop()
    print("BENCH " + json.dumps({"name": "largest", "figures": dict(found)}))


def _prepare() -> None:
    import django
    from django.core.management import call_command
    from django.utils import timezone

    django.setup()
    from backstay.intake.site_files import import_text

    call_command("migrate", verbosity=0, interactive=False)
    import_text(host_site("largest", 1, 48), "largest.yaml", timezone.now())


def _measure(sender: Sender, make: Make, count: int) -> tuple[str, Json]:
    """Send the scenes of one kind; print and return the worst."""
    scenes = {"new": make(count, 1), "repeated": make(count, 1), "changed": make(count, 2)}
    worst = 0.0
    for name, fields in (*scenes.items(), ("again", make(count, 3))):
        sent = sender.send(fields)
        worst = max(worst, sent.processor_s)
        print(
            f"{make.__name__:22}{count:>8,} {name:10}{sent.status:>5} stored {sent.stored}"
            f"{sent.seconds:>8.2f} s{sent.ingest_s:>8.2f} s ingest{sent.database_s:>8.2f} s PostgreSQL"
            f"   load {os.getloadavg()[0]:.0f}",
            flush=True,
        )
    return make.__name__, {
        "ours": round(worst, 2),
        "goal": GOAL_CPU_S,
        "unit": "CPU-s",
        "met": worst <= GOAL_CPU_S,
        "entries": count,
    }


if __name__ == "__main__":
    main()
