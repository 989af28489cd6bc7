"""`make bench-hosts`: the service on three hosts, each component killed in turn while agents report.

Each host is a network namespace; all programs are in a PID namespace of this process and end with it.
HAProxy, PgBouncer, PostgreSQL with standbys, Redis and Sentinel run with the files of deploy/hosts. Prints
for how long reports, pages, live streams and rounds paused, and compares every acknowledged report with the
database at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Any, cast

from bench.fleet import accounts, fleet_sites
from bench.hosts import machines, probes
from bench.hosts.machines import SERVICE, Machine
from bench.hosts.outages import OUTAGES, Outage, Site
from bench.hosts.services import Services
from bench.hosts.stores import BACKEND, Stores, until

SLOT_S, SETTLE_S, READY_S = 30.0, 5.0, 120.0
"""Seconds of one outage; without outages before the first; until everything works after the start."""
QUIET_GAP_S = {"reports": 2.0, "pages": 2.0, "live": 5.0, "rounds": 8.0}
"""Gaps that also occur without any outage, on a loaded machine."""
ISOLATED = "BACKSTAY_BENCH_ISOLATED"


def main() -> None:
    """Run the benchmark and print its results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agents", type=int, default=300)
    names = ", ".join(outage.name for outage in OUTAGES)
    parser.add_argument("--only", default="", help=f"only these, separated by commas: {names}")
    options = parser.parse_args()
    if ISOLATED not in os.environ:
        _isolate()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    chosen = [outage for outage in OUTAGES if not options.only or outage.name in options.only.split(",")]
    folder = Path(tempfile.mkdtemp(prefix="backstay-hosts-", dir="/var/tmp"))
    folder.chmod(0o755)
    try:
        figures = _Bench(folder, options.agents).run(chosen)
    except BaseException:
        print(f"logs: {folder}", file=sys.stderr)
        raise
    shutil.rmtree(folder)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("BENCH " + json.dumps({"name": "hosts", "figures": figures}))


def _isolate() -> None:
    """Start again with network, mounts and processes of its own, which end with it."""
    if os.geteuid() != 0:
        sys.exit("bench-hosts needs root: it creates network namespaces and runs PostgreSQL as its own user")
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = [*unshare, sys.executable, "-m", "bench.hosts", *sys.argv[1:]]
    os.execvpe(command[0], command, {**os.environ, ISOLATED: "1"})  # noqa: S606 - a fixed command


class _Bench:
    def __init__(self, folder: Path, agents: int) -> None:
        hosts = [Machine(name, f"192.0.2.{11 + at}", folder / name) for at, name in enumerate("abc")]
        self._machines, self._agents = hosts, agents
        self._password = secrets.token_urlsafe(12)
        self._stores = Stores(hosts, self._password)
        self._services = Services(hosts, self._password, secrets.token_hex(16))
        self._site = Site(hosts, self._stores, self._services)

    def run(self, chosen: list[Outage]) -> dict[str, Any]:
        """The figures."""
        self._build()
        enrolled, token = self._populate()
        self._services.start_all()
        *fleet, prober = enrolled
        certificate = self._services.certificate
        watched: list[probes.Probe] = [
            probes.Reports(certificate, prober),
            probes.Pages(certificate, token),
            probes.Live(certificate, token, "fleet0"),
            probes.Rounds(self._stores.connect),
        ]
        for probe in watched:
            probe.start()
        with _fleet() as process:
            answered = self._start_fleet(process, fleet)
            took = until(lambda: all(probe.worked for probe in watched), "not everything works", READY_S)
            print(f"{answered} agents; everything works after {took:.0f} s more", flush=True)
            seconds = SETTLE_S * 2 + SLOT_S * len(chosen)
            _give(process, seconds)
            found = self._outages(chosen, watched)
            done = _result(process)
        for probe in watched:
            probe.stopping.set()
            probe.join(20)
        ledgers = [*done["ledgers"], cast(probes.Reports, watched[0]).ledger]
        return found | self._compare(ledgers, done["statuses"])

    def _build(self) -> None:
        machines.prepare_bridge()
        first, *others = self._machines
        first.create(SERVICE)
        for machine in others:
            machine.create()
        self._stores.create()
        self._stores.wait_in_sync()
        print("three hosts with PostgreSQL, PgBouncer, Redis and Sentinel", flush=True)

    def _populate(self) -> tuple[list[fleet_sites.Enrolled], str]:
        """Tables, sites and agents, over a direct connection as owner; a token for the public API."""
        direct = {
            "HOST": self._machines[0].address,
            "PORT": "5432",
            "NAME": "backstay",
            "USER": "backstay_owner",
        }
        os.environ |= self._services.environment | {
            f"BACKSTAY_DB_{name}": value for name, value in direct.items()
        }
        os.environ |= {"BACKSTAY_DB_POOLED": "0", "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django
        from django.core.management import call_command
        from django.db import connection

        django.setup()
        call_command("migrate", verbosity=0, interactive=False)
        from backstay.accounts.services import create_api_token, save_person
        from backstay.core.roles import Role

        person = save_person("admin", secrets.token_urlsafe(16), Role.ADMIN)
        token = create_api_token(person, "bench", Role.VIEWER)
        enrolled = fleet_sites.populate(self._agents + 1)
        connection.close_pool()  # type: ignore[attr-defined]
        return enrolled, token

    def _start_fleet(self, process: subprocess.Popen[str], fleet: list[fleet_sites.Enrolled]) -> int:
        health = probes.Https(self._services.certificate, 8443)
        until(lambda: _answers(health), "no ingest answers", READY_S)
        given = [[one.node, one.agent, one.authorization] for one in fleet]
        orders = {
            "port": 8443,
            "host": SERVICE,
            "certificate": str(self._services.certificate),
            "agents": given,
        }
        _give(process, orders)
        answered = int(_result(process)["answered"])
        _give(process, "start")
        _result(process)
        return answered

    def _outages(self, chosen: list[Outage], watched: list[probes.Probe]) -> dict[str, Any]:
        print(
            f"{'killed':52}" + "".join(f"{probe.name:>9}" for probe in watched) + "  seconds without",
            flush=True,
        )
        figures = {}
        time.sleep(SETTLE_S)
        due = time.monotonic()
        for outage in chosen:
            began = time.monotonic()
            outage.kill(self._site)
            time.sleep(max(0.0, began + outage.away_s - time.monotonic()))
            outage.restore(self._site)
            due += SLOT_S
            time.sleep(max(0.0, due - time.monotonic()))
            gaps = {probe.name: probe.longest_gap(began, time.monotonic()) for probe in watched}
            print(f"{outage.title:52}" + "".join(f"{gap:9.1f}" for gap in gaps.values()), flush=True)
            for name, gap in gaps.items():
                goal = max(outage.goal_s, QUIET_GAP_S[name])
                figures[f"{outage.name}_{name}"] = _figure(round(gap, 1), goal, "s", gap <= goal)
        return figures

    def _compare(self, ledgers: list[dict[str, Any]], statuses: dict[str, int]) -> dict[str, Any]:
        with self._stores.connect() as connection:
            stored: Any = connection.execute(accounts.LEDGERS).fetchall()
            samples: Any = connection.execute(accounts.SAMPLES).fetchall()
        books = accounts.compare(ledgers, stored, samples)
        named = ", ".join(f"{count:,} x {status}" for status, count in sorted(statuses.items()))
        print(f"requests of the agents by status (0: no answer): {named}")
        print(f"{books.acked:,} reports acknowledged: {books.lost} lost, {books.doubled} doubled")
        return {
            "acknowledged": _figure(books.acked, None, "reports", None),
            "lost": _figure(books.lost, 0, "reports", books.lost == 0),
            "doubled": _figure(books.doubled, 0, "reports", books.doubled == 0),
        }


def _answers(https: probes.Https) -> bool:
    try:
        reply = https.request("GET", "/api/agent/v1/health", {})
        reply.read()
    except OSError:
        return False
    return bool(reply.status == 200)


def _fleet() -> subprocess.Popen[str]:
    argv = [sys.executable, "-m", "bench.fleet.agents"]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=BACKEND)


def _give(process: subprocess.Popen[str], orders: object) -> None:
    given = cast(IO[str], process.stdin)
    given.write(json.dumps(orders) + "\n")
    given.flush()


def _result(process: subprocess.Popen[str]) -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(cast(IO[str], process.stdout).readline()))


def _figure(ours: float, goal: float | None, unit: str, met: bool | None) -> dict[str, Any]:
    return {"ours": ours, "goal": goal, "unit": unit, "met": met}


if __name__ == "__main__":
    main()
