"""Predicted and measured loads after the failure of each gateway, on a running demo:
`python -m backstay_bench.prediction --demo .backstay/demo.json --site sdsc`.

Each gateway fails once (`backstay-lab cut`), right after `capacity/what-if` was asked about it for `--window`
seconds. A minute later the kernel's counters in the nodes' namespaces are read for as long, without Backstay.
Compared are the means, in the directions of links whose load the failure changes, except those of the gateway
itself; an error is a share of the usable rate. Prints a table per gateway and, last, one line `BENCH {...}`.
Exits 0 unless the measurement failed.
"""

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from backstay_bench.apply import Api, CannotMeasureError
from backstay_bench.figures import bench_line, figure
from backstay_lab.naming import Names, lab_id
from backstay_lab.verify.kernel import KernelSource
from backstay_lab.verify.series import Key

_GOAL_ERROR = 0.10
_SETTLE_S = 60.0
"""After the failure: the last path has moved, and transport protocols have found their rates."""
_RECOVER_S = 90.0
"""After the repair: the loads of the last minute are again those without a failure."""
_WINDOW_S = 216.0
"""Two of the slowest oscillations of the lab's background traffic (`FlowSpec.period_s`; 108 s at argonne):
its rate over one minute differs by as much as a third from that over the next."""
_ASK_S = 5.0
"""Between two predictions."""
_LAB_S = 60.0


@dataclass(frozen=True, slots=True)
class Lane:
    """One direction of a link under a failure, bit/s; `counter` is read in the kernel of one of its ends."""

    title: str
    counter: Key
    usable_rate: int
    predicted: float


@dataclass(frozen=True, slots=True)
class Compared:
    """A lane as predicted last, the mean of its predictions, and what was measured of it, bit/s."""

    lane: Lane
    predicted: float
    measured: float

    @property
    def error(self) -> float:
        """Share of the usable rate, without sign."""
        return abs(self.predicted - self.measured) / self.lane.usable_rate

    @property
    def last_error(self) -> float:
        """That of the last prediction, which is of one minute."""
        return abs(self.lane.predicted - self.measured) / self.lane.usable_rate


@dataclass(frozen=True)
class Demo:
    """One site of a running demo."""

    api: Api
    site: str
    lab_state: Path

    def gateways(self) -> dict[str, str]:
        """Name and key of each node whose failure moves traffic to another one. Raises CannotMeasureError."""
        failures = self.api.get(f"capacity/n-1?site={self.site}&kind=node&fallback=true&limit=200")["items"]
        if not failures:
            raise CannotMeasureError("no failure of a single node moves traffic")
        return {failure["name"]: failure["key"] for failure in failures}

    def lanes(self, gateway: str) -> list[Lane]:
        """The loads that `capacity/what-if` predicts now if this node fails. Raises CannotMeasureError."""
        failure = self.api.get(f"capacity/what-if?site={self.site}&dead={gateway}")["failure"]
        if failure["links_total"] > len(failure["links"]):
            raise CannotMeasureError("what-if does not list all links")
        links = {load["link"]: self.api.get(f"links/{load['link']}") for load in failure["links"]}
        lanes = (_lane(load, links[load["link"]], gateway) for load in failure["links"])
        return [lane for lane in lanes if lane is not None]

    @contextmanager
    def dead(self, name: str) -> Iterator[None]:
        """The node without its data links. Raises CannotMeasureError."""
        self._lab("cut", name)
        try:
            yield
        finally:
            self._lab("restore", name)

    def _lab(self, *arguments: str) -> None:
        argv = [str(Path(sys.executable).with_name("backstay-lab")), "--state", str(self.lab_state)]
        try:
            subprocess.run([*argv, *arguments], capture_output=True, check=True, timeout=_LAB_S)
        except (OSError, subprocess.SubprocessError) as error:
            raise CannotMeasureError(f"backstay-lab {' '.join(arguments)}: {error}") from error


def _lane(load: dict[str, Any], link: dict[str, Any], gateway: str) -> Lane | None:
    """None: the link fails with the gateway, or nothing is known of its rate or load."""
    ends = [link["source"], link["target"]]
    if (
        gateway in {f"node:{end['node_id']}" for end in ends}
        or not load["usable_rate"]
        or not load["is_measured"]
    ):
        return None
    sender, receiver = ends if load["direction"] == "forward" else ends[::-1]
    end, quantity = (sender, "out octets") if sender["port"] is not None else (receiver, "in octets")
    title = f"{load['start']} -> {load['end']} ({end['node']}:{end['port']})"
    carried = load["carried_bps"] if load["carried_bps"] is not None else load["after_bps"]
    return Lane(title, (end["node"], end["port"], quantity), load["usable_rate"], carried)


def _rates(names: Names, lanes: list[Lane], seconds: float) -> dict[Key, float]:
    """Mean bit/s of each lane's counter over the next seconds."""
    source = KernelSource(names, {lane.counter[0] for lane in lanes})
    try:
        before, began = _octets(source), time.monotonic()
        time.sleep(seconds)
        after, lasted = _octets(source), time.monotonic() - began
    finally:
        source.close()
    return {lane.counter: (after[lane.counter] - before[lane.counter]) * 8 / lasted for lane in lanes}


def _octets(source: KernelSource) -> dict[Key, int]:
    return {key: int(value) for part in source.read() for key, value in part.items()}


def _predict(demo: Demo, gateway: str, seconds: float) -> tuple[list[Lane], dict[Key, float]]:
    """The last prediction, and the mean of those of the seconds before it, bit/s."""
    predicted: dict[Key, list[float]] = {}
    end = time.monotonic() + seconds
    while True:
        lanes = demo.lanes(gateway)
        for lane in lanes:
            predicted.setdefault(lane.counter, []).append(lane.predicted)
        if time.monotonic() >= end:
            return lanes, {counter: fmean(rates) for counter, rates in predicted.items()}
        time.sleep(_ASK_S)


def _kill(demo: Demo, name: str, gateway: str, seconds: float) -> list[Compared]:
    lanes, means = _predict(demo, gateway, seconds)
    with demo.dead(name):
        time.sleep(_SETTLE_S)
        rates = _rates(Names(lab_id(demo.lab_state)), lanes, seconds)
    return [Compared(lane, means[lane.counter], rates[lane.counter]) for lane in lanes]


def _print(name: str, compared: list[Compared]) -> None:
    print(f"\n{name} fails: {len(compared)} directions change")
    print(f"{'direction':<58} {'usable':>9} {'predicted':>10} {'measured':>9} {'error':>7}   Mb/s")
    for item in sorted(compared, key=lambda item: -item.error):
        rates = (item.lane.usable_rate, item.predicted, item.measured)
        usable, predicted, measured = (f"{rate / 1e6:.2f}" for rate in rates)
        print(f"{item.lane.title:<58} {usable:>9} {predicted:>10} {measured:>9} {item.error:>7.1%}")


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demo", type=Path, default=Path(".backstay/demo.json"), help="demo.json")
    parser.add_argument("--site", default="", help="site of the demo (default: the first one)")
    parser.add_argument("--kill", nargs="+", default=[], metavar="NAME", help="gateways (default: all)")
    parser.add_argument("--window", type=float, default=_WINDOW_S, metavar="S", help="default: %(default)s")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a killed benchmark leaves no gateway cut
    try:
        found = json.loads(options.demo.read_text())
        states = {item["site"]: Path(item["lab_state"]) for item in found["sites"]}
        site = options.site or found["site"].split(",")[0]
        demo = Demo(Api(found["url"], found["token"]), site, states[site])
        gateways = demo.gateways()
        everything: list[Compared] = []
        for place, name in enumerate(options.kill or sorted(gateways)):
            time.sleep(_RECOVER_S if place else 0)
            compared = _kill(demo, name, gateways[name], options.window)
            _print(name, compared)
            everything += compared
        errors = [item.error for item in everything]
        worst, last = max(errors), max(item.last_error for item in everything)
    except (OSError, ValueError, KeyError, CannotMeasureError) as error:
        sys.exit(f"cannot measure: {type(error).__name__}: {error}")
    middle = median(errors)
    figures = {
        "median_error": figure(round(middle, 4), _GOAL_ERROR, "share", met=middle <= _GOAL_ERROR),
        "worst_error": figure(round(worst, 4), _GOAL_ERROR, "share", met=worst <= _GOAL_ERROR),
        "worst_error_of_last_minute": figure(round(last, 4), None, "share", met=True),
        "directions": figure(len(errors), None, "directions", met=True),
    }
    print(bench_line("prediction", figures))


if __name__ == "__main__":
    main()
