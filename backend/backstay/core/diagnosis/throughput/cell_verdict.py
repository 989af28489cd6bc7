"""Verdict of one cell: evaluate every cause, drop effects of other causes, detect ties and missing data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backstay.core.diagnosis.throughput.causes.unstable import WILD
from backstay.core.diagnosis.throughput.facts import NEAR, Facts
from backstay.core.diagnosis.throughput.matrix import Matrix, stated
from backstay.core.diagnosis.throughput.registry import CAUSES, EXPLAINS, SHAPES, STEADINESS
from backstay.core.formatting import listing, rate, share
from backstay.core.model.throughput import Cell, Confidence, Judged, Verdict, VerdictEvidence

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


def inconclusive(facts: Facts, rivals: Sequence[Verdict] = ()) -> Verdict:
    """The observed rate, the evidence for each rival cause, and the missing measurements."""
    if facts.as_offered:
        return Verdict(
            "inconclusive",
            "high",
            f"Inconclusive: {rate(facts.rate)} was measured, as much as was offered; no limit was reached.",
            "Increase the offered rate.",
            numbers={"rate": facts.rate},
        )
    if rivals:
        names = [one.sentence.split(":")[0].lower() for one in rivals]
        text = f"{rate(facts.rate)} fits {listing(names)}; the evidence does not decide between them"
    else:
        used = f", {share(facts.used)} of the medium" if facts.used is not None else ""
        text = f"{rate(facts.rate)}{used}; no cause explains it"
    return Verdict(
        "inconclusive",
        "low",
        f"Inconclusive: {text}.",
        f"Measure {listing(_wanted(facts), 3)}.",
        tuple(VerdictEvidence(one.sentence) for one in rivals),
        {"rate": facts.rate},
    )


def unmeasured(cell: Cell) -> Verdict:
    return Verdict(
        "inconclusive",
        "high",
        f"Inconclusive: not measured ({cell.state.replace('_', ' ')}).",
        "Run the cell again.",
    )


def _wanted(facts: Facts) -> list[str]:
    """Missing measurements, the most decisive first."""
    alike = facts.matrix.alike
    lacking = {
        "the capacity of the medium": facts.available is None,
        "the CPU load of both ends and of the gateways": not facts.measured.cpu,
        "the idle round trip": facts.idle_rtt is None and facts.set.load != "datagrams",
        "the window": facts.window is None and facts.set.load in {"stream", "blocks"},
        "retransmits": facts.loss is None and facts.set.load == "stream",
        "one, two and four streams": len(facts.over_streams()) < 3,
        "a larger buffer": bool(facts.set.buffer) and len(alike(facts.cell, "buffer")) < 2,
        "other sizes": facts.set.size is not None and len(alike(facts.cell, "size")) < 3,
        "the other direction": len(alike(facts.cell, "direction")) < 2,
        "repeats on a quiet path": True,
    }
    if facts.used is not None and facts.used > NEAR:
        lacking["the rate of each hop"] = not facts.medium.hops
    return [what for what, missing in lacking.items() if missing]
