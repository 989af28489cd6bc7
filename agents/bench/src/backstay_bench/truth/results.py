"""Results of cells: kept in a file, so that a run may be interrupted and resumed, and printed as a table."""

import json
import statistics
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from backstay_bench.figures import figure
from backstay_bench.truth.faults import MODES

HEADLINE_GOAL_S, WORST_GOAL_S = 5.0, 10.0
_DESCRIBE = ("git", "describe", "--always", "--dirty")


@dataclass(frozen=True)
class Outcome:
    """A cell's result."""

    name: str
    """`cut/two`."""
    wrong: tuple[str, ...] = ()
    """Empty: right."""
    headline_s: float | None = None
    """From the start of the last fault's command to the correct headline; None: not before the judgement, or
    nothing to name."""
    recovered_s: float | None = None
    """From the removal until nothing critical was left; None: not within 60 s."""
    took_s: float = 0.0
    """All of the cell, with the wait for a healthy site before it."""

    @property
    def is_right(self) -> bool:
        """Whether nothing was wrong."""
        return not self.wrong

    @property
    def line(self) -> str:
        """One line of the table."""
        verdict = "right" if self.is_right else "WRONG"
        times = f"{_seconds(self.headline_s, 1):>9} {_seconds(self.recovered_s):>10} {self.took_s:>6.0f}"
        return f"{self.name:28} {verdict:6} {times}"


HEAD = f"{'cell':28} {'':6} {'headline':>9} {'recovered':>10} {'took':>6}  seconds"


def _seconds(value: float | None, digits: int = 0) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def code_version() -> str:
    """The commit that is measured; empty outside a repository."""
    try:
        done = subprocess.run(
            _DESCRIBE,
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=False,
            timeout=10.0,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


@dataclass(frozen=True)
class ResultFile:
    """One JSON object per line: site, code version and outcome of a cell. The newest line counts."""

    path: Path
    site: str
    version: str

    def known(self) -> dict[str, Outcome]:
        """Cell -> its outcome on this site and code version; an incomplete last line is ignored."""
        found = {}
        for item in self._items():
            if (item["site"], item["version"]) == (self.site, self.version):
                found[item["name"]] = Outcome(
                    item["name"],
                    tuple(item["wrong"]),
                    item["headline_s"],
                    item["recovered_s"],
                    item["took_s"],
                )
        return found

    def forget(self, names: Iterable[str]) -> None:
        """Remove these cells of the site, and incomplete lines. Raises OSError."""
        gone = set(names)
        kept = [item for item in self._items() if item["site"] != self.site or item["name"] not in gone]
        self.path.write_text("".join(json.dumps(item) + "\n" for item in kept))

    def add(self, outcome: Outcome) -> None:
        """Append one. Raises OSError."""
        head = {"site": self.site, "version": self.version}
        with self.path.open("a") as file:
            file.write(json.dumps(head | asdict(outcome)) + "\n")

    def _items(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        found = []
        for line in self.path.read_text().splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return found


def figures(outcomes: Sequence[Outcome], cells: int | None = None) -> dict[str, Any]:
    """The figures of the last line; `cells`: how many were to be measured."""
    right, total = sum(outcome.is_right for outcome in outcomes), cells or len(outcomes)
    found = {"cells_right": figure(right, total, "cells", met=right == total > 0)}
    times = _headlines(outcomes)
    if times:
        median, worst = round(statistics.median(times), 1), round(max(times), 1)
        found["headline_median"] = figure(median, HEADLINE_GOAL_S, "s", met=median <= HEADLINE_GOAL_S)
        found["headline_worst"] = figure(worst, WORST_GOAL_S, "s", met=worst <= WORST_GOAL_S)
    return found


def _headlines(outcomes: Iterable[Outcome]) -> list[float]:
    return [outcome.headline_s for outcome in outcomes if outcome.headline_s is not None]


def matrix(faults: Sequence[str], outcomes: Iterable[Outcome]) -> str:
    """Faults by mode: `right 3.7` is the time to the correct headline in s; then the sums of each mode."""
    known = {outcome.name: outcome for outcome in outcomes}
    lines = [f"{'fault':20}" + "".join(f"{mode:>14}" for mode in MODES)]
    for fault in faults:
        cells = [_cell(known.get(f"{fault}/{mode}")) for mode in MODES]
        lines.append(f"{fault:20}" + "".join(f"{cell:>14}" for cell in cells))
    for label, text in (("right", _right), ("median headline, s", _median), ("worst headline, s", _worst)):
        modes = [[item for name, item in known.items() if name.endswith(f"/{mode}")] for mode in MODES]
        lines.append(f"{label:20}" + "".join(f"{text(items):>14}" for items in modes))
    everything = list(known.values())
    took_min = sum(item.took_s for item in everything) / 60
    lines.append(
        f"all modes: {_right(everything)} right, headline median {_median(everything)} s, worst "
        f"{_worst(everything)} s (goals {HEADLINE_GOAL_S:.0f} s and {WORST_GOAL_S:.0f} s), {took_min:.0f} min"
    )
    return "\n".join(lines)


def _cell(outcome: Outcome | None) -> str:
    if outcome is None:
        return "not run"
    return f"{'right' if outcome.is_right else 'WRONG'} {_seconds(outcome.headline_s, 1)}"


def _right(outcomes: Sequence[Outcome]) -> str:
    return f"{sum(item.is_right for item in outcomes)} of {len(outcomes)}"


def _median(outcomes: Sequence[Outcome]) -> str:
    times = _headlines(outcomes)
    return _seconds(statistics.median(times), 1) if times else "-"


def _worst(outcomes: Sequence[Outcome]) -> str:
    return _seconds(max(_headlines(outcomes), default=None), 1)
