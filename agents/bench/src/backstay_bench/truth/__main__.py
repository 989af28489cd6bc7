"""`python -m backstay_bench.truth --demo .backstay/demo.json`: a matrix of faults over a running demo.

Each cell applies real faults to the lab, alone, in sequence or two at once, and reads overview, map,
paths, links, devices, incidents, API and command line at the same moment. A cell is right if the paths are
as the lab itself has them, there is one root incident for each real cause, the headline names it with the
numbers, no two surfaces contradict each other, and nothing is critical 60 s after recovery. Prints a line for
each cell and, last, one line `BENCH {...}`. Exits 0 when it could measure. `--check` applies no fault: it
prints what the surfaces contradict each other about now, and exits 1 if anything. `--list` prints the single
faults as JSON. Each result is written to a file at once; `--resume` runs only the cells that have no result
of this code version yet, and prints the table of all. A cell that cannot be measured is run again at the end.
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from backstay_bench.apply import Api, CannotMeasureError
from backstay_bench.figures import bench_line
from backstay_bench.truth.cell import AGAIN_S, BETWEEN_S, Bench
from backstay_bench.truth.consistency import Contradiction, consistency, lasting
from backstay_bench.truth.faults import FAULTS, MODES, PARTNERS, DemoFaults, TruthFault, catalogue
from backstay_bench.truth.measured_paths import LabNetwork
from backstay_bench.truth.results import HEAD, Outcome, ResultFile, code_version, figures, matrix
from backstay_bench.truth.surfaces import Surfaces

Cell = tuple[str, list[TruthFault], float]
"""Name, faults, seconds between them."""
MAX_FAILURES = 3
"""Cells in a row that cannot be measured: the demo does not work."""
_PAUSE_S = {"alone": 0.0, "sequence": BETWEEN_S, "two": 0.0}


def cells(site: str, only: Sequence[str]) -> Iterator[Cell]:
    """The selected cells: `cut`, `two`, `cut/two`; none: all."""
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


def contradictions(surfaces: Surfaces) -> list[Contradiction]:
    """What the surfaces contradict each other about at two moments in a row."""
    first = consistency(surfaces.read())
    time.sleep(AGAIN_S)
    return lasting(first, consistency(surfaces.read()))


def measure(bench: Bench, chosen: Sequence[Cell], keep: Callable[[Outcome], None]) -> None:
    """The cells one after the other, each printed and kept; those that cannot be measured once more."""
    print(HEAD, flush=True)
    failed = _measure(bench, chosen, keep)
    if failed and len(failed) < len(chosen):
        _note(f"again: {', '.join(name for name, _, _ in failed)}")
        _measure(bench, failed, keep)


def _measure(bench: Bench, chosen: Sequence[Cell], keep: Callable[[Outcome], None]) -> list[Cell]:
    """The cells that could not be measured; after `MAX_FAILURES` in a row the rest is left out."""
    failed: list[Cell] = []
    in_a_row = 0
    for name, faults, pause_s in chosen:
        try:
            outcome = bench.run(name, faults, pause_s)
        except (OSError, ValueError, KeyError, CannotMeasureError) as error:
            _note(f"{name}: cannot measure: {type(error).__name__}: {error}")
            failed.append((name, faults, pause_s))
            in_a_row += 1
            if in_a_row >= MAX_FAILURES:
                _note("the rest is left out")
                break
            continue
        in_a_row = 0
        keep(outcome)
        print(outcome.line, *(f"    {text}" for text in outcome.wrong), sep="\n", flush=True)
    return failed


def _interrupted(number: int, _: object) -> None:
    """Removes the faults on the way out."""
    sys.exit(128 + number)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m backstay_bench.truth", description=__doc__)
    parser.add_argument(
        "--demo",
        type=Path,
        default=Path(".backstay/demo.json"),
        help="demo.json of the running demo (default: %(default)s)",
    )
    parser.add_argument(
        "--site", default="argonne", help=f"site, one of {', '.join(FAULTS)} (default: %(default)s)"
    )
    parser.add_argument(
        "--only", default="", help="faults, modes or fault/mode, separated by commas (default: all)"
    )
    parser.add_argument(
        "--results", type=Path, help="file of results (default: bench-truth.jsonl in the demo's folder)"
    )
    parser.add_argument(
        "--resume", action="store_true", help="skip cells that have a result of this code version"
    )
    parser.add_argument(
        "--check", action="store_true", help="apply no fault; only compare the surfaces as they are now"
    )
    parser.add_argument("--list", action="store_true", help="only print the single faults of --site as JSON")
    options = parser.parse_args()
    if options.list:
        print(json.dumps(catalogue(options.site)))
        return
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
    results = ResultFile(
        options.results or options.demo.with_name("bench-truth.jsonl"), options.site, code_version()
    )
    outcomes = run(bench, chosen, results, resume=options.resume)
    if not outcomes:
        sys.exit("nothing was measured")
    print(matrix([fault.name for fault in FAULTS[options.site]], outcomes))
    print(bench_line("truth", figures(outcomes, len(chosen))))


def run(bench: Bench, chosen: Sequence[Cell], results: ResultFile, *, resume: bool) -> list[Outcome]:
    """Measure the cells, all or those without a result; the results of all that have one, in their order."""
    names = [name for name, _, _ in chosen]
    results.forget([] if resume else names)
    known = results.known()
    signal.signal(signal.SIGTERM, _interrupted)
    waiting = [cell for cell in chosen if cell[0] not in known]
    try:
        if waiting:
            measure(bench, waiting, results.add)
    except KeyboardInterrupt:
        _note("interrupted; --resume runs the rest")
    known = results.known()
    return [known[name] for name in names if name in known]


if __name__ == "__main__":
    main()
