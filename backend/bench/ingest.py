#!/usr/bin/env python3
"""`make bench-ingest`: the cost of storing reports, end to end, compared with PostgreSQL alone.

Private PostgreSQL (fsync and synchronous commit on, as shipped), Redis, and granian as the agents' endpoint,
as in production. 200 switches of 48 ports are imported, their agents enrol, and then three measurements
alternate, so that other load on the machine affects them equally:

    agents          25 switches per request (a management agent): the headline; also 100, and 1 device
    ceiling         the same rows directly into the same table by binary COPY, 200 switches per transaction
    one row per port  the same rows into a wide table with a primary key, by binary COPY

Measures the processor seconds of every server process (granian, PostgreSQL with its writers, Redis), not the
client's. Disk is measured after VACUUM, with indexes and TOAST.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BACKEND = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BACKEND))

from bench import copy_baseline, databases, processes, servers  # noqa: E402
from bench.client import Endpoint, Parcel  # noqa: E402
from bench.site import AgentIdentity, host_site, packed, switch_site  # noqa: E402
from bench.traffic import INTERVAL_S, Cluster, Traffic  # noqa: E402

DEVICES, PORTS, MANAGERS, GREAT_MANAGERS, CONNECTIONS = 200, 48, 8, 2, 4
GOAL_ROWS, GOAL_BYTES = 300_000.0, 45.0
NAMES = [f"Ethernet1/{port}" for port in range(1, PORTS + 1)]


class Tally:
    """Port-rows and processor seconds of one method of storing."""

    def __init__(self) -> None:
        self.rows = 0
        self.server_s = 0.0
        self.client_s = 0.0
        self.wall_s = 0.0

    @property
    def rate(self) -> float:
        """Port-rows per server processor second."""
        return self.rows / self.server_s

    @contextmanager
    def measured(self, roots: list[int], rows: int) -> Iterator[None]:
        """Count the processor time of the block."""
        before = processes.cpu_seconds(roots), time.process_time(), time.monotonic()
        yield
        self.server_s += processes.cpu_seconds(roots) - before[0]
        self.client_s += time.process_time() - before[1]
        self.wall_s += time.monotonic() - before[2]
        self.rows += rows


class Senders:
    """Enrolled agents and the devices that each reports on."""

    def __init__(self, endpoint: Endpoint, devices: dict[str, list[tuple[str, int]]], site: str) -> None:
        self._boot = uuid.uuid4()
        self._seq = 0
        self._agents = [(_enrolled(endpoint, site, node), owned) for node, owned in devices.items()]

    def parcels(self, traffic: Traffic, at: int) -> list[Parcel]:
        """One interval: a request of each agent."""
        made = []
        for identity, owned in self._agents:
            texts = []
            for name, device in owned:
                self._seq += 1
                texts.append(self._report(name, traffic.columns_json(device), at))
            made.append(Parcel(identity, packed(texts), len(texts)))
        return made

    def _report(self, device: str, columns: str, at: int) -> str:
        head = {
            "kind": "ports",
            "boot": str(self._boot),
            "seq": self._seq,
            "device": device,
            "at": at,
            "duration_ns": INTERVAL_S * 1_000_000_000,
            "ports": NAMES,
        }
        return json.dumps(head, separators=(",", ":"))[:-1] + "," + columns + "}"


def main() -> None:
    """Run the benchmark and print its results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--rounds", type=int, default=60, help="intervals of all 200 switches per method (default: 60)"
    )
    parser.add_argument(
        "--turns", type=int, default=4, help="number of times that the methods alternate (default: 4)"
    )
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
        with _ingest() as (web, port):
            figures = _run(stores, web, port, options.rounds, options.turns)
    finally:
        stores.stop()
    _print(figures)


def _prepare() -> None:
    import django
    from django.core.management import call_command
    from django.utils import timezone

    django.setup()
    from backstay.intake.site_files import import_text

    call_command("migrate", verbosity=0, interactive=False)
    import_text(switch_site("managed", DEVICES, PORTS, agents=MANAGERS), "managed.yaml", timezone.now())
    import_text(switch_site("great", DEVICES, PORTS, agents=GREAT_MANAGERS), "great.yaml", timezone.now())
    import_text(host_site("hosts", DEVICES, PORTS), "hosts.yaml", timezone.now())


@contextmanager
def _ingest() -> Iterator[tuple[int, int]]:
    """The agents' endpoint as in production; its process ID and port."""
    with tempfile.TemporaryFile() as log, servers.server(servers.INGEST, {}, log) as ingest:
        yield ingest.pid, ingest.port


def _enrolled(endpoint: Endpoint, site: str, node: str) -> AgentIdentity:
    from django.utils import timezone

    from backstay.accounts.agents import create_enrolment_token

    identity = AgentIdentity()
    token, _ = create_enrolment_token(site, node, None, timezone.now())
    status, body = endpoint.call("POST", "/api/agent/v1/enrol", identity.enrol_body(token))
    if status != 200:
        raise RuntimeError(f"enrolment failed: {status} {body[:300]!r}")
    identity.enrolled(json.loads(body))
    return identity


def _run(
    stores: databases.PrivateDatabases, web: int, port: int, rounds: int, batch_rounds: int
) -> dict[str, Any]:
    import psycopg

    endpoint = Endpoint(port, CONNECTIONS)
    switches = [(f"sw{number:03}", number) for number in range(DEVICES)]
    senders = {
        "managed": Senders(endpoint, _shared(switches, MANAGERS), "managed"),
        "great": Senders(endpoint, _shared(switches, GREAT_MANAGERS), "great"),
        "single": Senders(endpoint, {f"host{n:03}": [(f"host{n:03}", n)] for n in range(DEVICES)}, "hosts"),
    }
    cluster, roots = Cluster(DEVICES, PORTS), [web, *stores.pids]
    methods = {name: Tally() for name in (*senders, "ceiling", "wide")}
    at = time.time_ns() - (rounds + 2) * INTERVAL_S * 1_000_000_000
    with psycopg.connect(stores.dsn, autocommit=True) as connection:
        connection.execute(copy_baseline.WIDE)
        _warm_up(endpoint, senders.values(), cluster.interval(), at)
        for _ in range(batch_rounds):
            intervals = []
            for _ in range(rounds // batch_rounds):
                at += INTERVAL_S * 1_000_000_000
                intervals.append((cluster.interval(), at))
            rows = len(intervals) * DEVICES * PORTS
            for name, those in senders.items():
                parcels = [parcel for traffic, when in intervals for parcel in those.parcels(traffic, when)]
                with methods[name].measured(roots, rows):
                    endpoint.send_all(parcels)
            arrays = [copy_baseline.array_rows(traffic, when // 1000) for traffic, when in intervals]
            with methods["ceiling"].measured(roots, rows):
                for data in arrays:
                    copy_baseline.copy(connection, "telemetry_samples", data)
            wide = [copy_baseline.wide_rows(traffic, when // 1000) for traffic, when in intervals]
            with methods["wide"].measured(roots, rows):
                for data in wide:
                    copy_baseline.copy(connection, "bench_wide", data)
        return {"ways": methods, **_disk(connection, methods)}


def _shared(devices: list[tuple[str, int]], agents: int) -> dict[str, list[tuple[str, int]]]:
    """Devices polled by each management host, as assigned by `switch_site`."""
    return {f"mgmt{number}": devices[number::agents] for number in range(agents)}


def _warm_up(endpoint: Endpoint, everyone: Iterable[Senders], traffic: Traffic, at: int) -> None:
    """Create connections, prepared statements, layouts and partitions before the measurement."""
    for senders in everyone:
        endpoint.send_all(senders.parcels(traffic, at))


def _disk(connection: Any, methods: dict[str, Tally]) -> dict[str, float]:
    connection.execute("VACUUM (FULL FALSE, ANALYZE) telemetry_samples")
    connection.execute("VACUUM (ANALYZE) bench_wide")
    stored = connection.execute("SELECT sum(cardinality(in_octets)) FROM telemetry_samples").fetchone()[0]
    expected = (
        sum(methods[name].rows for name in ("managed", "great", "single", "ceiling")) + 3 * DEVICES * PORTS
    )
    if stored != expected:
        raise RuntimeError(f"{stored} port-rows are stored, {expected} were sent")
    size = connection.execute(
        "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits"
        " WHERE inhparent = 'telemetry_samples'::regclass"
    ).fetchone()[0]
    wide = connection.execute("SELECT pg_total_relation_size('bench_wide')").fetchone()[0]
    return {"octets": float(size) / stored, "wide_octets": wide / methods["wide"].rows}


def _print(figures: dict[str, Any]) -> None:
    methods: dict[str, Tally] = figures["ways"]
    labels = {
        "managed": f"agents, {DEVICES // MANAGERS} devices a request",
        "great": f"agents, {DEVICES // GREAT_MANAGERS} devices a request",
        "single": "agents, 1 device a request",
        "ceiling": "PostgreSQL alone, binary COPY (ceiling)",
        "wide": "PostgreSQL alone, one row a port (peer)",
    }
    print(f"{'':44}{'port-rows':>12}{'server CPU s':>14}{'rows/CPU-s':>12}{'client CPU s':>14}{'wall s':>8}")
    for name, tally in methods.items():
        print(
            f"{labels[name]:44}{tally.rows:>12,}{tally.server_s:>14.2f}{tally.rate:>12,.0f}"
            f"{tally.client_s:>14.2f}{tally.wall_s:>8.1f}"
        )
    print(f"bytes a port-row on disk: {figures['octets']:.1f}; one row a port: {figures['wide_octets']:.1f}")
    print(
        f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; above 1 each, all is slower"
    )
    print("BENCH " + json.dumps({"name": "ingest", "figures": _figures(figures, methods)}))


def _figures(figures: dict[str, Any], methods: dict[str, Tally]) -> dict[str, dict[str, Any]]:
    peer = {"peer": round(methods["wide"].rate), "peer_name": "one row a port, binary COPY"}
    rate = {**peer, "floor": round(methods["ceiling"].rate), "goal": GOAL_ROWS, "unit": "port-rows/CPU-s"}
    octets = figures["octets"]
    return {
        "ingest": _judged(methods["managed"], rate),
        "ingest_100_devices_a_request": _judged(methods["great"], rate),
        "ingest_1_device_a_request": _judged(methods["single"], rate),
        "disk": {
            "ours": round(octets, 1),
            "peer": round(figures["wide_octets"], 1),
            "peer_name": "one row a port",
            "floor": 4 * 8,
            "goal": GOAL_BYTES,
            "unit": "octets/port-row",
            "met": octets <= GOAL_BYTES,
        },
    }


def _judged(tally: Tally, rate: dict[str, Any]) -> dict[str, Any]:
    return {"ours": round(tally.rate), **rate, "met": tally.rate >= GOAL_ROWS}


if __name__ == "__main__":
    main()
