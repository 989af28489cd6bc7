"""Outage of traffic when a gateway fails: our checker and bare daemons, alternating in one run.

One packet per millisecond goes to a host behind two gateways; a lost packet is a millisecond of outage.
Faults: `carrier` (the link is unplugged), `silent` (the link drops everything), `drop` (the gateway answers
but does not forward). Prints a table of medians and, last, one line `BENCH {...}`. Exits 0 unless the
measurement failed. `--load SECONDS` keeps every processor busy and counts the checker's switches, which
must be zero; `--rounds 0 --load 600` does only that, for ten minutes.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from backstay_bench.failover import engines
from backstay_bench.failover.lab import TARGET, Lab, lab
from backstay_wire import DecisionReport, Detection, Engine, EngineKind

_PORT = 7907
_STREAM_MS, _BEFORE_S = 1500, 0.5
_GATED_STREAM_MS = 8000
"""gated switches in seconds, the others in milliseconds."""
_HEALED_S = 30.0
_SETTLE_S = 1.5
"""Seconds after healing: the checker's 20 answers at 50 ms, and BFD's slow start (RFC 5880 section 6.8.3)."""
FAULTS = ("carrier", "silent", "drop")
Start = Callable[[Lab, Path], AbstractContextManager[None]]
ENGINES: dict[str, Start] = {
    "kernel + checker": engines.checked,
    "kernel alone": engines.kernel,
    "FRR static": engines.frr,
    "FRR + checker": engines.frr_checked,
    "BIRD + checker": engines.bird_checked,
    "gated's stand-in + checker": engines.gated_checked,
    "BIRD + BFD, managed": engines.bird_managed,
    "BIRD + BFD": engines.bird,
}
_GOALS = {"carrier": 2.0, "silent": 200.0, "drop": 200.0}
_BFD_RATIO = 1.10
_BARE = ("kernel alone", "FRR static", "BIRD + BFD")


@dataclass
class Run:
    """One engine's outages in milliseconds by fault; None: traffic never recovered."""

    lab: Lab
    found: dict[str, list[float | None]] = field(default_factory=lambda: {fault: [] for fault in FAULTS})


def stream_ms(name: str) -> int:
    """How long traffic must flow to see the end of an engine's outage."""
    return _GATED_STREAM_MS if "gated" in name else _STREAM_MS


def measure_outage(lab: Lab, fault: str, sent_ms: int = _STREAM_MS) -> float | None:
    """Break the active gateway under traffic, then restore it; ms, None if traffic did not recover."""
    gateway = lab.leader()
    stream = [sys.executable, "-m", "backstay_bench.failover.stream"]
    receive = [*lab.far.enter(), *stream, "receive", str(_PORT)]
    with subprocess.Popen(receive, stdout=subprocess.PIPE, text=True) as receiver:
        assert receiver.stdout is not None
        receiver.stdout.readline()
        send = [*lab.node.enter(), *stream, "send", TARGET, str(_PORT), str(sent_ms)]
        with subprocess.Popen(send, stdout=subprocess.PIPE, text=True) as sender:
            assert sender.stdout is not None
            sender.stdout.readline()
            time.sleep(_BEFORE_S)
            lab.faults[fault](gateway, lost=True)
            sender.wait()
        counted = json.loads(receiver.stdout.readline())
    lab.faults[fault](gateway, lost=False)
    _wait_until_healed(lab)
    ended = counted["last"] >= counted["sent"] - 5
    return float(counted["sent"] - counted["received"]) if ended else None


def _wait_until_healed(lab: Lab) -> None:
    """All engines except ours fail back; ours stays, and its next round breaks the other gateway."""
    end = time.monotonic() + _HEALED_S
    time.sleep(_SETTLE_S)
    while not lab.answers():
        if time.monotonic() > end:
            raise TimeoutError(f"no traffic after healing; the node forwards by {lab.leader() or 'none'}")
        time.sleep(0.1)


def _measure(names: list[str], rounds: int, folder: Path) -> dict[str, Run]:
    with contextlib.ExitStack() as stack:
        runs: dict[str, Run] = {}
        for number, name in enumerate(names):
            own = folder / str(number)
            own.mkdir()
            own.chmod(0o755)
            runs[name] = Run(stack.enter_context(lab()))
            stack.enter_context(ENGINES[name](runs[name].lab, own))
        for number in range(rounds):
            for fault in FAULTS:
                for name, run in runs.items():
                    run.found[fault].append(measure_outage(run.lab, fault, stream_ms(name)))
            print(f"round {number + 1} of {rounds} done", file=sys.stderr)
        return runs


def _median(values: list[float | None]) -> float | None:
    """None when traffic mostly never recovered."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if len(known) * 2 > len(values) else None


def _shown(values: list[float | None]) -> str:
    middle = _median(values)
    if middle is None:
        return "never"
    known = [value for value in values if value is not None]
    return f"{middle:.0f} ({min(known):.0f} to {max(known):.0f})"


def _figures(runs: dict[str, Run]) -> dict[str, object]:
    figures: dict[str, object] = {}
    ours = runs["kernel + checker"].found if runs else {}
    for fault in ours:
        best = _best_peer(runs, fault)
        value = _median(ours[fault])
        figures[fault] = _figure(value, best, _GOALS[fault], "ms")
    managed, bare = runs.get("BIRD + BFD, managed"), runs.get("BIRD + BFD")
    if managed and bare:
        value, peer = _median(managed.found["silent"]), _median(bare.found["silent"])
        goal = round(peer * _BFD_RATIO, 1) if peer is not None else None
        figures["bfd_silent"] = _figure(value, ("BIRD + BFD", peer), goal, "ms")
    return figures


def _best_peer(runs: dict[str, Run], fault: str) -> tuple[str, float | None]:
    bare = [(name, _median(run.found[fault])) for name, run in runs.items() if name in _BARE]
    known = [(value, name) for name, value in bare if value is not None]
    return (min(known)[1], min(known)[0]) if known else ("", None)


def _figure(
    ours: float | None, peer: tuple[str, float | None], goal: float | None, unit: str
) -> dict[str, object]:
    return {
        "ours": ours,
        "peer": peer[1],
        "peer_name": None if peer[1] is None else peer[0],
        "floor": None,
        "goal": goal,
        "unit": unit,
        "met": ours is not None and goal is not None and ours <= goal,
    }


def _busy() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "while True: pass"])


def _under_load(seconds: float, folder: Path) -> int:
    """Switches of a checker with defaults while two busy processes run per processor."""
    folder.mkdir()
    with lab() as built, contextlib.ExitStack() as stack:
        engines.set_routes(built)
        engine = Engine(kind=EngineKind.KERNEL, config=str(folder / "routes"))
        assignment = engines.desired(engine, Detection.CHECKER, engines.timers())
        sink = stack.enter_context(engines.agent(built, folder, assignment))
        for _ in range(2 * (os.cpu_count() or 1)):
            stack.callback(_busy().kill)
        time.sleep(seconds)
        time.sleep(2.0)
        decisions = [report for report in sink.reports("decision") if isinstance(report, DecisionReport)]
        for report in decisions:
            print(f"under load: {report.reason}: {report.evidence}", file=sys.stderr)
        return sum(report.from_gateway != report.to_gateway for report in decisions)


def _print(runs: dict[str, Run], rounds: int, switches: int, seconds: float) -> None:
    if runs:
        print(f"milliseconds without traffic, medians of {rounds} rounds; checker and BFD at 50 ms x 3")
        print(f"{'':28}" + "".join(f"{fault:>22}" for fault in FAULTS))
    for name, run in runs.items():
        print(f"{name:28}" + "".join(f"{_shown(run.found[fault]):>22}" for fault in FAULTS))
    print(f"{switches} switches in {seconds:g} s with two busy processes per processor")
    figures = _figures(runs)
    figures[f"false_switches_in_{seconds:g}_s"] = _figure(switches, ("", None), 0, "switches")
    print("BENCH " + json.dumps({"name": "failover", "figures": figures}))


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--load", type=float, default=20.0, metavar="SECONDS", help="seconds under full load (default: 20)"
    )
    parser.add_argument(
        "--engines",
        nargs="+",
        choices=list(ENGINES),
        default=list(ENGINES),
        help="daemons to compare (default: all)",
    )
    options = parser.parse_args()
    names = list(dict.fromkeys(["kernel + checker", *options.engines]))
    with tempfile.TemporaryDirectory(prefix="backstay-failover-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # FRR's daemons run as their own user
        try:
            runs = _measure(names, options.rounds, folder) if options.rounds else {}
            switches = _under_load(options.load, folder / "load")
        except (OSError, subprocess.SubprocessError, TimeoutError) as error:
            for log in sorted(folder.rglob("*.log")):
                print(f"--- {log.name}\n{log.read_text()[-4000:]}", file=sys.stderr)
            sys.exit(f"cannot measure: {error}")
        _print(runs, options.rounds, switches, options.load)


if __name__ == "__main__":
    main()
