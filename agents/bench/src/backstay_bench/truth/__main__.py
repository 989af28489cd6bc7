"""`python -m backstay_bench.truth --demo .backstay/demo.json`: a matrix of faults over a running demo.

Each cell applies real faults to the lab, alone, in sequence or two at once, and reads overview, map,
paths, links, devices, incidents, API and command line at the same moment. A cell is right if the paths are
as the lab itself has them, there is one root incident for each real cause, the headline names it with the
numbers, no two surfaces contradict each other, and nothing is critical 60 s after recovery. Prints a line for
each cell and, last, one line `BENCH {...}`. Exits 0 when it could measure. `--check` applies no fault: it
prints what the surfaces contradict each other about now, and exits 1 if anything.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from backstay_bench.apply import Api, CannotMeasureError
from backstay_bench.figures import bench_line, figure
from backstay_bench.truth.cell import AGAIN_S, BETWEEN_S, Bench, Outcome
from backstay_bench.truth.consistency import Contradiction, consistency, lasting
from backstay_bench.truth.faults import FAULTS, MODES, PARTNERS, DemoFaults, TruthFault
from backstay_bench.truth.measured_paths import LabNetwork
from backstay_bench.truth.surfaces import Surfaces

_HEADLINE_GOAL_S, _WORST_GOAL_S = 5.0, 10.0
_PAUSE_S = {"alone": 0.0, "sequence": BETWEEN_S, "two": 0.0}


def cells(site: str, only: Sequence[str]) -> Iterator[tuple[str, list[TruthFault], float]]:
    """(name, faults, seconds between them) of the selected cells: `cut`, `two`, `cut/two`; none: all."""
    for mode in MODES:
        for fault in FAULTS[site]:
            name = f"{fault.name}/{mode}"
            if only and not {fault.name, mode, name} & set(only):
                continue
            partner = [] if mode == "alone" else [PARTNERS[site]]
            yield name, [fault, *partner], _PAUSE_S[mode]


def bench_of(demo_file: Path, site: str) -> Bench:
    """The running demo's site. Raises CannotMeasureError, OSError, ValueError, KeyError."""
    demo = json.loads(demo_file.read_text())
    states = {item["site"]: Path(item["lab_state"]) for item in demo["sites"]}
    if site not in states or site not in FAULTS:
        raise CannotMeasureError(
            f"the demo runs {', '.join(states)}; faults are known for {', '.join(FAULTS)}"
        )
    faults = DemoFaults(states[site], demo_file.with_name("run.json"))
    network = LabNetwork.of(faults.status())
    return Bench(Surfaces(Api(demo["url"], demo["token"]), site), faults, network, _note)


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _line(outcome: Outcome) -> str:
    headline = "-" if outcome.headline_s is None else f"{outcome.headline_s:.1f}"
    recovered = "-" if outcome.recovered_s is None else f"{outcome.recovered_s:.0f}"
    verdict = "right" if outcome.is_right else "WRONG"
    return f"{outcome.name:28} {verdict:6} {headline:>9} {recovered:>10}"


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of the last line."""
    right = sum(outcome.is_right for outcome in outcomes)
    found = {"cells_right": figure(right, len(outcomes), "cells", met=right == len(outcomes) > 0)}
    times = [outcome.headline_s for outcome in outcomes if outcome.headline_s is not None]
    if times:
        median, worst = round(statistics.median(times), 1), round(max(times), 1)
        found["headline_median"] = figure(median, _HEADLINE_GOAL_S, "s", met=median <= _HEADLINE_GOAL_S)
        found["headline_worst"] = figure(worst, _WORST_GOAL_S, "s", met=worst <= _WORST_GOAL_S)
    return found


def contradictions(surfaces: Surfaces) -> list[Contradiction]:
    """What the surfaces contradict each other about at two moments in a row."""
    first = consistency(surfaces.read())
    time.sleep(AGAIN_S)
    return lasting(first, consistency(surfaces.read()))


def measure(bench: Bench, chosen: Sequence[tuple[str, list[TruthFault], float]]) -> list[Outcome]:
    """The cells one after the other, each printed; stops at the first that cannot be measured."""
    outcomes: list[Outcome] = []
    print(f"{'cell':28} {'':6} {'headline':>9} {'recovered':>10}  seconds", flush=True)
    for name, faults, pause_s in chosen:
        try:
            outcomes.append(bench.run(name, faults, pause_s))
        except (OSError, ValueError, KeyError, CannotMeasureError) as error:
            _note(f"{name}: cannot measure: {type(error).__name__}: {error}")
            break
        print(_line(outcomes[-1]), *(f"    {text}" for text in outcomes[-1].wrong), sep="\n", flush=True)
    return outcomes


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m backstay_bench.truth", description=__doc__)
    parser.add_argument(
        "--demo", type=Path, default=Path(".backstay/demo.json"), help="a running demo's file"
    )
    parser.add_argument("--site", default="argonne", help=f"one of {', '.join(FAULTS)}")
    parser.add_argument("--only", default="", help="comma-separated faults, modes or fault/mode; empty: all")
    parser.add_argument("--check", action="store_true", help="only compare the surfaces, now")
    options = parser.parse_args()
    only = [item.strip() for item in options.only.split(",") if item.strip()]
    chosen = list(cells(options.site, only))
    if not chosen:
        parser.error(f"no cell is called {options.only}")
    try:
        bench = bench_of(options.demo, options.site)
        if options.check:
            found = contradictions(bench.surfaces)
            print("\n".join(map(str, found)) or "no contradiction")
            sys.exit(1 if found else 0)
    except (OSError, ValueError, KeyError, CannotMeasureError) as error:
        sys.exit(f"cannot measure: {type(error).__name__}: {error}")
    outcomes = measure(bench, chosen)
    if not outcomes:
        sys.exit("nothing was measured")
    print(bench_line("truth", figures(outcomes)))


if __name__ == "__main__":
    main()
