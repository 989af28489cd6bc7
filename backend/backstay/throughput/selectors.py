"""Reads of runs for display, comparison and export: stored runs and the papers' reference tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    FloatField,
    Func,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from backstay.core.diagnosis.throughput.compare import Comparison, compare
from backstay.core.diagnosis.throughput.run import best_used, judge_run, used_share
from backstay.core.errors import Refused
from backstay.core.model.progress import OPEN_RUNS
from backstay.core.model.throughput import Cell, Judged, Medium, Parameters
from backstay.inventory.models import Site
from backstay.throughput.dispatch import LEAD_S
from backstay.throughput.models import TestAssignment, TestCell, TestPlan, TestRun
from backstay.throughput.papers.load import ReferenceRun, reference_runs
from backstay.throughput.papers.report import Agreement, agreements
from backstay.throughput.values import medium, value


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
    return Reference(run.ident, run, cells, asdict(judged.verdict), used, rows)


def _of_paper(at: int, one: Judged, run: ReferenceRun) -> CellResult:
    verdict = {**asdict(one.verdict), "others": [asdict(other) for other in one.others]}
    return CellResult(at, one.cell, one.cell.state, verdict, run.medium)


AnyRun = TestRun | Reference
"""One of our runs or a paper's table."""


def compared(before: Iterable[CellResult], after: Iterable[CellResult]) -> Comparison:
    """Two runs, cell by cell. Refused when they have no measured cell in common."""
    found = compare([one.value for one in before], [one.value for one in after])
    if found is None:
        raise Refused(
            "The runs have no measured cell with the same ends and parameters: there is nothing to compare."
        )
    return found


@dataclass(frozen=True, slots=True)
class PlanSummary:
    """A plan's newest run and how many it has."""

    newest: TestRun | None
    tally: Tally
    runs: int


def plan(ident: int) -> TestPlan | None:
    return _plans().filter(pk=ident, removed_at=None).first()


def plans_of(site: Site, *, shape: str | None = None, text: str | None = None) -> QuerySet[TestPlan]:
    """A site's plans; `since`: of the newest run when that is open, else of the plan's last change."""
    rows = _plans().filter(site=site, removed_at=None)
    rows = rows.filter(shape=shape) if shape is not None else rows
    rows = rows.filter(Q(name__icontains=text) | Q(note__icontains=text)) if text else rows
    newest = TestRun.objects.filter(plan=OuterRef("pk")).order_by("-pk")
    at = Case(When(state__in=OPEN_RUNS, then=Coalesce("began_at", "asked_at")))
    return rows.annotate(since=Coalesce(Subquery(newest.values_list(at)[:1]), "changed_at"))


def _plans() -> QuerySet[TestPlan]:
    return TestPlan.objects.select_related("site", "author")


def plan_summaries(plans: Iterable[TestPlan]) -> dict[int, PlanSummary]:
    """By plan id; three queries."""
    wanted = list(plans)
    known = TestRun.objects.filter(plan__in=wanted).select_related("plan__site")
    newest = {run.plan_id: run for run in known.order_by("plan_id", "-pk").distinct("plan_id")}
    numbers = dict(known.order_by().values_list("plan").annotate(number=Count("id")))
    tallied = tallies(newest.values())
    return {row.pk: _summary(newest.get(row.pk), tallied, numbers.get(row.pk, 0)) for row in wanted}


def _summary(newest: TestRun | None, tallied: Mapping[int, Tally], runs: int) -> PlanSummary:
    return PlanSummary(newest, tallied.get(newest.pk, Tally()) if newest else Tally(), runs)


def run(ident: int) -> TestRun | None:
    return TestRun.objects.filter(pk=ident).select_related("plan__site").first()


_PERCENT = r"^(\d+(?:\.\d+)?) %"
"""Of `91 % of usable at best`."""


def runs_of(
    site: Site,
    *,
    plan: int | None = None,
    source: str | None = None,
    state: str | None = None,
    verdict: str | None = None,
    text: str | None = None,
) -> QuerySet[TestRun]:
    """A site's runs with sort keys; state `current`: not ended; `text` looks into plans and verdicts."""
    rows = TestRun.objects.filter(plan__site=site).select_related("plan__site")
    rows = rows.filter(plan=plan) if plan is not None else rows
    rows = rows.filter(source=source) if source is not None else rows
    rows = rows.filter(verdict__name=verdict) if verdict is not None else rows
    if text:
        rows = rows.filter(Q(plan__name__icontains=text) | Q(verdict__sentence__icontains=text))
    if state is not None:
        rows = rows.filter(state__in=OPEN_RUNS if state == "current" else [state])
    return rows.annotate(
        best_percent=Cast(Func(KT("verdict__used"), Value(_PERCENT), function="substring"), FloatField()),
        began_or_asked=Coalesce("began_at", "asked_at"),
        ended_or_asked=Coalesce("ended_at", "began_at", "asked_at"),
    )


def assignments_of(cell: int | None) -> list[TestAssignment]:
    """With their nodes; none for a paper's cell."""
    if cell is None:
        return []
    return list(TestAssignment.objects.filter(cell=cell).select_related("node").order_by("pk"))


def meshes() -> QuerySet[TestPlan]:
    """Mesh plans that have a run with a measured cell."""
    measured = _measured().filter(plan=OuterRef("pk"))
    return TestPlan.objects.filter(Exists(measured), shape="mesh").select_related("site")


def mesh(ident: int) -> TestPlan | None:
    return meshes().filter(pk=ident).first()


def meshes_of(site: Site, text: str | None) -> QuerySet[TestPlan]:
    rows = meshes().filter(site=site, removed_at=None)
    return rows.filter(name__icontains=text) if text else rows


def newest_mesh_runs(plans: Iterable[TestPlan]) -> list[TestRun]:
    """The newest measured run of each of `meshes`, with cells, in the plans' order."""
    wanted = list(plans)
    newest = _measured().filter(plan__in=wanted).order_by("plan_id", "-pk").distinct("plan_id")
    cells = Prefetch("cells", TestCell.objects.defer("spec", "medium", "resources"))
    by_plan = {row.plan_id: row for row in newest.select_related("plan__site").prefetch_related(cells)}
    return [by_plan[row.pk] for row in wanted]


def _measured() -> QuerySet[TestRun]:
    cell = TestCell.objects.filter(run=OuterRef("pk"), state="done", measured__isnull=False)
    return TestRun.objects.filter(Exists(cell), asked__shape="mesh")
