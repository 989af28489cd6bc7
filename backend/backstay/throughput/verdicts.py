"""Verdicts of cells and runs by the diagnosis, stored as documents with their evidence.

Cells of one pair form one matrix; a mesh has one per pair and a grid verdict over all.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from statistics import median
from typing import Any

from django.db import OperationalError, transaction

from backstay.core.diagnosis.throughput.compare import LEAST, regression
from backstay.core.diagnosis.throughput.grid import GridVerdict, judge_grid
from backstay.core.diagnosis.throughput.run import best_used, judge_cell, judge_run, summary
from backstay.core.formatting import count, listing
from backstay.core.model.throughput import Cell, Judged, Medium
from backstay.throughput.models import TestCell, TestRun
from backstay.throughput.values import value

log = logging.getLogger(__name__)
PAST = 30
"""Number of earlier runs to compare with."""
SLOWER_PART = 0.25
"""Share of slower cells that makes the run slower."""
NEW_PART = 5
"""A running run is judged again when 1/5 of its cells are new."""
NOT_OVER = ("queued", "running")


def judge(run: TestRun) -> None:
    """Judge the ended cells and the run; a failing diagnosis gives no verdict and is logged."""
    _try(run, lambda: _judge(run))


def judge_ended(cell: TestCell) -> None:
    """Judge a cell that has just ended, and the whole run when enough cells are new.

    Every new cell can change all verdicts; judging all each time would cost O(n^2).
    """
    run = cell.run
    judged = (run.verdict or {}).get("cells", 0)
    over = run.cells.exclude(state__in=NOT_OVER).count()
    if over >= judged + max(1, judged // NEW_PART):
        judge(run)
    else:
        _try(run, lambda: _judge_alone(cell))


def _try(run: TestRun, work: Callable[[], None]) -> None:
    try:
        with transaction.atomic():
            work()
    except OperationalError:
        raise
    except Exception:
        log.exception("run %s: no verdict could be made", run.pk)


def _judge_alone(cell: TestCell) -> None:
    one = value(cell)
    cell.verdict = _document(judge_cell(one, one.medium or Medium()))
    cell.save(update_fields=["verdict"])


def _judge(run: TestRun) -> None:
    cells = list(run.cells.exclude(state__in=NOT_OVER).order_by("index"))
    groups: dict[str, list[TestCell]] = {}
    for cell in cells:
        groups.setdefault(json.dumps(cell.flows), []).append(cell)
    every: list[Judged] = []
    changed: list[TestCell] = []
    used = ""
    verdict: dict[str, Any] | None = None
    for group in groups.values():
        values, between = matrix(group)
        judged = judge_run(values, between)
        for cell, one in zip(group, judged.cells, strict=True):
            if (document := _document(one)) != cell.verdict:
                cell.verdict = document
                changed.append(cell)
        every += judged.cells
        if len(groups) == 1:
            verdict, used = asdict(judged.verdict), best_used(judged.cells, between)
    TestCell.objects.bulk_update(changed, ["verdict"], batch_size=100)
    run.verdict = {**(verdict or asdict(summary(every))), "used": used, "cells": len(cells)}
    run.save(update_fields=["verdict"])


def matrix(group: Sequence[TestCell]) -> tuple[list[Cell], Medium]:
    """One pair's cells with their paths and the pair's minimum idle round trip."""
    values = [value(cell) for cell in group]
    paths = [one.medium for one in values if one.medium]
    least = min((one.rtt_s for one in paths if one.rtt_s), default=None)
    between = replace(paths[0], rtt_s=least) if paths else Medium()
    return [
        replace(one, medium=replace(one.medium, rtt_s=least)) if one.medium else one for one in values
    ], between


def _document(one: Judged) -> dict[str, Any]:
    """The stored form, in JSON types: equal verdicts compare equal after a read."""
    document = {**asdict(one.verdict), "others": [asdict(other) for other in one.others]}
    found: dict[str, Any] = json.loads(json.dumps(document))
    return found


def compare_with_past(run: TestRun) -> None:
    """Compare a finished run with the plan's earlier runs and store the result."""
    earlier = TestRun.objects.filter(plan=run.plan, state="done", pk__lt=run.pk).order_by("-pk")[:PAST]
    past = [rates for one in earlier if (rates := _rates(one))]
    run.regression = _regression(_rates(run), past)
    run.save(update_fields=["regression"])


def _rates(run: TestRun) -> dict[str, float]:
    """Parameters and ends as text -> median bit/s of repeats."""
    found: dict[str, list[float]] = {}
    for flows, spec, measured in run.cells.filter(state="done").values_list("flows", "spec", "measured"):
        if measured is not None:
            found.setdefault(json.dumps([flows, spec], sort_keys=True), []).append(measured["rate"])
    return {key: median(rates) for key, rates in found.items()}


def _regression(newest: dict[str, float], past: Sequence[dict[str, float]]) -> dict[str, Any] | None:
    """Per cell, and for the run by its cells' shares of their usual rates; None: nothing to compare."""
    usual = {key: median(old) for key in newest if (old := [one[key] for one in past if one.get(key)])}
    if not usual:
        return None
    cells = [regression([one[key] for one in past if key in one], newest[key]) for key in usual]
    typical = median(usual.values())
    whole = regression([_part(one, usual) * typical for one in past], _part(newest, usual) * typical)
    slower = [one for one in cells if one.outcome == "slower"]
    document = asdict(whole)
    if whole.outcome != "slower" and slower and len(slower) >= SLOWER_PART * len(cells):
        worst = min(slower, key=lambda one: one.change)
        text = f"{count(len(slower), 'cell')} of {len(cells)} slower than usual, worst: {worst.sentence}"
        document = {**asdict(worst), "sentence": text}
    return {**document, "cells": len(cells), "slower_cells": len(slower), "runs": len(past), "least": LEAST}


def _part(rates: dict[str, float], usual: dict[str, float]) -> float:
    """Median share of the usual rate over common cells; 0 without common cells."""
    return median([rates[key] / usual[key] for key in usual if key in rates] or [0.0])


def grid(run: TestRun) -> GridVerdict:
    """Grid verdict of a mesh run: best rate per ordered pair of ends."""
    return judge_grid(grid_rates(list(run.cells.all())))


def grid_rates(cells: Sequence[TestCell]) -> dict[tuple[str, str], float | None]:
    """(sender, receiver) -> best rate, bit/s; None: no cell done."""
    found: dict[tuple[str, str], float | None] = {}
    for cell in cells:
        rate = cell.measured["rate"] if cell.state == "done" and cell.measured else None
        for one, other in cell.flows if len(cell.flows) == 1 else ():
            known = found.get((one, other))
            found[one, other] = rate if known is None else max(known, rate or 0.0)
    return found


def outcome(run: TestRun, states: Sequence[str]) -> str:
    """Counts of cells that are not done; empty: all are."""
    bad = sorted({state for state in states if state != "done"})
    document = [f"{count(states.count(state), 'cell')} {state.replace('_', ' ')}" for state in bad]
    return listing(document, most=6)
