"""The seconds, or repeated cells, differ too much for one figure to mean anything."""

from __future__ import annotations

from statistics import median

from backstay.core.diagnosis.throughput.facts import Facts
from backstay.core.diagnosis.throughput.fits import spread
from backstay.core.formatting import rate, share
from backstay.core.model.throughput import Evidence, Verdict

WILD, UNSTEADY = 0.5, 0.3
"""Spread (standard deviation over mean) of a cell's seconds."""
_REPEATS = 0.3


def unstable(facts: Facts) -> Verdict | None:
    """By seconds, or by three or more repeats."""
    seconds = facts.seconds_spread or 0.0
    again = [one.measured.rate for one in facts.matrix.alike(facts.cell) if one.measured]
    repeats = spread(again) if len(again) > 2 else 0.0
    if seconds < UNSTEADY and repeats < _REPEATS:
        return None
    evidence = []
    if seconds >= UNSTEADY:
        rates = facts.measured.seconds
        evidence.append(
            Evidence(f"Seconds from {rate(min(rates))} to {rate(max(rates))}, median {rate(median(rates))}.")
        )
    if repeats >= _REPEATS:
        evidence.append(Evidence(f"{len(again)} repeats from {rate(min(again))} to {rate(max(again))}."))
    worst, lost = max(seconds, repeats), (facts.measured.retransmits or 0) > 0
    if lost:
        text = "Segments were sent again: each loss halves a congestion window, so the seconds sway anyway."
        evidence.append(Evidence(text, supports=False))
    return Verdict(
        "unstable",
        "high" if worst >= WILD and not lost else "medium",
        f"Unstable: {rate(facts.rate)} on average, with a spread of {share(worst)}.",
        "Repeat on a quiet path; seek other traffic, route changes, links that come and go, full processors.",
        tuple(evidence),
        {"rate": facts.rate, "spread": worst},
    )
