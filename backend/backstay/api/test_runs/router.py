"""Test runs with their cells and verdicts; the papers' tables are runs too, `?source=paper`."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router

from backstay.accounts.models import Role
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.test_runs.present import (
    cell_detail,
    comparison_out,
    grid_out,
    reference_detail,
    reference_out,
    run_detail,
    run_out,
)
from backstay.api.test_runs.schemas import (
    ComparisonOut,
    RunState,
    Source,
    TestCellDetail,
    TestGridOut,
    TestRunDetail,
    TestRunOut,
)
from backstay.core.errors import Refused
from backstay.throughput import services
from backstay.throughput.export import as_csv
from backstay.throughput.models import OPEN, TestAssignment, TestCell, TestPlan, TestRun
from backstay.throughput.selectors import (
    CellResult,
    Reference,
    Tally,
    cell_of,
    cells_of,
    compared,
    references,
    tallies,
)

router = Router(tags=["test-runs"])
SORTS = {
    "name": Column("id"),
    "state": Column("state"),
    "asked": Column("asked_at"),
    "plan": Column("plan_name"),
    "began": Column("began_or_asked"),
    "ended": Column("ended_or_asked"),
}
_PAPER_SORTS: dict[str, Callable[[TestRunOut], Any]] = {
    "began": lambda run: run.began_at,
    "ended": lambda run: run.ended_at,
    "name": lambda run: run.name,
    "state": lambda run: run.state,
    "asked": lambda run: run.asked_at,
    "plan": lambda run: run.plan,
}
_GRID_SORTS = {"name": Column("name")}
RunId = Text
StateFilter = RunState | Literal["current"]
_TABLE = {"text/csv": {"schema": {"type": "string"}}, "application/json": {"schema": {"type": "object"}}}


class TestRunQuery(ListQuery):
    """Filters of `list_test_runs`."""

    plan: Id | None = None
    state: StateFilter | None = None
    source: Source | None = None


@router.get("/test-runs", response={200: Page[TestRunOut], **READ}, operation_id="list_test_runs")
def list_test_runs(request: HttpRequest, query: Query[TestRunQuery]) -> Page[TestRunOut]:
    """A site's runs, the newest first; `source=paper` lists the papers' tables.

    Papers' tables belong to no site and no plan, and all are done: whichever site is named, the same are
    listed, and none with `plan` or another `state`.
    """
    row, now = site_of(request, query.site), timezone.now()
    if query.source == "paper":
        fit = query.plan is None and query.state in {None, "done"}
        items = [reference_out(reference) for reference in references().values()] if fit else []
        items = [item for item in items if query.matches(item.name, item.plan)]
        return query.page(items, _PAPER_SORTS, lambda run: run.id, "name")
    wanted = Q(plan__site=row)
    wanted &= Q() if query.plan is None else Q(plan=query.plan)
    wanted &= Q() if query.source is None else Q(source=query.source)
    wanted &= Q(plan__name__icontains=query.q) if query.q else Q()
    wanted &= (
        Q()
        if query.state is None
        else Q(state__in=OPEN)
        if query.state == "current"
        else Q(state=query.state)
    )
    known = (
        TestRun.objects.filter(wanted)
        .select_related("plan__site")
        .annotate(
            plan_name=F("plan__name"),
            began_or_asked=Coalesce("began_at", "asked_at"),
            ended_or_asked=Coalesce("ended_at", "began_at", "asked_at"),
        )
    )
    rows, following = query.rows(known, SORTS, "-name")
    may, far = principal(request).may(row.name, Role.OPERATOR), tallies(rows)
    return Page(
        items=[run_out(run, far.get(run.pk, Tally()), now, may_cancel=may) for run in rows], next=following
    )


@router.get("/test-runs/{id}", response={200: TestRunDetail, **READ}, operation_id="get_test_run")
def get_test_run(request: HttpRequest, id: RunId) -> TestRunDetail:  # noqa: A002  (the path's own word)
    """One run with its cells and verdicts; of a paper's table also what the paper concluded."""
    return _detail(request, _any(request, id))


@router.get(
    "/test-runs/{id}/cells/{index}", response={200: TestCellDetail, **READ}, operation_id="get_test_cell"
)
def get_test_cell(request: HttpRequest, id: RunId, index: int) -> TestCellDetail:  # noqa: A002
    """One cell with what each node told of its part."""
    run = _any(request, id)
    cell = found(run.cell(index) if isinstance(run, Reference) else cell_of(run, index), "cell")
    duties = TestAssignment.objects.filter(cell=cell.ident).select_related("node").order_by("pk")
    return cell_detail(cell, list(duties) if cell.ident is not None else [])


@router.post("/test-runs/{id}/cancel", response={200: TestRunDetail, **WRITE}, operation_id="cancel_test_run")
@idempotent
def cancel_test_run(request: HttpRequest, id: RunId) -> TestRunDetail:  # noqa: A002
    """End a run at once: its agents stop what runs. What was measured is kept. Needs operator at the site."""
    run = _any(request, id)
    if isinstance(run, Reference):
        raise Refused("A paper's table is read only: there is nothing to cancel.")
    principal(request).require(run.plan.site.name, Role.OPERATOR)
    services.cancel_run(run.pk, principal(request).user.get_username(), timezone.now())
    return _detail(request, _any(request, id))


@router.get(
    "/test-runs/{id}/compare",
    response={200: ComparisonOut, **READ},
    operation_id="compare_test_runs",
)
def compare_test_runs(
    request: HttpRequest,
    id: RunId,  # noqa: A002
    other: Annotated[Text, Query(alias="with", description="The run before")],
) -> ComparisonOut:
    """This run against another, cell by cell: what is faster or slower by more than chance."""
    after, before = _any(request, id), _any(request, other)
    told = compared(_cells(before), _cells(after))
    return comparison_out(told, _line(request, before), _line(request, after))


@router.get(
    "/test-runs/{id}/export",
    response={200: None, **READ},
    operation_id="export_test_run",
    openapi_extra={"responses": {200: {"description": "OK", "content": _TABLE}}},
)
def export_test_run(
    request: HttpRequest,
    id: RunId,  # noqa: A002
    format: Literal["csv", "json"] = "csv",  # noqa: A002
) -> HttpResponse:
    """The run as a file: CSV, one line a cell with units in the headings; or JSON, as this API shows it."""
    run = _any(request, id)
    name = run.ident if isinstance(run, Reference) else f"{run.plan.name}-{run.pk}"
    if format == "csv":
        content, kind = as_csv(_cells(run)), "text/csv; charset=utf-8"
    else:
        content, kind = _detail(request, run).model_dump_json(indent=1), "application/json"
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}.{format}"'
    response["Cache-Control"] = "private, no-cache"
    return response


@router.get(
    "/test-grids",
    response={200: Page[TestGridOut], **READ},
    operation_id="list_test_grids",
    tags=["test-grids"],
)
def list_test_grids(request: HttpRequest, query: Query[ListQuery]) -> Page[TestGridOut]:
    """A site's meshes, each as its newest run that has measured anything found it."""
    now = timezone.now()
    meshes = _meshes().filter(site=site_of(request, query.site), removed_at=None)
    meshes = meshes.filter(name__icontains=query.q) if query.q else meshes
    plans, following = query.rows(meshes, _GRID_SORTS, "name")
    return Page(items=[grid_out(run, now) for run in _newest(plans)], next=following)


@router.get(
    "/test-grids/{id}", response={200: TestGridOut, **READ}, operation_id="get_test_grid", tags=["test-grids"]
)
def get_test_grid(request: HttpRequest, id: Id) -> TestGridOut:  # noqa: A002
    """One mesh by its plan: rates both ways, and the host that the pattern points at."""
    plan = found(_meshes().select_related("site").filter(pk=id).first(), "grid")
    see(request, plan.site, "grid")
    return grid_out(_newest([plan])[0], timezone.now())


def _meshes() -> QuerySet[TestPlan]:
    """Plans with a run that has a measured cell."""
    return TestPlan.objects.filter(Exists(_measured().filter(plan=OuterRef("pk"))), shape="mesh")


def _measured() -> QuerySet[TestRun]:
    cell = TestCell.objects.filter(run=OuterRef("pk"), state="done", measured__isnull=False)
    return TestRun.objects.filter(Exists(cell), asked__shape="mesh")


def _newest(plans: list[TestPlan]) -> list[TestRun]:
    """Their newest such runs with cells, in the plans' order; each of them has one."""
    newest = _measured().filter(plan__in=plans).order_by("plan_id", "-pk").distinct("plan_id")
    cells = Prefetch("cells", TestCell.objects.defer("spec", "medium", "resources"))
    by_plan = {run.plan_id: run for run in newest.select_related("plan__site").prefetch_related(cells)}
    return [by_plan[plan.pk] for plan in plans]


def _any(request: HttpRequest, ident: str) -> TestRun | Reference:
    if ident in references():
        return references()[ident]
    number = int(ident) if ident.isascii() and ident.isdigit() and len(ident) < 19 else 0
    run = found(TestRun.objects.filter(pk=number).select_related("plan__site").first(), "test run")
    see(request, run.plan.site, "test run")
    return run


def _cells(run: TestRun | Reference) -> list[CellResult]:
    return list(run.cells) if isinstance(run, Reference) else cells_of(run)


def _line(request: HttpRequest, run: TestRun | Reference) -> TestRunOut:
    if isinstance(run, Reference):
        return reference_out(run)
    may = principal(request).may(run.plan.site.name, Role.OPERATOR)
    return run_out(run, tallies([run]).get(run.pk, Tally()), timezone.now(), may_cancel=may)


def _detail(request: HttpRequest, run: TestRun | Reference) -> TestRunDetail:
    if isinstance(run, Reference):
        return reference_detail(run)
    may = principal(request).may(run.plan.site.name, Role.OPERATOR)
    far = tallies([run]).get(run.pk, Tally())
    return run_detail(run, far, cells_of(run), timezone.now(), may_cancel=may)
