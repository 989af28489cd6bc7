"""Reads of runs for display, comparison and export: stored runs and the papers' reference tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import Count, Sum

from backstay.core.diagnosis.throughput.compare import Comparison, compare
from backstay.core.diagnosis.throughput.run import best_used, judge_run, used_share
from backstay.core.errors import Refused
from backstay.core.model.throughput import Cell, Judged, Medium, Parameters
from backstay.throughput.dispatch import LEAD_S
from backstay.throughput.models import TestCell, TestRun
from backstay.throughput.papers.load import ReferenceRun, reference_runs
from backstay.throughput.papers.report import Agreement, agreements
from backstay.throughput.values import medium, value

OVER = ("done", "cancelled", "failed")


@dataclass(frozen=True, slots=True)
class Tally:
    """Progress of a run in cells and seconds."""

    total: int = 0
    over: int = 0
    bad: int = 0
    remaining_s: float = 0.0


@dataclass(frozen=True, slots=True)
class CellResult:
    """One cell with its result."""

    index: int
    value: Cell
    state: str
    """As stored: also queued and running."""
    verdict: Mapping[str, Any] | None
    medium: Medium
    flows: list[list[str]] = field(default_factory=list)
    detail: str = ""
    start_at: datetime | None = None
    ended_at: datetime | None = None
    seconds: float | None = None
    paths: list[list[str]] = field(default_factory=list)
    ident: int | None = None

    @property
    def parameters(self) -> Parameters:
        """Requested parameters."""
        return self.value.parameters

    @property
    def rate(self) -> float | None:
        """Bit/s over all streams."""
        return None if self.value.measured is None else self.value.measured.rate

    @property
    def used(self) -> float | None:
        """Rate / available capacity, 0..1, as used by the verdicts."""
        return used_share(self.value, self.medium)


def tallies(runs: Iterable[TestRun]) -> dict[int, Tally]:
    """Run id -> progress; one query."""
    rows = TestCell.objects.filter(run__in=[run.pk for run in runs]).order_by()
    found: dict[int, Tally] = {}
    counted = rows.values_list("run", "state", "run__plan__site__interval_s")
    for run, state, interval_s, number, seconds in counted.annotate(Count("id"), Sum("seconds")):
        old = found.get(run, Tally())
        over = state not in {"queued", "running"}
        per_cell_s = 1.5 * interval_s + LEAD_S + interval_s
        found[run] = Tally(
            total=old.total + number,
            over=old.over + number * over,
            bad=old.bad + number * (over and state != "done"),
            remaining_s=old.remaining_s + (0.0 if over else seconds + number * per_cell_s),
        )
    return found


def cells_of(run: TestRun) -> list[CellResult]:
    """The run's cells, in order."""
    return [_shown(cell) for cell in run.cells.order_by("index")]


def cell_of(run: TestRun, index: int) -> CellResult | None:
    """One of the run's cells."""
    cell = run.cells.filter(index=index).first()
    return None if cell is None else _shown(cell)


def _shown(cell: TestCell) -> CellResult:
    return CellResult(
        index=cell.index,
        value=value(cell),
        state=cell.state,
        verdict=cell.verdict,
        medium=medium(cell),
        flows=cell.flows,
        detail=cell.detail,
        start_at=cell.start_at,
        ended_at=cell.ended_at,
        seconds=cell.seconds,
        paths=cell.medium.get("paths", []),
        ident=cell.pk,
    )


@dataclass(frozen=True, slots=True)
class Reference:
    """One table of a paper with our verdicts."""

    ident: str
    """`cern96.fig4`."""
    run: ReferenceRun
    cells: tuple[CellResult, ...]
    verdict: Mapping[str, Any]
    used: str
    rows: tuple[Agreement, ...]
    """The paper's conclusions and our verdicts."""

    def cell(self, index: int) -> CellResult | None:
        """One of its cells."""
        return self.cells[index] if 0 <= index < len(self.cells) else None


@cache
def references() -> dict[str, Reference]:
    """Every table by id; read once from files."""
    agreed = agreements()
    return {found.ident: found for run in reference_runs() for found in [_reference(run, agreed)]}


def _reference(run: ReferenceRun, agreed: Iterable[Agreement]) -> Reference:
    judged = judge_run(run.cells, run.medium)
    cells = tuple(_of_paper(at, one, run) for at, one in enumerate(judged.cells))
    rows = tuple(item for item in agreed if item.run == run.key)
    used = best_used(judged.cells, run.medium)
    return Reference(run.key.replace("/", "."), run, cells, asdict(judged.verdict), used, rows)


def _of_paper(at: int, one: Judged, run: ReferenceRun) -> CellResult:
    verdict = {**asdict(one.verdict), "others": [asdict(other) for other in one.others]}
    return CellResult(at, one.cell, one.cell.state, verdict, run.medium)


def compared(before: Iterable[CellResult], after: Iterable[CellResult]) -> Comparison:
    """Two runs, cell by cell. Refused when they have no measured cell in common."""
    found = compare([one.value for one in before], [one.value for one in after])
    if found is None:
        raise Refused(
            "The runs have no measured cell with the same ends and parameters: there is nothing to compare."
        )
    return found
