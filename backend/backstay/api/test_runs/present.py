"""Throughput tests for clients: our own runs and the papers' tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from backstay.api.http.urls import run_url
from backstay.api.test_runs.schemas import (
    CitationOut,
    ComparisonOut,
    ConclusionOut,
    FlowOut,
    MediumOut,
    NamedVerdict,
    TestAssignmentOut,
    TestCellDetail,
    TestGridOut,
    TestRunDetail,
    TestRunOut,
)
from backstay.core.diagnosis.throughput.compare import Comparison, Point
from backstay.core.formatting import duration, part_of
from backstay.core.model.progress import OPEN_RUNS
from backstay.core.model.state import seconds
from backstay.throughput.verdicts import grid, grid_rates

if TYPE_CHECKING:
    from backstay.throughput.models import TestAssignment, TestCell, TestRun
    from backstay.throughput.selectors import CellResult, Reference, Tally

_SURE = {"high": 2, "medium": 1, "low": 0}


def run_out(run: TestRun, tally: Tally, now: datetime, *, may_cancel: bool) -> TestRunOut:
    """A run; its plan and site are loaded."""
    return TestRunOut.model_validate(_run(run, tally, now, may_cancel))


def run_detail(
    run: TestRun, tally: Tally, cells: Sequence[CellResult], now: datetime, *, may_cancel: bool
) -> TestRunDetail:
    """A run with all cells."""
    more = {"asked": run.asked, "outcome": run.outcome, "citation": None, "conclusions": []}
    return TestRunDetail.model_validate({**_run(run, tally, now, may_cancel), **more, **_cells(cells)})


def _since(run: TestRun) -> datetime:
    return run.ended_at or run.began_at or run.asked_at


def _run(run: TestRun, tally: Tally, now: datetime, may_cancel: bool) -> dict[str, Any]:
    since = _since(run)
    is_open = run.state in OPEN_RUNS
    return {
        "id": str(run.pk),
        "name": f"#{run.pk}",
        "site": run.plan.site.name,
        "plan": run.plan.name,
        "plan_id": run.plan_id,
        "shape": run.asked["shape"],
        "source": run.source,
        "state": run.state,
        "state_text": _text(run, tally),
        "since": since,
        "age_s": seconds(now, since) or 0.0,
        "waits_for": run.waits_for,
        "person": run.person,
        "asked_at": run.asked_at,
        "began_at": run.began_at,
        "ended_at": run.ended_at,
        "cells_total": tally.total,
        "cells_over": tally.over,
        "cells_bad": tally.bad,
        "progress": tally.over / tally.total if tally.total else 0.0,
        "remaining_s": tally.remaining_s if is_open else None,
        "verdict": run.verdict,
        "used": (run.verdict or {}).get("used", ""),
        "regression": run.regression,
        "may_cancel": may_cancel and is_open,
        "url": run_url(run.pk),
    }


def _text(run: TestRun, tally: Tally) -> str:
    if run.state == "queued":
        return "about to start"
    if run.state == "waiting":
        return run.waits_for
    if run.state == "running":
        left = duration(tally.remaining_s)
        return f"{part_of(tally.over, tally.total, 'cell')} done, about {left} left"
    sentence = (run.verdict or {}).get("sentence", "")
    return ": ".join(part for part in (run.outcome, sentence) if part) or run.state


def reference_out(found: Reference) -> TestRunOut:
    """A paper's table in a list."""
    return TestRunOut.model_validate(_reference(found))


def reference_detail(found: Reference) -> TestRunDetail:
    """A paper's table with the paper's conclusions."""
    table = found.run.table
    paper = found.run.paper
    citation = CitationOut(title=paper.title, cite=paper.cite, figure=table.figure, about=table.about)
    names = set(ConclusionOut.model_fields)
    conclusions = [{k: v for k, v in asdict(row).items() if k in names} for row in found.rows]
    more = {"asked": {}, "outcome": "", "citation": citation, "conclusions": conclusions}
    return TestRunDetail.model_validate({**_reference(found), **more, **_cells(found.cells)})


def _reference(found: Reference) -> dict[str, Any]:
    number = len(found.cells)
    return {
        "id": found.ident,
        "name": found.run.key,
        "site": "",
        "plan": f"{found.run.paper.paper}, {found.run.table.figure}",
        "plan_id": None,
        "shape": "",
        "source": "paper",
        "state": "done",
        "state_text": found.verdict["sentence"],
        "since": None,
        "age_s": 0.0,
        "waits_for": "",
        "person": "",
        "asked_at": None,
        "began_at": None,
        "ended_at": None,
        "cells_total": number,
        "cells_over": number,
        "cells_bad": sum(cell.state != "done" for cell in found.cells),
        "progress": 1.0,
        "remaining_s": None,
        "verdict": found.verdict,
        "used": found.used,
        "regression": None,
        "may_cancel": False,
        "url": run_url(found.ident),
    }


def _cells(cells: Sequence[CellResult]) -> dict[str, Any]:
    return {"cells": [_cell(cell) for cell in cells], "verdicts": named(cells)}


def named(cells: Sequence[CellResult]) -> list[NamedVerdict]:
    """Each cause once, with its cells."""
    by_name: dict[str, list[CellResult]] = {}
    for cell in cells:
        if cell.verdict is not None:
            by_name.setdefault(cell.verdict["name"], []).append(cell)
    found = [
        NamedVerdict(name=name, cells=[cell.index for cell in some], sentence=_surest(some))
        for name, some in by_name.items()
    ]
    return sorted(found, key=lambda item: -len(item.cells))


def _surest(cells: Sequence[CellResult]) -> str:
    verdicts = [cell.verdict for cell in cells if cell.verdict is not None]
    return str(max(verdicts, key=lambda one: _SURE[one["confidence"]])["sentence"])


def _cell(cell: CellResult) -> dict[str, Any]:
    measured = cell.value.measured
    flow_paths = cell.paths or [[] for _ in cell.flows]
    return {
        "index": cell.index,
        "key": cell.value.key,
        "flows": [
            FlowOut(sender=one, receiver=other, path=path)
            for (one, other), path in zip(cell.flows, flow_paths, strict=True)
        ],
        "parameters": asdict(cell.parameters),
        "state": cell.state,
        "detail": cell.detail,
        "start_at": cell.start_at,
        "ended_at": cell.ended_at,
        "expected_s": cell.seconds,
        "rate": cell.rate,
        "used": cell.used,
        "measured": None if measured is None else asdict(measured),
        "medium": MediumOut.model_validate(asdict(cell.medium)),
        "verdict": cell.verdict,
    }


def cell_detail(cell: CellResult, parts: Sequence[TestAssignment]) -> TestCellDetail:
    """One cell and the part of each node; the nodes of `parts` are loaded."""
    return TestCellDetail.model_validate({**_cell(cell), "assignments": [_assignment(row) for row in parts]})


def _assignment(row: TestAssignment) -> TestAssignmentOut:
    report = row.report
    late_us = report.get("late_us")
    return TestAssignmentOut.model_validate(
        {
            "id": row.pk,
            "node": row.node.name,
            "node_id": row.node_id,
            "role": row.role,
            "flow": row.flow,
            "state": row.state,
            "detail": row.detail,
            "reported_at": row.reported_at,
            "started": row.started,
            "ended": row.ended,
            "late_ms": None if late_us is None else late_us / 1000,
            "program": report.get("program", ""),
            "command": report.get("command", ""),
            "host": report.get("host"),
            "ports": report.get("ports", []),
            "result": report.get("result"),
        }
    )


def comparison_out(comparison: Comparison, before: TestRunOut, after: TestRunOut) -> ComparisonOut:
    """A comparison of two runs."""
    return ComparisonOut.model_validate(
        {
            "before": before,
            "after": after,
            "outcome": comparison.outcome,
            "change": comparison.change,
            "sentence": comparison.sentence,
            "differences": [
                {**asdict(one), "flows": _ends(one.point), "parameters": asdict(one.point.parameters)}
                for one in comparison.differences
            ],
            "only_before": [_point(one) for one in comparison.only_before],
            "only_after": [_point(one) for one in comparison.only_after],
        }
    )


def _point(point: Point) -> dict[str, Any]:
    return {**asdict(point.parameters), "flows": _ends(point)}


def _ends(point: Point) -> list[dict[str, str]]:
    return [{"sender": one, "receiver": other} for one, other in point.ends]


def grid_out(run: TestRun, now: datetime) -> TestGridOut:
    """A mesh run as a grid; its plan, site and cells are loaded."""
    cells = list(run.cells.all())
    rates, verdict, since = grid_rates(cells), grid(run), _since(run)
    pairs: dict[tuple[str, str], list[TestCell]] = {}
    for cell in cells:
        for one, other in cell.flows:
            pairs.setdefault((one, other), []).append(cell)
    return TestGridOut.model_validate(
        {
            "id": run.plan_id,
            "name": run.plan.name,
            "site": run.plan.site.name,
            "state": run.state,
            "since": since,
            "age_s": seconds(now, since) or 0.0,
            "plan_id": run.plan_id,
            "run": str(run.pk),
            "hosts": run.asked["senders"],
            "cells": [
                {
                    "sender": one,
                    "receiver": other,
                    "rate": rates.get((one, other)),
                    "cells": [cell.index for cell in mine],
                    "states": [cell.state for cell in mine],
                    "verdict": _best_verdict(mine),
                }
                for (one, other), mine in pairs.items()
            ],
            "usual": verdict.usual,
            "sentence": verdict.sentence,
            "suspects": [asdict(suspect) for suspect in verdict.suspects],
            "url": f"/tests/grids/{run.plan_id}",
        }
    )


def _best_verdict(cells: Sequence[TestCell]) -> str:
    """The verdict of the displayed cell; if none is done, why the first is not."""
    done = [(cell.measured["rate"], cell) for cell in cells if cell.state == "done" and cell.measured]
    known = [max(done, key=lambda one: one[0])[1]] if done else cells
    return next((cell.verdict["name"] for cell in known if cell.verdict), "")
