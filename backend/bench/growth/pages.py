"""`make bench-pages`: the pages of a site of 10,000 nodes, of a chassis and of a generated year, in Chromium.

The large site is that of `make bench-growth`, in a private PostgreSQL (durable, with autovacuum, as shipped).
The web server of production serves it with the built frontend; no rules are evaluated meanwhile. Reports of
the large site hold for an hour, so it does not become stale while a slow machine measures.
`frontend/bench/pages.mjs` opens the pages and prints the figures; its account signs in as people do.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from bench import databases, servers

FRONTEND = Path(__file__).resolve().parents[3] / "frontend"
CHASSIS, CHASSIS_PORTS = "chassis", 1000
QUIET_ROUNDS = 3
"""Until incidents of the state before are settled."""
SAMPLE_S = 30


def main() -> None:
    """Build the sites, serve them, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument(
        "--rounds", type=int, default=3, help="how often each page is opened; the median counts"
    )
    parser.add_argument("--screens", default="", help="folder for a picture of each page")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # The servers are stopped in any case.
    stores = databases.start(durable=True, data=databases.migrated_data())
    try:
        os.environ |= stores.environment | {
            "BACKSTAY_SECRET_KEYS": uuid.uuid4().hex,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "BACKSTAY_LOG_LEVEL": "ERROR",
        }
        password = _build(stores.folder, options.nodes)
        with servers.server(servers.WEB, servers.environment()) as web:
            sys.exit(_open_pages(web.url, password, options))
    finally:
        stores.stop()


def _build(folder: Path, nodes: int) -> str:
    """Three sites and an administrator; returns the password."""
    import django

    django.setup()
    from backstay.accounts.models import User
    from bench import demo_history
    from bench.growth import rows

    _timed(f"a site of {nodes} nodes", lambda: _large_site(nodes))
    _timed(f"a chassis of {CHASSIS_PORTS} ports", _chassis)
    _timed("a year of four switches", lambda: demo_history.fill(folder, demo_history.BASES))
    # Otherwise autovacuum starts with the first page that is measured.
    rows.analyse()
    password = secrets.token_urlsafe(24)
    User.objects.create_superuser("bench", password=password)
    return password


def _timed(what: str, work: Callable[[], None]) -> None:
    began = time.monotonic()
    work()
    print(f"{what}: built in {time.monotonic() - began:.0f} s", flush=True)


def _large_site(nodes: int) -> None:
    from django.utils import timezone

    from backstay.alerts.tasks import evaluate_site
    from backstay.intake.site_files import import_text
    from backstay.inventory.models import Site
    from bench.growth import rows
    from bench.growth.agents import Agents
    from bench.growth.site_blueprint import SITE, Cluster

    cluster = Cluster(nodes)
    import_text(cluster.site_file(), "growth.yaml", timezone.now())
    site = Site.objects.get(name=SITE)
    Agents(cluster).report()
    rows.observe(site)
    rows.remember(site, timezone.now())
    for _ in range(QUIET_ROUNDS):
        evaluate_site(site.pk)


def _chassis() -> None:
    """One switch with many ports, all of them up and loaded."""
    from django.utils import timezone

    from backstay.accounts.models import Agent
    from backstay.intake.batches import store_batch
    from backstay.intake.site_files import import_text
    from backstay.inventory.models import Node
    from backstay.inventory.services import attach_agent
    from backstay.telemetry.ingest.batch import Batch
    from backstay_wire import DeviceReport, PortSamples, PortState, Report, SpoolState
    from bench.site import switch_site

    now = timezone.now()
    import_text(switch_site(CHASSIS, 1, CHASSIS_PORTS, agents=1), f"{CHASSIS}.yaml", now)
    switch = Node.objects.get(site__name=CHASSIS, kind="switch")
    agent = Agent.objects.create(site=CHASSIS, node="mgmt0", public_key=bytes(32), version="1.0")
    attach_agent(agent)
    names = [f"Ethernet1/{number}" for number in range(1, CHASSIS_PORTS + 1)]
    boot, at = uuid.uuid4(), time.time_ns()
    ports = [
        PortState(name=name, index=index, speed=10**10, mtu=9000, admin_up=True, oper_up=True)
        for index, name in enumerate(names, 1)
    ]
    reports: list[Report] = [
        DeviceReport(boot=boot, seq=1, device=switch.name, at=at, sys_name="", sys_descr="", ports=ports)
    ]
    octets = [10_000_019 * (1 + number % 97) for number in range(CHASSIS_PORTS)]
    reports += [
        PortSamples(
            boot=boot,
            seq=2 + ago,
            device=switch.name,
            at=at - (2 - ago) * SAMPLE_S * 10**9,
            duration_ns=SAMPLE_S * 10**9,
            ports=names,
            in_octets=octets,
            out_octets=octets[::-1],
            in_packets=[value // 700 for value in octets],
            out_packets=[value // 700 for value in octets[::-1]],
        )
        for ago in range(3)
    ]
    store_batch(Batch(agent.pk, now, at, SpoolState(), list(enumerate(reports))))


def _open_pages(url: str, password: str, options: argparse.Namespace) -> int:
    from bench import demo_history
    from bench.growth.site_blueprint import SITE

    command = ["npm", "run", "--silent", "bench-pages", "--", "--url", url]
    command += ["--rounds", str(options.rounds), "--screens", options.screens]
    account = {"user": "bench", "password": password}
    sites = {"large": SITE, "chassis": CHASSIS, "year": demo_history.SITE}
    environment = {**os.environ, "BACKSTAY_BENCH_PAGES": json.dumps({**account, "sites": sites})}
    return subprocess.run(command, cwd=FRONTEND, env=environment, check=False).returncode


if __name__ == "__main__":
    main()
