"""Compare two runs cell by cell: which cells became significantly faster or slower."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from statistics import median
from typing import Any, Literal

from backstay.core.diagnosis.throughput.matrix import stated
from backstay.core.diagnosis.throughput.robust_statistics import spread
from backstay.core.formatting import count, listing, part_of, rate, share
from backstay.core.model.throughput import Cell, Ends, Measured, Parameters

Outcome = Literal["faster", "slower", "same"]
Trend = Literal["too_few", "usual", "slower", "faster"]
CHANCE = 0.05
"""Smaller differences are never reported, whatever the spread of the seconds."""


@dataclass(frozen=True, slots=True)
class Point:
    """Identity of a cell across runs."""

    parameters: Parameters
    ends: Ends = ()


@dataclass(frozen=True, slots=True)
class CellDifference:
    """One cell in both runs."""

    point: Point
    """As in the first run."""
    before: float
    after: float
    """Bit/s."""
    change: float
    """after / before - 1"""
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Comparison:
    outcome: Outcome
    change: float
    """Median over the cells in both runs."""
    differences: tuple[CellDifference, ...]
    only_before: tuple[Point, ...]
    only_after: tuple[Point, ...]
    sentence: str


def compare(before: Iterable[Cell], after: Iterable[Cell]) -> Comparison | None:
    """Compare cells with the same ends and parameters; None if the runs have no cell in common.

    A setting that is constant in each run but differs between the runs (the ends, the medium's MTU, the kind
    of test) is reported as a difference of the runs. It does not prevent cells from matching.
    """
    first, second = _by_point(before), _by_point(after)
    apart = _apart(first, second)
    second = {_as_before(key, apart): measured for key, measured in second.items()}
    both = [one for one in first if one in second]
    if not both:
        return None
    differences = tuple(_difference(one, first[one], second[one]) for one in both)
    change = median(one.change for one in differences)
    named = [one for one in differences if one.outcome != "same"]
    faster = sum(one.outcome == "faster" for one in named)
    outcome = _overall(change, faster, len(named) - faster, len(differences))
    return Comparison(
        outcome,
        change,
        differences,
        tuple(one for one in first if one not in second),
        tuple(one for one in second if one not in first),
        _sentence(outcome, change, faster, len(named) - faster, len(differences)) + _run_differences(apart),
    )


def _apart(first: Iterable[Point], second: Iterable[Point]) -> dict[str, Any]:
    """Parameter, or "ends" -> its value in the first run, where the second run has another constant value."""
    found: dict[str, Any] = {}
    for name in ("ends", *(field.name for field in fields(Parameters))):
        ours, theirs = ({_setting(one, name) for one in cells} for cells in (first, second))
        if len(ours) == len(theirs) == 1 and ours != theirs:
            found[name] = ours.pop()
    return found


def _setting(point: Point, name: str) -> Any:
    return point.ends if name == "ends" else getattr(point.parameters, name)


def _as_before(point: Point, apart: Mapping[str, Any]) -> Point:
    settings = {name: one for name, one in apart.items() if name != "ends"}
    return Point(replace(point.parameters, **settings), apart.get("ends", point.ends))


def _run_differences(apart: Iterable[str]) -> str:
    labels = [name.replace("_", " ") for name in apart]
    return f" The runs also differ in {listing(labels)}." if labels else ""


def _by_point(cells: Iterable[Cell]) -> dict[Point, Measured]:
    """The median of repeated cells."""
    found: dict[Point, list[Measured]] = {}
    for cell in cells:
        if (measured := stated(cell)) and measured.rate > 0:
            found.setdefault(Point(cell.parameters, cell.ends), []).append(measured)
    return {key: sorted(some, key=lambda one: one.rate)[len(some) // 2] for key, some in found.items()}


def _difference(point: Point, before: Measured, after: Measured) -> CellDifference:
    change = after.rate / before.rate - 1
    return CellDifference(point, before.rate, after.rate, change, _outcome(change, _noise(before, after)))


def _noise(before: Measured, after: Measured) -> float:
    """Three standard errors of both means, from the spread of their seconds."""
    errors = [spread(one.seconds) ** 2 / len(one.seconds) for one in (before, after) if len(one.seconds) > 2]
    return max(CHANCE, 3 * math.sqrt(sum(errors)))


def _outcome(change: float, noise: float) -> Outcome:
    if abs(change) <= noise:
        return "same"
    return "faster" if change > 0 else "slower"


def _overall(change: float, faster: int, slower: int, cells: int) -> Outcome:
    """The outcome of most cells, if the median agrees."""
    if 2 * faster > cells and change > 0:
        return "faster"
    return "slower" if 2 * slower > cells and change < 0 else "same"


def _sentence(outcome: Outcome, change: float, faster: int, slower: int, cells: int) -> str:
    if outcome == "same":
        return f"No overall difference: of {count(cells, 'cell')} {faster} faster, {slower} slower."
    agreeing = faster if outcome == "faster" else slower
    return f"{outcome.capitalize()} by {share(abs(change))} (median): {part_of(agreeing, cells, 'cell')}."


LEAST = 5
"""Fewer earlier runs do not give a usual rate."""
DEVIATIONS = 4.0
SMALLEST = 0.05
"""Fraction of the median; a smaller change is never a regression, however stable the earlier runs."""
_MAD = 1.4826


@dataclass(frozen=True, slots=True)
class Regression:
    """The newest rate compared with earlier runs."""

    outcome: Trend
    usual: float
    """Median of the earlier runs, bit/s; 0 if there are none."""
    change: float
    """newest / usual - 1"""
    deviations: float
    sentence: str


def regression(past: Sequence[float], newest: float) -> Regression:
    """`past`: rates of finished cells with the same parameters, bit/s, in any order."""
    if len(past) < LEAST:
        text = f"{count(len(past), 'earlier run')}: {LEAST} are needed for a baseline."
        return Regression("too_few", median(past) if past else 0.0, 0.0, 0.0, text)
    usual = median(past)
    deviation = max(_MAD * median([abs(one - usual) for one in past]), SMALLEST / DEVIATIONS * usual)
    distance = (newest - usual) / deviation if deviation else 0.0
    change = newest / usual - 1 if usual else 0.0
    if abs(distance) <= DEVIATIONS:
        text = f"Usual: {rate(newest)} where {rate(usual)} is the median of {len(past)} runs."
        return Regression("usual", usual, change, distance, text)
    slower = distance < 0
    text = (
        f"{'Slower' if slower else 'Faster'} than usual by {share(abs(change))}: {rate(newest)} where "
        f"{rate(usual)} is the median of {len(past)} runs ({abs(distance):.0f} deviations)."
    )
    return Regression("slower" if slower else "faster", usual, change, distance, text)
