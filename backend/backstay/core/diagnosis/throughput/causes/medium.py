"""The medium is full: the rate is what the ends' fabric can carry, or the level that nothing exceeds."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import AT, NEAR, Facts, cpu_share
from backstay.core.model.throughput import Evidence, Verdict
from backstay.core.words import rate, share

ALMOST = 0.88
"""A processor from this share on may be what holds a level."""
_REMEDY = "Nothing in the ends helps: add a parallel path (stripes), or a faster medium."


def medium_limited(facts: Facts) -> Verdict | None:
    """Against the usable rate where it is known, otherwise against the level over streams and buffers."""
    if facts.used is not None and facts.available:
        return _against_usable(facts, facts.available, facts.used)
    level = facts.ceiling()
    if level is None or facts.rate < NEAR * level or not _idle(facts):
        return None
    return Verdict(
        "medium_limited",
        "medium" if facts.measured.cpu else "low",
        f"Medium-limited: {rate(facts.rate)}, at the level of {rate(level)} that neither more streams "
        "nor larger buffers raise.",
        _REMEDY,
        (
            Evidence(f"Sums stay within a tenth of {rate(level)} over streams, with more than one buffer."),
            Evidence("What the medium can carry is not known, so its level stands for it.", supports=False),
            *(() if facts.measured.cpu else (Evidence("Processors were not measured.", supports=False),)),
        ),
        {"rate": facts.rate, "level": level, "utilisation": facts.rate / level},
    )


def _against_usable(facts: Facts, available: float, used: float) -> Verdict | None:
    if used < NEAR:
        return None
    production = facts.matrix.medium.production or 0.0
    beside = f" left beside {rate(production)} of production" if production else ""
    said = f"{rate(facts.rate)} is {share(used)} of the {rate(available)} usable{beside}."
    return Verdict(
        "medium_limited",
        "high" if used >= AT else "medium",
        f"Medium-limited: {said}",
        _REMEDY if not production else f"{_REMEDY} At another time {rate(production)} more would be free.",
        (Evidence(said),),
        {"rate": facts.rate, "usable": available, "utilisation": used},
    )


def _idle(facts: Facts) -> bool:
    return all(cpu_share(one) < ALMOST for one in facts.measured.cpu)
