"""What the runs found, and the table of it. Pure."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from backstay_bench.figures import figure
from backstay_wire import EngineKind

GRACE_S = 5.0
"""Seconds after the change's timeout in which the node must be as before (R21)."""
ENGINES = tuple(EngineKind)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run."""

    kind: str
    engine: EngineKind
    fault: str = ""
    """Why it is wrong; empty: right."""
    seconds: float | None = None
    """From the cut-off until the node was as before; None: not measured."""
    late_s: float | None = None
    """From the guard's deadline until then; negative: earlier."""
    measured: bool = True
    """False: the run did not get as far as the fault, so it shows nothing."""

    @property
    def right(self) -> bool:
        """Whether the node ended as it must."""
        return self.measured and not self.fault


@dataclass
class Table:
    """Outcomes by kind and engine, in the order of their kinds."""

    outcomes: list[Outcome] = field(default_factory=list)

    def of(self, kind: str, engine: EngineKind | None = None) -> list[Outcome]:
        """The outcomes of one kind, of one engine or of all."""
        return [item for item in self.outcomes if item.kind == kind and engine in (None, item.engine)]

    def lines(self, engines: Sequence[EngineKind] = ENGINES) -> list[str]:
        """The table; each cell: right/runs, median and worst seconds."""
        head = f"{'':24}" + "".join(f"{engine.value:>18}" for engine in engines)
        kinds = dict.fromkeys(item.kind for item in self.outcomes)
        rows = [
            f"{kind:24}" + "".join(f"{_cell(self.of(kind, engine)):>18}" for engine in engines)
            for kind in kinds
        ]
        return [head, *rows]

    def wrong(self) -> list[str]:
        """One line for each run that is wrong or was not measured."""
        return [
            f"{item.engine.value}, {item.kind}: {'' if item.measured else 'not measured: '}{item.fault}"
            for item in self.outcomes
            if not item.right
        ]


def _cell(outcomes: Sequence[Outcome]) -> str:
    if not outcomes:
        return "-"
    text = f"{sum(item.right for item in outcomes)}/{len(outcomes)}"
    seconds = [item.seconds for item in outcomes if item.seconds is not None]
    return text + (f" {statistics.median(seconds):5.1f} {max(seconds):5.1f}" if seconds else "")


def cutoff_figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Figures of R21."""
    right = sum(item.right for item in outcomes)
    figures = {"cutoffs_right": figure(right, len(outcomes), "runs", met=right == len(outcomes) >= 100)}
    late = _known(item.late_s for item in outcomes)
    if late:
        figures["restored_after_deadline_worst"] = figure(
            round(max(late), 1), GRACE_S, "s", met=max(late) <= GRACE_S
        )
    seconds = _known(item.seconds for item in outcomes)
    if seconds:
        figures["restored_after_cut_median"] = figure(
            round(statistics.median(seconds), 1), None, "s", met=True
        )
    return figures


def kill_figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Figures of R22."""
    right = sum(item.right for item in outcomes)
    return {"kills_right": figure(right, len(outcomes), "runs", met=right == len(outcomes))}


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]
