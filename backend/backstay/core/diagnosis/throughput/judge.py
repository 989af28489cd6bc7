"""Verdict of one cell: evaluate every cause, drop the effects of other causes, and detect ties."""

from __future__ import annotations

from dataclasses import replace

from backstay.core.diagnosis.throughput.causes.missing import inconclusive, unmeasured
from backstay.core.diagnosis.throughput.causes.unstable import WILD
from backstay.core.diagnosis.throughput.facts import Facts
from backstay.core.diagnosis.throughput.matrix import Matrix, stated
from backstay.core.diagnosis.throughput.registry import CAUSES, EXPLAINS, SHAPES, STEADINESS
from backstay.core.model.throughput import Cell, Confidence, Judged, Verdict

RANK: dict[Confidence, int] = {"high": 2, "medium": 1, "low": 0}


def judge(cell: Cell, matrix: Matrix) -> Judged:
    """Evaluate a cell in its matrix."""
    if stated(cell) is None:
        return Judged(cell, unmeasured(cell))
    facts = Facts(cell, matrix)
    found = [verdict for cause in CAUSES.values() if (verdict := cause(facts))]
    if not any(RANK[one.confidence] for one in found):
        found += _shapes(facts, alone=not found)
    verdict = _chosen(facts, found)
    steadiness = STEADINESS(facts)
    if steadiness:
        verdict = _doubted(verdict, steadiness)
    others = sorted((one for one in found if one.name != verdict.name), key=lambda one: -RANK[one.confidence])
    return Judged(cell, verdict, tuple(others))


def _shapes(facts: Facts, *, alone: bool) -> list[Verdict]:
    """The first matching shape; "scaling" counts only if no cause matches at all."""
    found = (one for shape in SHAPES.values() if (one := shape(facts)))
    return [one for one in [next(found, None)] if one and (alone or one.name != "scaling")]


def _chosen(facts: Facts, found: list[Verdict]) -> Verdict:
    left = [one for one in found if not any(_explains(other, one) for other in found)]
    if facts.as_offered or not left:
        return inconclusive(facts)
    best = max(RANK[one.confidence] for one in left)
    top = [one for one in left if RANK[one.confidence] == best]
    return top[0] if len(top) == 1 else inconclusive(facts, top)


def _explains(cause: Verdict, effect: Verdict) -> bool:
    """A cause explains an effect only if its confidence is at least as high."""
    fits = effect.name in EXPLAINS.get(cause.name, frozenset())
    return fits and RANK[cause.confidence] >= RANK[effect.confidence]


def _doubted(verdict: Verdict, steadiness: Verdict) -> Verdict:
    """Unsteady rates lower the confidence of a cause; at `WILD` spread no cause is named."""
    wild = steadiness.numbers["spread"] >= WILD and verdict.name != "loss_limited"
    if wild or verdict.name == "inconclusive" or verdict.confidence == "low":
        return steadiness
    against = tuple(replace(one, supports=False) for one in steadiness.evidence)
    return replace(verdict, confidence="low", evidence=(*verdict.evidence, *against))
