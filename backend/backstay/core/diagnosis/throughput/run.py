"""Verdict of a run: the limit of most of its explained cells, and the limits of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from backstay.core.diagnosis.throughput.causes.shapes import ONE_SIDED
from backstay.core.diagnosis.throughput.cell_verdict import RANK, judge
from backstay.core.diagnosis.throughput.matrix import Matrix, stated
from backstay.core.formatting import rate, share
from backstay.core.model.throughput import (
    Cell,
    Confidence,
    Judged,
    Medium,
    Verdict,
    VerdictEvidence,
    VerdictName,
)
from backstay.core.model.throughput_kinds import Direction

_SHAPES = frozenset({"fair_share", "scaling", "one_direction", "unstable", "inconclusive"})


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """Verdicts of a run and of its cells, in cell order."""

    verdict: Verdict
    cells: tuple[Judged, ...]


def judge_cell(cell: Cell, medium: Medium) -> Judged:
    """Evaluate a single cell without a matrix."""
    return judge(cell, Matrix((cell,), medium))


def judge_run(cells: Iterable[Cell], medium: Medium) -> RunVerdict:
    """Evaluate every cell in the matrix, and the run."""
    every = tuple(cells)
    matrix = Matrix(every, medium)
    judged = tuple(judge(cell, matrix) for cell in every)
    return RunVerdict(summary(judged), judged)


def summary(judged: Sequence[Judged]) -> Verdict:
    """One verdict for cells of a run (such as a row): by number of cells, then by confidence."""
    named = [one for one in judged if one.verdict.name != "inconclusive"]
    verdict = _most(named, judged) if named else _none(judged)
    return _directions(judged, verdict) or verdict


def _most(named: Sequence[Judged], judged: Sequence[Judged]) -> Verdict:
    counted = Counter(one.verdict.name for one in named)
    weight = {name: (counted[name], *_weight(_of(named, name))) for name in counted}
    first, *rest = _below_the_medium(sorted(counted, key=lambda name: weight[name], reverse=True), named)
    if rest and weight[rest[0]] == weight[first]:
        return _torn(named, [first, rest[0]])
    clearest = max(
        _of(named, first), key=lambda one: (RANK[one.verdict.confidence], one.verdict.numbers["rate"])
    )
    found = clearest.verdict
    others = [
        VerdictEvidence(
            f"{counted[name]} of {len(judged)} cells, such as: {_of(named, name)[0].verdict.sentence}"
        )
        for name in rest
    ]
    full = 0 if first == "medium_limited" else counted["medium_limited"]
    part = counted[first] / (len(judged) - full)
    full_cells = f" In {full} the medium is full." if full else ""
    covers = [
        VerdictEvidence(f"This applies to {counted[first]} of {len(judged)} cells.{full_cells}", part >= 0.5)
    ]
    return replace(
        found,
        confidence=_lowered(found.confidence, part, counted[first] / (len(named) - full)),
        evidence=(*found.evidence, *(covers if len(judged) > 1 else ()), *others),
    )


def _below_the_medium(names: list[VerdictName], named: Sequence[Judged]) -> list[VerdictName]:
    """Prefer a mechanism to a full medium if it holds a quarter of the cells with high confidence: a medium
    that many streams fill does not limit the cells with fewer streams.
    """
    if names[0] != "medium_limited":
        return names
    sure = [
        name
        for name in names[1:]
        if name not in _SHAPES
        and 4 * len(_of(named, name)) >= len(named)
        and any(one.verdict.confidence == "high" for one in _of(named, name))
    ]
    return [*sure[:1], *(name for name in names if name not in sure[:1])]


def _weight(judged: Sequence[Judged]) -> tuple[int, bool, bool]:
    """Sort key for names with equal counts: higher confidence first, then mechanisms before shapes, then
    causes that can be fixed (not a full medium).
    """
    sure, name = max(RANK[one.verdict.confidence] for one in judged), judged[0].verdict.name
    return sure, name not in _SHAPES, name != "medium_limited"


def _lowered(confidence: Confidence, of_all: float, of_named: float) -> Confidence:
    """Limit the confidence by the share of cells that this cause explains."""
    if of_named < 0.5 or of_all < 0.25:
        return "low"
    return "medium" if of_all < 0.5 and confidence == "high" else confidence


def _of(judged: Sequence[Judged], name: VerdictName) -> list[Judged]:
    return [one for one in judged if one.verdict.name == name]


def _torn(named: Sequence[Judged], names: Sequence[VerdictName]) -> Verdict:
    first = [_of(named, name)[0].verdict for name in names]
    return Verdict(
        "inconclusive",
        "low",
        "Inconclusive: two causes apply to equally many cells.",
        "Measure more cells between them (streams, buffers), and repeat.",
        tuple(VerdictEvidence(one.sentence) for one in first),
    )


def _none(judged: Sequence[Judged]) -> Verdict:
    """The best cell's own verdict, which names the missing measurement."""
    if not judged:
        return Verdict("inconclusive", "high", "Inconclusive: the run has no cells.", "Run the test.")
    return max(judged, key=lambda one: one.verdict.numbers.get("rate", -1.0)).verdict


def _directions(judged: Sequence[Judged], verdict: Verdict) -> Verdict | None:
    """If the best rates of both directions differ greatly: the slow direction's confirmed cause, otherwise
    `one_direction`.
    """
    direction_count = {side: _best(judged, side) for side in ("forward", "reverse")}
    forward, reverse = direction_count["forward"], direction_count["reverse"]
    if forward is None or reverse is None:
        return None
    slow, fast = sorted((forward, reverse), key=_rate)
    if _rate(fast) < ONE_SIDED * _rate(slow):
        return None
    side, ratio = slow.cell.parameters.direction, _rate(fast) / _rate(slow)
    cells = [one for one in judged if one.cell.parameters.direction == side]
    if slow.verdict.name not in _SHAPES and slow.verdict.confidence == "high":
        other = VerdictEvidence(f"The other direction carries {rate(_rate(fast))} at best.")
        return replace(slow.verdict, evidence=(*slow.verdict.evidence, other))
    return Verdict(
        "one_direction",
        "high" if len(cells) > 2 else "medium",
        f"One direction only: {rate(_rate(slow))} at best in this direction ({side}),"
        f" {rate(_rate(fast))} in the other.",
        "Compare both directions: receiver CPU, port drops, return route.",
        (
            VerdictEvidence(f"The other direction carries {ratio:.1f} times as much at best."),
            VerdictEvidence(f"This direction: {slow.verdict.sentence}"),
        ),
        {
            **verdict.numbers,
            **slow.verdict.numbers,
            "rate": _rate(slow),
            "other": _rate(fast),
            "ratio": ratio,
        },
    )


def _best(judged: Sequence[Judged], side: Direction) -> Judged | None:
    this = [one for one in judged if one.cell.parameters.direction == side and stated(one.cell)]
    return max(this, key=_rate, default=None)


def _rate(one: Judged) -> float:
    measured = one.cell.measured
    return measured.rate if measured else 0.0


def used_share(cell: Cell, medium: Medium) -> float | None:
    """Share of the available rate that a cell used, 0..; above 1 if the declared rate is wrong; None if
    unknown.
    """
    matrix = Matrix((cell,), medium)
    place, measured = matrix.room(cell), stated(cell)
    if place is None or measured is None:
        return None
    return measured.rate / (place.available(measured.rate) or place.usable)


def best_used(judged: Sequence[Judged], medium: Medium) -> str:
    """`91 % of usable at best`; empty if the usable rate is unknown."""
    matrix = Matrix((one.cell for one in judged), medium)
    shares = [part for cell in matrix.cells if (part := used_share(cell, medium)) is not None]
    if matrix.refuted:
        return "more than the declared usable rate"
    return f"{share(max(shares))} of usable at best" if shares else ""
