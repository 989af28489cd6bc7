"""`make bench-fuzz`: cases of schemathesis and hostile values against the running servers, for each role.

PostgreSQL, Redis, web, ingest, worker and beat run as in the demo, with objects that path parameters name. No
case may get a 5xx other than 503, a response that the document does not declare, or an answer without the
credentials that the operation needs.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.fuzz import jobs
from bench.fuzz.cases import Source
from bench.fuzz.existing_values import Known
from bench.fuzz.jobs import Job, Runner
from bench.fuzz.response_checks import BUSY, Caller, Fault, Tally
from bench.fuzz.target import Target
from bench.service.processes import Service, prepare

SHARES = {"admin": 0.4, "operator": 0.2, "viewer": 0.15, "nobody": 0.1, "agent": 0.15}
"""Of the cases."""
A_ROUND = 6_000
"""Cases until the objects that they removed are created again."""
UNITS = {
    Fault.SERVER_ERROR: "responses 5xx but 503",
    Fault.NO_ANSWER: "requests without a response",
    Fault.SCHEMA_BREAK: "responses that the document does not declare",
    Fault.IGNORED_AUTH: "responses without the needed credentials",
}
EXAMPLES = 40


def main() -> None:
    """Run the cases and print a line for each role."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--cases", type=int, default=50_000, help="number of cases of all roles (default: 50000)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed generates the same cases (default: 1)"
    )
    parser.add_argument("--data", type=Path, help="data folder of the service, kept with its logs")
    options = parser.parse_args()
    began = time.monotonic()
    with prepare(options.data) as service, jobs.runner() as run:
        tallies, ended = _run(service, run, options.cases, options.seed)
    _print(tallies, ended)
    seconds = time.monotonic() - began
    print(f"{seconds:.0f} s, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    figures = _figures(tallies, ended, options.cases)
    print("BENCH " + json.dumps({"name": "fuzz", "figures": figures}))


def _run(service: Service, run: Runner, cases: int, seed: int) -> tuple[dict[str, Tally], list[str]]:
    """The results of each role, and the processes that ended by themselves."""
    target = Target.prepare(service)
    callers = target.callers()
    tallies = {name: Tally() for name in callers}
    ended: list[str] = []
    while (left := cases - _done(tallies)) > 0:
        known = target.renew()
        for name, tally in run(_round(target, callers, known, min(left, A_ROUND), seed)):
            tallies[name].add(tally)
        ended += service.revive()
        service.wait_up()
        seed += 1
        print(f"    {_done(tallies)} cases", flush=True)
    return tallies, ended


def _round(
    target: Target, callers: Mapping[str, Caller], known: Known, cases: int, seed: int
) -> Iterator[Job]:
    backend = target.service.backend
    for name, caller in callers.items():
        is_agents = name == "agent"
        count = len(jobs.operations(is_agents))
        for operation in range(count):
            yield Job(
                is_agents,
                operation,
                caller,
                max(1, round(cases * SHARES[name] / count)),
                Source(known, seed, target.sender if is_agents else None),
                backend.ingest_url if is_agents else backend.url,
            )


def _print(tallies: Mapping[str, Tally], ended: list[str]) -> None:
    print(f"{'role':10}{'cases':>8}{'2xx':>8}{'4xx':>8}{'503':>6}{'operations with 2xx':>21}", end="")
    print("".join(f"{fault.value.replace('_', ' '):>15}" for fault in Fault))
    for name, tally in tallies.items():
        count = len(jobs.operations(name == "agent"))
        accepted = f"{len(tally.accepted)} of {count}"
        print(f"{name:10}{tally.cases:>8}{_between(tally, 200):>8}{_between(tally, 400):>8}", end="")
        print(f"{tally.statuses[BUSY]:>6}{accepted:>21}", end="")
        print("".join(f"{tally.faults[fault]:>15}" for fault in Fault))
    examples = {text: request for tally in tallies.values() for text, request in tally.examples.items()}
    for text, request in list(examples.items())[:EXAMPLES]:
        print(f"{text}\n    {request}")
    if len(examples) > EXAMPLES:
        print(f"and {len(examples) - EXAMPLES} more")
    if ended:
        print(f"processes that ended: {', '.join(ended)}")


def _done(tallies: Mapping[str, Tally]) -> int:
    return sum(tally.cases for tally in tallies.values())


def _between(tally: Tally, status: int) -> int:
    return sum(count for code, count in tally.statuses.items() if status <= code < status + 100)


def _figures(tallies: Mapping[str, Tally], ended: list[str], cases: int) -> dict[str, dict[str, Any]]:
    done = _done(tallies)
    figures = {"cases": {"ours": done, "goal": cases, "unit": "cases", "met": done >= cases}}
    for fault, unit in UNITS.items():
        count = sum(tally.faults[fault] for tally in tallies.values())
        figures[fault.value] = {"ours": count, "goal": 0, "unit": unit, "met": count == 0}
    figures["ended"] = {"ours": len(ended), "goal": 0, "unit": "processes that ended", "met": not ended}
    return figures


if __name__ == "__main__":
    main()
