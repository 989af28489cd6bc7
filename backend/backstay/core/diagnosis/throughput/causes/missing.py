"""Inconclusive verdicts: no cause matches, or several do; the measurement that would decide."""

from __future__ import annotations

from collections.abc import Sequence

from backstay.core.diagnosis.throughput.facts import NEAR, Facts
from backstay.core.formatting import listing, rate, share
from backstay.core.model.throughput import Cell, Evidence, Verdict


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
        tuple(Evidence(one.sentence) for one in rivals),
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
