"""Comparison of our verdicts with the papers' conclusions, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from backstay.core.diagnosis.throughput.compare import compare
from backstay.core.diagnosis.throughput.run import judge_run, summary
from backstay.core.formatting import listing, rate
from backstay.core.model.throughput import Cell, Judged, Verdict
from backstay.throughput.papers.load import ReferenceRun, reference_runs
from backstay.throughput.papers.schema import ComparisonFacts, Expected, Range, RowFacts


@dataclass(frozen=True, slots=True)
class Agreement:
    """One row: the paper's conclusion, our verdict, and whether they agree."""

    run: str
    """`cern96/fig4`."""
    figure: str
    row: str
    paper: str
    expected: str
    verdict: str
    confidence: str
    sentence: str
    agrees: bool
    why_not: str = ""


def agreements(runs: Sequence[ReferenceRun] = ()) -> list[Agreement]:
    """Every row and comparison of the papers, in the files' order."""
    every = runs or reference_runs()
    cells = {f"{run.key}/{cell.key}": cell for run in every for cell in run.cells}
    return [one for run in every for one in (*_rows(run), *_comparisons(run, cells))]


def row_cells(row: RowFacts, judged: Iterable[Judged]) -> list[Judged]:
    """The cells that a conclusion is about."""
    return [
        one
        for one in judged
        if (row.buffer is None or one.cell.parameters.buffer == row.buffer)
        and (not row.cells or one.cell.key in row.cells)
    ]


def _rows(run: ReferenceRun) -> list[Agreement]:
    judged = judge_run(run.cells, run.medium).cells
    return [_row(run, row, summary(row_cells(row, judged))) for row in run.table.rows]


def _row(run: ReferenceRun, row: RowFacts, verdict: Verdict) -> Agreement:
    why = _disagreement(row.expected, verdict)
    return Agreement(
        run.key,
        run.table.figure,
        row.name,
        row.paper,
        row.expected.verdict,
        verdict.name,
        verdict.confidence,
        verdict.sentence,
        not why,
        why,
    )


def _disagreement(expected: Expected, verdict: Verdict) -> str:
    """Why a verdict differs from the expected one; empty: it agrees."""
    if verdict.name != expected.verdict:
        return f"{verdict.name} instead of {expected.verdict}"
    if expected.suspect and verdict.suspect != expected.suspect:
        return f"names {verdict.suspect or 'no suspect'} instead of {expected.suspect}"
    outside = [
        f"{name} {verdict.numbers.get(name, float('nan')):.6g} outside {low:g}..{high:g}"
        for name, (low, high) in expected.numbers.items()
        if not low <= verdict.numbers.get(name, float("nan")) <= high
    ]
    return ", ".join(outside)


def _comparisons(run: ReferenceRun, cells: Mapping[str, Cell]) -> list[Agreement]:
    return [_comparison(run, one, cells) for one in run.table.comparisons]


def _comparison(run: ReferenceRun, facts: ComparisonFacts, cells: Mapping[str, Cell]) -> Agreement:
    before = [_found(run, key, cells) for key in facts.before]
    after = [_found(run, key, cells) for key in facts.after]
    # The parameters differ on purpose: use the old ones, so that the cells can be compared.
    same = [replace(new, parameters=old.parameters) for old, new in zip(before, after, strict=True)]
    found = compare(before, same)
    assert found is not None
    why = "" if found.outcome == facts.expected else f"{found.outcome} instead of {facts.expected}"
    if not why and facts.change and not _inside(found.change, facts.change):
        why = f"changed by {found.change:.3f}"
    sentence = f"{found.sentence} {_rates(before, after)}"
    return Agreement(
        run.key,
        run.table.figure,
        facts.name,
        facts.paper,
        facts.expected,
        found.outcome,
        "",
        sentence,
        not why,
        why,
    )


def _found(run: ReferenceRun, key: str, cells: Mapping[str, Cell]) -> Cell:
    return cells[f"{run.paper.paper}/{key}" if "/" in key else f"{run.key}/{key}"]


def _inside(value: float, allowed: Range) -> bool:
    return allowed[0] <= value <= allowed[1]


def _rates(before: Sequence[Cell], after: Sequence[Cell]) -> str:
    def rates(cells: Sequence[Cell]) -> str:
        return listing([rate(one.measured.rate) for one in cells if one.measured])

    return f"{rates(before)}, then {rates(after)}."
