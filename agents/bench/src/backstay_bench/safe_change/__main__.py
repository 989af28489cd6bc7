"""`python -m backstay_bench.safe_change` (as root): changes that are cut off, killed and interleaved.

Every run has its own namespaces, routing engine, agent and guard, and a controller behind the gateways; the
timeouts are short. Routes, rules, neighbours, settings, ports, boot files and what the daemon runs are
compared byte by byte before and after. Prints a table kind x engine (right/runs, median and worst seconds
from the cut-off until the node was as before) and, last, one line `BENCH {...}`. Exits 0 when it could
measure.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Semaphore
from typing import Any

from backstay_bench.figures import bench_line, figure
from backstay_bench.safe_change.fault_runs import MOMENTS, run_cutoff, run_kill
from backstay_bench.safe_change.nodes import INSTALLED, NotMeasuredError, Observed, changed
from backstay_bench.safe_change.outcomes import ENGINES, Outcome, Table, cutoff_figures, kill_figures
from backstay_testing.cutoffs import CUTOFFS, DAEMONS
from backstay_testing.kill_points import AGENT_POINTS, DAEMON_POINTS
from backstay_wire import EngineKind

_GROUPS = ("kills", "interleavings")
_STARTING = 2
_GATED_MORE_S = 3.0
"""gated's gdc takes seconds where other engines take milliseconds."""
_GOAL = 1000
_TEST = "backend/backstay/rollout/tests/test_changes_interleavings.py"
_EXAMPLES = re.compile(r"(\d+) passing(?: examples?)?, (\d+) failing")
_INTERLEAVINGS_LIMIT_S = 3600
Run = Callable[[Semaphore], Outcome]


def _timeout_s(engine: EngineKind, timeout_s: float) -> float:
    return timeout_s + (_GATED_MORE_S if engine is EngineKind.GATED else 0.0)


def cutoff_work(
    kinds: Sequence[str], engines: Sequence[EngineKind], rounds: int, timeout_s: float
) -> list[Run]:
    """All runs of R21."""
    return [
        partial(
            run_cutoff,
            cutoff,
            engine,
            MOMENTS[number % len(MOMENTS)],
            _timeout_s(engine, timeout_s),
        )
        for number in range(rounds)
        for cutoff in CUTOFFS
        if cutoff.name in kinds
        for engine in engines
        if engine in cutoff.engines
    ]


def kill_work(new: dict[EngineKind, Observed], timeout_s: float) -> list[Run]:
    """All runs of R22."""
    return [
        partial(run_kill, point, engine, observed, _timeout_s(engine, timeout_s))
        for engine, observed in new.items()
        for point in (*AGENT_POINTS, *(DAEMON_POINTS if engine in DAEMONS else ()))
    ]


def measure(work: Sequence[Run], workers: int) -> list[Outcome]:
    """Several at a time; most of a run is waiting."""
    starting = Semaphore(_STARTING)
    began, found = time.monotonic(), list[Outcome]()
    with ThreadPoolExecutor(max_workers=workers) as pool:
        for number, outcome in enumerate(pool.map(partial(_attempt, starting), work), 1):
            found.append(outcome)
            verdict = "right" if outcome.right else f"WRONG: {outcome.fault}"
            text = f"{number} of {len(work)}, {time.monotonic() - began:.0f} s: {outcome.engine.value}"
            print(f"{text}, {outcome.kind}: {verdict}", file=sys.stderr, flush=True)
    return found


def _attempt(starting: Semaphore, run: Run) -> Outcome:
    """A run; once more if it did not get as far as its fault: on a busy machine the guard may be first."""
    outcome = run(starting)
    return outcome if outcome.measured else run(starting)


def _new_states(engines: Sequence[EngineKind], timeout_s: float) -> dict[EngineKind, Observed]:
    """A node of each engine after a good change. Raises NotMeasuredError."""
    starting = Semaphore(_STARTING)
    return {engine: changed(engine, 6 * timeout_s, starting)[1] for engine in engines}


def _interleaved(count: int) -> dict[str, Any]:
    held, output = _run_interleavings(count, Path.cwd())
    if output:
        print(output, file=sys.stderr)
    print(f"{held} of {count} interleavings kept every invariant")
    return {"interleavings": figure(held, _GOAL, "examples", met=held >= _GOAL)}


def _run_interleavings(count: int, root: Path) -> tuple[int, str]:
    """R20: random interleavings of two people who apply, drift, and a delayed worker, over rows.

    (Interleavings that kept every invariant, the output if one did not); counted by Hypothesis.

    Raises OSError, SubprocessError.
    """
    argv = [
        sys.executable,
        "-m",
        "pytest",
        _TEST,
        "-q",
        "-p",
        "no:cacheprovider",
        f"--timeout={_INTERLEAVINGS_LIMIT_S}",
    ]
    ended = subprocess.run(
        [*argv, "--hypothesis-show-statistics"],
        cwd=root,
        env={**os.environ, "BACKSTAY_INTERLEAVINGS": str(count)},
        capture_output=True,
        text=True,
        check=False,
        timeout=_INTERLEAVINGS_LIMIT_S,
    )
    passing = sum(int(good) for good, _ in _EXAMPLES.findall(ended.stdout))
    return (passing, "") if ended.returncode == 0 else (0, ended.stdout[-4000:] + ended.stderr[-1000:])


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m backstay_bench.safe_change", description=__doc__)
    names = [cutoff.name for cutoff in CUTOFFS]
    parser.add_argument(
        "--kinds", default="", help=f"only these kinds, separated by commas: {', '.join([*names, *_GROUPS])}"
    )
    parser.add_argument(
        "--engines", default="", help="engines, separated by commas (default: all installed ones)"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=len(MOMENTS),
        help="runs per kind and engine (default 3: one per moment)",
    )
    parser.add_argument(
        "--timeout", type=float, default=5.0, help="timeout of the changes, seconds (default 5)"
    )
    parser.add_argument("--workers", type=int, default=6, help="nodes that run at the same time (default 6)")
    parser.add_argument(
        "--interleavings", type=int, default=_GOAL, help=f"number of interleavings (default {_GOAL})"
    )
    options = parser.parse_args()
    kinds = [name.strip() for name in options.kinds.split(",") if name.strip()] or [*names, *_GROUPS]
    if unknown := set(kinds) - {*names, *_GROUPS}:
        parser.error(f"unknown kinds: {', '.join(sorted(unknown))}")
    wanted = [EngineKind(name.strip()) for name in options.engines.split(",") if name.strip()] or list(
        ENGINES
    )
    engines = [engine for engine in wanted if INSTALLED[engine]]
    figures: dict[str, Any] = {}
    try:
        cut = measure(cutoff_work(kinds, engines, options.rounds, options.timeout), options.workers)
        killed = list[Outcome]()
        if "kills" in kinds:
            killed = measure(
                kill_work(_new_states(engines, options.timeout), options.timeout), options.workers
            )
        table = Table([*cut, *killed])
        print("\n".join(table.lines(engines)))
        figures |= cutoff_figures(cut) if cut else {}
        figures |= kill_figures(killed) if killed else {}
        if "interleavings" in kinds:
            figures |= _interleaved(options.interleavings)
    except (NotMeasuredError, OSError, TimeoutError) as error:
        sys.exit(f"cannot measure: {error}")
    print("\n".join(f"wrong: {line}" for line in table.wrong()) or "no run is wrong")
    print(bench_line("safe_change", figures))


if __name__ == "__main__":
    main()
