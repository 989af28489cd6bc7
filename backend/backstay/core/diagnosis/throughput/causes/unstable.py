"""Unstable: the per-second rates, or repeated cells, differ too much."""

from __future__ import annotations

from statistics import median

from backstay.core.diagnosis.throughput.facts import Facts
from backstay.core.diagnosis.throughput.robust_statistics import spread
from backstay.core.formatting import rate, share
from backstay.core.model.throughput import Verdict, VerdictEvidence

WILD, UNSTEADY = 0.5, 0.3
"""Spread (standard deviation / mean) of a cell's per-second rates."""
_REPEATS = 0.3


def unstable(facts: Facts) -> Verdict | None:
    """By per-second rates, or by three or more repeats."""
    seconds = facts.seconds_spread or 0.0
    again = [one.measured.rate for one in facts.matrix.alike(facts.cell) if one.measured]
    repeats = spread(again) if len(again) > 2 else 0.0
    if seconds < UNSTEADY and repeats < _REPEATS:
        return None
    evidence = []
    if seconds >= UNSTEADY:
        rates = facts.measured.seconds
        evidence.append(
            VerdictEvidence(
                f"Rates from {rate(min(rates))} to {rate(max(rates))}, median {rate(median(rates))}."
            )
        )
    if repeats >= _REPEATS:
        evidence.append(
            VerdictEvidence(f"{len(again)} repeats from {rate(min(again))} to {rate(max(again))}.")
        )
    worst, lost = max(seconds, repeats), (facts.measured.retransmits or 0) > 0
    if lost:
        text = (
            "Segments were retransmitted: each loss halves a congestion window, which also varies the rate."
        )
        evidence.append(VerdictEvidence(text, supports=False))
    return Verdict(
        "unstable",
        "high" if worst >= WILD and not lost else "medium",
        f"Unstable: {rate(facts.rate)} on average, with a spread of {share(worst)}.",
        "Repeat on a quiet path; look for other traffic, route changes, flapping links and busy processors.",
        tuple(evidence),
        {"rate": facts.rate, "spread": worst},
    )
