"""`make bench-faults`: processes are killed and stopped, devices lie; a ledger outside of them counts.

Each row is a promise with the number of tries and of right results. Rows about the service share one running
service, with agents that send throughout; R2, R14 and R26 start their own processes.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import traceback
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.faults.environment import World
from bench.faults.registry import ROWS
from bench.faults.row import Row, Score
from bench.service.processes import prepare


def main() -> None:
    """Run the rows and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", default="", help="only these rows, separated by commas: " + ", ".join(_names())
    )
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the tries (default: 1)")
    parser.add_argument("--data", type=Path, help="data folder of the service, kept for the next run")
    options = parser.parse_args()
    chosen = [name for name in options.only.split(",") if name]
    if unknown := set(chosen) - set(_names()):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(_names())}")
    rows = [row for row in ROWS if not chosen or row.name in chosen]
    figures: dict[str, dict[str, Any]] = {}
    with ExitStack() as stack:
        service = prepare(options.data)
        if any(row.needs_service for row in rows):
            stack.enter_context(service)
        world = World(service.layout.data, service)
        if any(row.needs_service for row in rows):
            world.start()
        print(f"{'row':10}{'fault':38}{'done':>8}{'right':>8}{'goal':>8}{'seconds':>9}", flush=True)
        for row in rows:
            tries = max(1, round(row.tries * options.scale))
            began = time.monotonic()
            score = _run(row, world, tries)
            _print(row, score, tries, time.monotonic() - began)
            figures[row.name] = _figure(score, tries)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("BENCH " + json.dumps({"name": "faults", "figures": figures}))


def _names() -> list[str]:
    return [row.name for row in ROWS]


def _run(row: Row, world: World, tries: int) -> Score | None:
    """The row's score; a row that cannot go on counts as wrong, and the next one runs."""
    try:
        return row.run(world, tries)
    except Exception as problem:
        traceback.print_exc()
        score = Score()
        score.count(False, f"{type(problem).__name__}: {problem}")
        if row.needs_service:
            world.service.revive()
            world.service.wait_up()
        return score


def _print(row: Row, score: Score | None, tries: int, seconds: float) -> None:
    if score is None:
        print(f"{row.name:10}{row.title:38}{'not run':>16}{tries:>8}", flush=True)
        return
    print(f"{row.name:10}{row.title:38}{score.done:>8}{score.right:>8}{tries:>8}{seconds:>9.0f}")
    for text in [*score.remarks, *(f"WRONG: {why}" for why in score.wrong)]:
        print(f"        {text}")
    print(end="", flush=True)


def _figure(score: Score | None, tries: int) -> dict[str, Any]:
    if score is None:
        return {"ours": None, "goal": tries, "unit": "not run", "met": False}
    is_met = score.done == score.right and score.done >= tries
    return {"ours": score.right, "done": score.done, "goal": tries, "unit": "right results", "met": is_met}


if __name__ == "__main__":
    main()
