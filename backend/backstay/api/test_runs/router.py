"""Test runs with cells and verdicts; `?source=paper`: the papers' tables."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router

from backstay.api.http.auth import Lookup, found, is_operator, require_operator, site_of
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
    TestCellDetail,
    TestGridOut,
    TestRunDetail,
    TestRunOut,
)
from backstay.core.errors import Refused
from backstay.core.model.progress import RunSource, RunState
from backstay.throughput import selectors, services
from backstay.throughput.export import as_csv
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
_run = Lookup("test run", selectors.run, lambda run: run.plan.site)
_mesh = Lookup("grid", selectors.mesh)
SORTS = {
    "name": Column("id"),
    "state": Column("state"),
    "asked": Column("asked_at"),
    "plan": Column("plan__name", natural=True),
    "began": Column("began_or_asked"),
    "ended": Column("ended_or_asked"),
    "source": Column("source"),
    "used": Column("best_percent", nullable=True),
}
_PAPER_SORTS: dict[str, Callable[[TestRunOut], Any]] = {
    "began": lambda run: run.began_at,
    "ended": lambda run: run.ended_at,
    "name": lambda run: run.name,
    "state": lambda run: run.state,
    "asked": lambda run: run.asked_at,
    "plan": lambda run: run.plan,
    "source": lambda run: run.source,
    "used": lambda run: run.used or None,
}
_GRID_SORTS = {"name": Column("name")}
RunId = Text
StateFilter = RunState | Literal["current"]
_TABLE = {"text/csv": {"schema": {"type": "string"}}, "application/json": {"schema": {"type": "object"}}}


class TestRunQuery(ListQuery):
    """Filters of `list_test_runs`."""

    plan: Id | None = None
    state: StateFilter | None = None
    source: RunSource | None = None
    verdict: Text | None = None


@router.get("/test-runs", response={200: Page[TestRunOut], **READ}, operation_id="list_test_runs")
def list_test_runs(request: HttpRequest, query: Query[TestRunQuery]) -> Page[TestRunOut]:
    """A site's runs, newest first; `source=paper` lists the papers' tables.

    Papers' tables belong to no site and no plan, and all are done: every site lists the same ones, and
    `plan` or another `state` lists none.
    """
    row, now = site_of(request, query.site), timezone.now()
    if query.source == "paper":
        fit = query.plan is None and query.state in {None, "done"}
        items = [reference_out(reference) for reference in references().values()] if fit else []
        items = [item for item in items if query.matches(item.name, item.plan)]
        if query.verdict is not None:
            items = [item for item in items if item.verdict and item.verdict.name == query.verdict]
        return query.page(items, _PAPER_SORTS, lambda run: run.id, "name")
    known = selectors.runs_of(
        row,
        plan=query.plan,
        source=query.source,
        state=query.state,
        verdict=query.verdict,
        text=query.q,
    )
    rows, following = query.rows(known, SORTS, "-name")
    may, far = is_operator(request, row), tallies(rows)
    return Page(
        items=[run_out(run, far.get(run.pk, Tally()), now, may_cancel=may) for run in rows], next=following
    )


@router.get("/test-runs/{id}", response={200: TestRunDetail, **READ}, operation_id="get_test_run")
def get_test_run(request: HttpRequest, id: RunId) -> TestRunDetail:  # noqa: A002  (the name in the path)
    """One run with its cells and verdicts; a paper's table also with the paper's conclusions."""
    return _detail(request, _any(request, id))


@router.get(
    "/test-runs/{id}/cells/{index}", response={200: TestCellDetail, **READ}, operation_id="get_test_cell"
)
def get_test_cell(request: HttpRequest, id: RunId, index: int) -> TestCellDetail:  # noqa: A002
    """One cell with the report of each node."""
    run = _any(request, id)
    cell = found(run.cell(index) if isinstance(run, Reference) else cell_of(run, index), "cell")
    return cell_detail(cell, selectors.assignments_of(cell.ident))


@router.post("/test-runs/{id}/cancel", response={200: TestRunDetail, **WRITE}, operation_id="cancel_test_run")
@idempotent
def cancel_test_run(request: HttpRequest, id: RunId) -> TestRunDetail:  # noqa: A002
    """End a run at once: its agents stop. Measurements are kept. Needs operator at the site."""
    run = _any(request, id)
    if isinstance(run, Reference):
        raise Refused("A paper's table is read only: there is nothing to cancel.")
    services.cancel_run(run.pk, require_operator(request, run.plan.site), timezone.now())
    return _detail(request, _any(request, id))


@router.get(
    "/test-runs/{id}/compare",
    response={200: ComparisonOut, **READ},
    operation_id="compare_test_runs",
)
def compare_test_runs(
    request: HttpRequest,
    id: RunId,  # noqa: A002
    other: Annotated[Text, Query(alias="with", description="The earlier run")],
) -> ComparisonOut:
    """Compare two runs cell by cell: which cells are significantly faster or slower."""
    after, before = _any(request, id), _any(request, other)
    comparison = compared(_cells(before), _cells(after))
    return comparison_out(comparison, _line(request, before), _line(request, after))


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
    """The run as a file: CSV, one line per cell with units in the headings; or JSON, as in this API."""
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
    """A site's meshes, each from its latest run with results."""
    now = timezone.now()
    meshes = selectors.meshes_of(site_of(request, query.site), query.q)
    plans, following = query.rows(meshes, _GRID_SORTS, "name")
    return Page(items=[grid_out(run, now) for run in selectors.newest_mesh_runs(plans)], next=following)


@router.get(
    "/test-grids/{id}", response={200: TestGridOut, **READ}, operation_id="get_test_grid", tags=["test-grids"]
)
def get_test_grid(request: HttpRequest, id: Id) -> TestGridOut:  # noqa: A002
    """The mesh of a plan: rates in both directions, and the suspected host."""
    return grid_out(selectors.newest_mesh_runs([_mesh(request, id)])[0], timezone.now())


def _any(request: HttpRequest, ident: str) -> selectors.AnyRun:
    if ident in references():
        return references()[ident]
    number = int(ident) if ident.isascii() and ident.isdigit() and len(ident) < 19 else 0
    return _run(request, number)


def _cells(run: selectors.AnyRun) -> list[CellResult]:
    return list(run.cells) if isinstance(run, Reference) else cells_of(run)


def _line(request: HttpRequest, run: selectors.AnyRun) -> TestRunOut:
    if isinstance(run, Reference):
        return reference_out(run)
    may = is_operator(request, run.plan.site)
    return run_out(run, tallies([run]).get(run.pk, Tally()), timezone.now(), may_cancel=may)


def _detail(request: HttpRequest, run: selectors.AnyRun) -> TestRunDetail:
    if isinstance(run, Reference):
        return reference_detail(run)
    may = is_operator(request, run.plan.site)
    far = tallies([run]).get(run.pk, Tally())
    return run_detail(run, far, cells_of(run), timezone.now(), may_cancel=may)
