"""Duration of a sweep of a 648-host InfiniBand fabric, compared with the bare tool:
`python -m backstay_bench.infiniband` (as root, with ibsim, OpenSM and infiniband-diags).

The fabric is the lab's site karlsruhe-large, started by the lab's command. Sweeps and bare runs of
`ibqueryerrors --counters --data --details -s none` alternate. A sweep ends with every counter of every
port as numbers; the time to convert them into reports is shown separately. Prints a table and, last,
one line `BENCH {...}`. Exits 0 unless the measurement failed.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

from backstay_agent.collectors.infiniband.collector import InfinibandCollector
from backstay_agent.collectors.infiniband.sweeper import FabricSweeper
from backstay_agent.host.clock import HostClock
from backstay_agent.host.infiniband import InfinibandTools
from backstay_agent.report_sink import BuildReport
from backstay_wire import InfinibandSource, MetricReport

_SITE, _HOST = "karlsruhe-large", "mgmt1"
_BARE = ("--counters", "--data", "--details", "-s", "none")
_GOAL = 1.5
_LIMIT_S = 30.0
_PAUSE_S = 0.3
"""Seconds between two rounds, so that no run affects the next."""


async def _measure(rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each round: the bare tool, a sweep, and a whole collection with its reports."""
    clock, tools = HostClock(), InfinibandTools()
    fabric = (await FabricSweeper(tools, clock).sweep()).fabric
    devices = {guid: f"node-{guid}" for guid in fabric.topology.nodes}
    source = InfinibandSource(device=_HOST, interval_s=10, fabric="infiniband", devices=devices)
    boot, sweeps = uuid4(), [0.0]

    def emit(build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        report = build(boot, 1)
        report.model_dump_json()
        if isinstance(report, MetricReport):
            sweeps.extend(float(f.value) for f in report.metrics if f.metric == "ib.sweep_ms")

    collector = InfinibandCollector(
        source=source, sweeper=FabricSweeper(tools, clock), clock=clock, emit=emit
    )
    await collector.collect()
    found: dict[str, list[float]] = {"bare": [], "sweep": [], "whole": []}
    for _ in range(rounds):
        await asyncio.sleep(_PAUSE_S)
        began = time.perf_counter()
        await tools.run("ibqueryerrors", *_BARE, limit_s=_LIMIT_S)
        found["bare"].append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(_PAUSE_S)
        began = time.perf_counter()
        await collector.collect()
        found["whole"].append(1000 * (time.perf_counter() - began))
        found["sweep"].append(sweeps[-1])
    await collector.stop()
    return found


def _print(found: dict[str, list[float]], rounds: int) -> None:
    medians = {name: statistics.median(values) for name, values in found.items()}
    bare, sweep = medians["bare"], medians["sweep"]
    print(f"fat-tree of 648 hosts and 54 switches, 2,592 ports, medians of {rounds} rounds, ms")
    print(f"{'bare ibqueryerrors, data only':34} {bare:8.0f}   {_spread(found['bare'])}")
    print(f"{'sweep, data and errors, parsed':34} {sweep:8.0f}   {_spread(found['sweep'])}")
    print(f"{'the same with 702 reports as JSON':34} {medians['whole']:8.0f}   {_spread(found['whole'])}")
    met = sweep <= _GOAL * bare
    print(f"a sweep takes {sweep / bare:.2f} x the bare run; goal {_GOAL:g}: {'met' if met else 'NOT met'}")
    figure = {
        "ours": round(sweep, 1),
        "peer": round(bare, 1),
        "peer_name": "ibqueryerrors --counters --data --details -s none",
        "floor": None,
        "goal": round(_GOAL * bare, 1),
        "unit": "ms",
        "met": met,
    }
    print("BENCH " + json.dumps({"name": "infiniband", "figures": {"sweep_648": figure}}))


def _spread(values: list[float]) -> str:
    return f"({min(values):.0f} to {max(values):.0f})"


def _in_lab(rounds: int) -> None:
    """Start the lab and run the measurement on its management host."""
    lab = str(Path(sys.executable).with_name("backstay-lab"))
    with tempfile.TemporaryDirectory(prefix="bsib") as state:
        here = [lab, "--state", state]
        subprocess.run([*here, "up", _SITE], check=True)
        try:
            inside = [sys.executable, "-m", "backstay_bench.infiniband", "--inside"]
            subprocess.run([*here, "exec", _HOST, "--", *inside, "--rounds", str(rounds)], check=True)
        finally:
            subprocess.run([*here, "down", _SITE], check=False)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument(
        "--inside", action="store_true", help="measure the running fabric (used by the benchmark)"
    )
    options = parser.parse_args()
    if options.inside:
        _print(asyncio.run(_measure(options.rounds)), options.rounds)
        return
    try:
        _in_lab(options.rounds)
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(f"cannot measure: {error}")


if __name__ == "__main__":
    main()
