"""`make bench-attack`: single clients attack the running service while agents of other sites report.

PostgreSQL, Redis, web, ingest, worker and beat run as in the demo. 20 agents at four sites send a report
each second and measure the time until it is acknowledged; the attacker has agents of a site of its own. Each
attack lasts about 20 s. If the service has not recovered RECOVERY_S after an attack, it is restarted, so that
one attack does not spoil the row of the next.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.attack.registry import ATTACKS
from bench.attack.target import SITE, Attack, Result, Target
from bench.service import ledger
from bench.service.fleet import Fleet
from bench.service.processes import SERVERS, Service, prepare
from bench.service.sites import Sender, import_hosts
from bench.service.watch import Watched, Watcher

SITES, AGENTS_A_SITE, ATTACKERS = 4, 5, 3
RECOVERY_S = 30.0
GOAL_P99_S, GOAL_ROUNDS_LATE = 0.5, 2
HEAD = (
    f"{'attack':36}{'p50 ms':>8}{'p99 ms':>8}{'waiting':>8}{'late':>6}{'5xx':>5}"
    f"{'memory MB':>10}{'disk MB':>8}{'back s':>7}  goals"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One attack's figures."""

    attack: Attack
    result: Result
    period: ledger.Period
    watched: Watched
    recovery_s: float
    """Until every agent's new report was acknowledged; infinite: restarted."""

    @property
    def failures(self) -> int:
        """Responses 5xx other than 503, of everyone."""
        seen = sum(count for code, count in self.period.failures.items() if code >= 500 and code != 503)
        return seen + self.result.attacker.failures + self.result.others.failures

    @property
    def faults(self) -> list[str]:
        """Goals that were missed."""
        found = [f"{text}" for text in self.result.faults]
        if self.attack.judges_latency and self.period.quantile(0.99) > GOAL_P99_S:
            found.append("p99")
        if self.attack.judges_latency and self.watched.rounds_late > GOAL_ROUNDS_LATE:
            found.append("rounds late")
        if self.failures:
            found.append("5xx")
        if self.watched.restarted:
            found.append("a process ended")
        if self.recovery_s == float("inf"):
            found.append("no recovery")
        return found

    def __str__(self) -> str:
        seen, watched = self.period, self.watched
        rest = [
            f"attacker: {self.result.attacker}" if self.result.attacker.statuses else "",
            *self.result.remarks,
        ]
        if self.result.others.statuses:
            rest.append(f"others: {self.result.others}")
        if seen.failures:
            rest.append(f"agents' failures: {dict(seen.failures)}")
        if watched.restarted:
            rest.append(f"ended: {', '.join(watched.restarted)}")
        remarks = "; ".join(part for part in rest if part)
        return (
            f"{self.attack.title:36}{seen.quantile(0.5) * 1000:>8.0f}{seen.quantile(0.99) * 1000:>8.0f}"
            f"{seen.waiting:>8}{watched.rounds_late:>6}{self.failures:>5}{watched.memory_growth_mb:>10.0f}"
            f"{watched.disk_growth_mb:>8.0f}{self.recovery_s:>7.1f}"
            f"  {'missed: ' + ', '.join(self.faults) if self.faults else 'met'}"
        ) + (f"\n    {remarks}" if remarks else "")


def main() -> None:
    """Run the attacks and print a row each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", default="", help="only these attacks, separated by commas: " + ", ".join(_names())
    )
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="duration of each attack, seconds (default: 20)"
    )
    parser.add_argument("--data", type=Path, help="data folder of the service, kept for the next run")
    options = parser.parse_args()
    chosen = [name for name in options.only.split(",") if name]
    if unknown := set(chosen) - set(_names()):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(_names())}")
    attacks = [attack for attack in ATTACKS if not chosen or attack.name in chosen]
    print(HEAD, flush=True)
    with prepare(options.data) as service:
        rows, comparison = _run(service, attacks, options.seconds)
    print(f"ledger: {comparison}")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("BENCH " + json.dumps({"name": "attack", "figures": _figures(rows, comparison)}))


def _names() -> list[str]:
    return [attack.name for attack in ATTACKS]


def _run(service: Service, attacks: list[Attack], seconds: float) -> tuple[list[Row], ledger.Comparison]:
    attackers = import_hosts(service, SITE, ATTACKERS)
    good: list[Sender] = []
    for number in range(SITES):
        good += import_hosts(service, f"site{number}", AGENTS_A_SITE)
    kept = service.layout.data / "ledger"
    kept.unlink(missing_ok=True)
    fleet, watcher = Fleet(service.backend.ingest_port, good, kept), Watcher(service, [SITE])
    watcher.start()
    try:
        _recover(service, watcher, kept, len(good))
        rows = []
        for attack in attacks:
            target = Target(
                service, attackers, seconds, service.backend.ingest_port, service.backend.web_port
            )
            rows.append(_attack(attack, target, watcher, kept, len(good)))
            print(rows[-1], flush=True)
    finally:
        fleet.stop()
        watcher.stop()
    return rows, ledger.compare(kept, service)


def _attack(attack: Attack, target: Target, watcher: Watcher, kept: Path, agents: int) -> Row:
    watched, start = watcher.begin(), time.time()
    result = attack.run(target)
    end = time.time()
    recovery_s = _recover(target.service, watcher, kept, agents)
    return Row(attack, result, ledger.period(kept, start, end), watched, recovery_s)


def _recover(service: Service, watcher: Watcher, kept: Path, agents: int) -> float:
    """Seconds until each agent had a new report acknowledged; infinite if it took a restart."""
    began, now = time.monotonic(), time.time()
    while time.monotonic() < began + RECOVERY_S:
        if kept.exists() and len(ledger.acked_since(kept, now)) == agents:
            return time.monotonic() - began
        time.sleep(0.3)
    watcher.revives = False
    service.kill(*SERVERS)
    with service.connect() as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND usename = current_user"
        )
    service.restart(*SERVERS)
    watcher.revives = True
    service.wait_up()
    return float("inf")


def _figures(rows: list[Row], comparison: ledger.Comparison) -> dict[str, dict[str, Any]]:
    figures: dict[str, dict[str, Any]] = {}
    for row in rows:
        p99_ms = round(row.period.quantile(0.99) * 1000)
        figures[row.attack.name] = {
            "ours": p99_ms,
            "goal": GOAL_P99_S * 1000,
            "unit": "ms, 99th percentile of acknowledgements",
            "rounds_late": row.watched.rounds_late,
            "server_errors": row.failures,
            "missed": row.faults,
            "met": not row.faults,
        }
    lost = comparison.lost + comparison.doubled + comparison.altered + comparison.foreign
    figures["ledger"] = {"ours": lost, "goal": 0, "unit": "reports", "met": comparison.is_right}
    return figures


if __name__ == "__main__":
    main()
