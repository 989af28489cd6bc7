"""`make bench-fleet`: many agents of one host each, with a real agent's mix of messages.

Private PostgreSQL (durable, as shipped), Redis, and granian as the ingest, as in production. Each agent has
an identity and a keep-alive connection of its own. First, how many connections get an answer; then all agents
start together; then the mix for SECONDS: acknowledgements, processor seconds of all server processes per
request, WAL, and every acknowledged report against the database.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import IO, Any, cast

from bench import databases, processes, servers
from bench.fleet import accounts, fleet_sites

BACKEND = Path(__file__).resolve().parents[2]
SERVED = {200, 304, 409}
GOAL_MS, GOAL_P99_MS, GOAL_WAL_GB, GOAL_CORES = 0.5, 500.0, 60.0, 1.0
DAY_S, GOAL_AGENTS = 86_400, 10_000


def main() -> None:
    """Run the benchmark and print its results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="duration (default: 60); 0: only open the connections"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # The servers are stopped in any case.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    stores = databases.start(durable=True)
    try:
        os.environ |= stores.environment | {
            "BACKSTAY_SECRET_KEYS": uuid.uuid4().hex,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "BACKSTAY_LOG_LEVEL": "WARNING",
        }
        agents = _prepare(options.agents)
        with tempfile.TemporaryFile() as log, servers.server(servers.INGEST, {}, log) as ingest:
            found = _run(stores, ingest, agents, options.seconds)
    finally:
        stores.stop()
    _show(found, options.agents, options.seconds)


def _prepare(agents: int) -> list[fleet_sites.Enrolled]:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    return fleet_sites.populate(agents)


def _run(
    stores: databases.PrivateDatabases,
    ingest: servers.Server,
    agents: list[fleet_sites.Enrolled],
    seconds: float,
) -> dict[str, Any]:
    import psycopg

    given = [[one.node, one.agent, one.authorization] for one in agents]
    roots = [ingest.pid, *stores.pids]
    with psycopg.connect(stores.dsn, autocommit=True) as connection:
        found: dict[str, Any] = {}
        with _fleet() as fleet:
            found |= _exchange(fleet, {"port": ingest.port, "agents": given})
            if seconds <= 0:
                fleet.kill()
                return found
            cpu_s = processes.cpu_seconds(roots)
            found |= _exchange(fleet, "start")
            found["start_cpu_s"] = processes.cpu_seconds(roots) - cpu_s
            before = processes.cpu_seconds(roots), processes.cpu_seconds([ingest.pid]), _wal(connection)
            began = time.monotonic()
            found |= _exchange(fleet, seconds)
            found["wall_s"] = time.monotonic() - began
            found["cpu_s"] = processes.cpu_seconds(roots) - before[0]
            found["ingest_cpu_s"] = processes.cpu_seconds([ingest.pid]) - before[1]
            found["wal"] = _wal(connection) - before[2]
        stored = connection.execute(accounts.LEDGERS).fetchall()
        samples = connection.execute(accounts.SAMPLES).fetchall()
    found["books"] = accounts.compare(found["ledgers"], cast(Any, stored), cast(Any, samples))
    return found


def _fleet() -> subprocess.Popen[str]:
    argv = [sys.executable, "-m", "bench.fleet.agents"]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=BACKEND)


def _exchange(fleet: subprocess.Popen[str], orders: object) -> dict[str, Any]:
    """Give the agents' process a line, and wait for its answer."""
    given, result = cast(IO[str], fleet.stdin), cast(IO[str], fleet.stdout)
    given.write(json.dumps(orders) + "\n")
    given.flush()
    return cast(dict[str, Any], json.loads(result.readline()))


def _wal(connection: Any) -> int:
    (written,) = connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").fetchone()
    return int(written)


def quantile_ms(values: list[float], part: float) -> float:
    """Of seconds, in milliseconds; infinite without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1000 if ordered else float("inf")


def _show(found: dict[str, Any], agents: int, seconds: float) -> None:
    connections = _figure(found["answered"], agents, "connections", found["answered"] >= agents)
    print(f"{found['answered']:,} of {agents:,} connections got an answer")
    figures = {"connections_answered": connections}
    if "books" in found:
        figures |= _measured(found, agents, seconds)
    print("BENCH " + json.dumps({"name": "fleet", "figures": figures}))


def _measured(found: dict[str, Any], agents: int, seconds: float) -> dict[str, Any]:
    """Print and return what the period showed."""
    books: accounts.Comparison = found["books"]
    statuses = {int(status): count for status, count in found["statuses"].items()}
    stored = sum(count for status, count in statuses.items() if status in SERVED)
    cpu_ms = found["cpu_s"] * 1000 / max(1, stored)
    wal_day = found["wal"] / seconds * DAY_S / agents * GOAL_AGENTS / 1e9
    cores = found["cpu_s"] / found["wall_s"] / agents * GOAL_AGENTS
    p50, p99 = (quantile_ms(found["took_s"], part) for part in (0.5, 0.99))
    named = ", ".join(f"{count:,} x {status or 'no answer'}" for status, count in sorted(statuses.items()))
    start_ms = found["start_cpu_s"] * 1000 / agents
    started, refused = found["started_late_s"], found["start_statuses"].get("503", 0)
    half_s, most_s = (quantile_ms(started, part) / 1000 for part in (0.5, 0.99))
    print(
        f"all started together: {len(started):,} of {agents:,} acknowledged, half within {half_s:.1f} s,"
        f" 99 % within {most_s:.1f} s, the last after {found['started_s']:.1f} s; {start_ms:.1f} ms each,"
        f" {refused:,} x 503"
    )
    print(f"{stored:,} requests served in {found['wall_s']:.0f} s: {named}")
    print(f"acknowledgement {p50:.0f} ms (p50), {p99:.0f} ms (p99)")
    print(
        f"processor {cpu_ms:.2f} ms per request,"
        f" {found['ingest_cpu_s'] * 1000 / max(1, stored):.2f} of it the ingest"
    )
    print(
        f"{stored / agents / found['wall_s'] * 60:.1f} requests a minute and agent;"
        f" {cores:.1f} cores for 10,000 agents"
    )
    print(
        f"WAL {found['wal'] / max(1, stored):,.0f} bytes per request; {wal_day:.0f} GB a day of 10,000 agents"
    )
    print(f"{books.acked:,} reports acknowledged: {books.lost} lost, {books.doubled} doubled")
    print(
        f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; above 1 each, all is slower"
    )
    return {
        "processor_per_request": _figure(round(cpu_ms, 3), GOAL_MS, "ms", cpu_ms <= GOAL_MS),
        "processor_of_10000_agents": _figure(round(cores, 2), GOAL_CORES, "cores", cores <= GOAL_CORES),
        "started": _figure(len(started), agents, "agents", len(started) == agents),
        "start_of_all": _figure(round(found["started_s"], 1), None, "s", None),
        "acknowledged_p50": _figure(round(p50, 1), None, "ms", None),
        "acknowledged_p99": _figure(round(p99, 1), GOAL_P99_MS, "ms", p99 <= GOAL_P99_MS),
        "wal": _figure(round(wal_day, 1), GOAL_WAL_GB, "GB/day of 10,000 agents", wal_day <= GOAL_WAL_GB),
        "lost": _figure(books.lost, 0, "reports", books.lost == 0),
        "doubled": _figure(books.doubled, 0, "reports", books.doubled == 0),
    }


def _figure(ours: float, goal: float | None, unit: str, met: bool | None) -> dict[str, Any]:
    return {"ours": ours, "goal": goal, "unit": unit, "met": met}


if __name__ == "__main__":
    main()
