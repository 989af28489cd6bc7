"""Shapes of a run without a known mechanism: a shared limit, a limit per stream, or one slow direction."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import AT, NEAR, Facts
from backstay.core.diagnosis.throughput.series import PROPORTIONAL, growth, plateau
from backstay.core.formatting import count, rate, share
from backstay.core.model.throughput import Verdict, VerdictEvidence

ONE_SIDED = 1.25
"""Minimum ratio between the directions."""


def fair_share(facts: Facts) -> Verdict | None:
    """A sum that no longer grows, below the medium: n streams share a limit of unknown origin."""
    series = facts.over_streams()
    found = plateau(series)
    if found is None or facts.set.streams < found.knee or (facts.used or 0) >= AT:
        return None
    per_stream = found.level / facts.set.streams
    below = f", {share(facts.used)} of the medium" if facts.used else ""
    sums = ", ".join(f"{rate(at)} by {number:.0f}" for number, at in series)
    return Verdict(
        "fair_share",
        "medium" if facts.used or (found.points > 2 and facts.measured.cpu) else "low",
        f"Fair share: a limit of {rate(found.level)}{below}, reached from {count(found.knee, 'stream')} on; "
        f"{_rate_per_stream(facts.set.streams, per_stream)}.",
        _shared(facts),
        (VerdictEvidence(f"Sums: {sums}."), *_equality(facts)),
        {"rate": facts.rate, "level": found.level, "knee": float(found.knee), "each": facts.per_stream},
    )


def _rate_per_stream(streams: int, item: float) -> str:
    return f"1 stream gets {rate(item)}" if streams == 1 else f"{streams} streams get {rate(item)} each"


def _shared(facts: Facts) -> str:
    if facts.measured.cpu:
        return "Find what the streams share: an adapter, a bus, a disk; test other pairs to find the end."
    return (
        "Find what the streams share: measure CPU load of ends and gateways, and other pairs over the path."
    )


def _equality(facts: Facts) -> tuple[VerdictEvidence, ...]:
    """Jain's index (Jain, Chiu and Hawe 1984): 1 if all streams get the same rate."""
    rates = facts.measured.per_stream
    if len(rates) < 2 or not any(rates):
        return ()
    index = sum(rates) ** 2 / (len(rates) * sum(one**2 for one in rates))
    return (VerdictEvidence(f"Fairness of the streams (Jain's index): {index:.2f}.", supports=index >= 0.9),)


def scaling(facts: Facts) -> Verdict | None:
    """Each stream, node or stripe adds about as much as the first: each has its own limit."""
    series = facts.over_streams()
    grown = growth(series)
    if grown is None or grown < PROPORTIONAL or (facts.used or 0) >= NEAR:
        return None
    first, last = series[0], series[-1]
    ideal = first[1] * last[0] / first[0]
    return Verdict(
        "scaling",
        "medium" if len(series) > 2 or last[0] >= 2 * first[0] else "low",
        f"Scales: {last[0]:.0f} streams carry {rate(last[1])}, {share(last[1] / ideal)} of linear scaling "
        f"from {first[0]:.0f} ({rate(ideal)}); each stream has its own limit.",
        "Add streams, nodes or stripes until the sum flattens; a single stream's cell shows its own limit.",
        (VerdictEvidence(f"Sum ~ streams^{grown:.2f}."),),
        {"rate": facts.rate, "growth": grown, "efficiency": last[1] / ideal, "each": last[1] / last[0]},
    )


def one_direction(facts: Facts) -> Verdict | None:
    """The same settings carry far more in the other direction."""
    if facts.set.direction == "both":
        return None
    other = [
        one.measured.rate
        for one in facts.matrix.alike(facts.cell, "direction")
        if one.measured and one.parameters.direction not in {facts.set.direction, "both"}
    ]
    if not other or max(other) < ONE_SIDED * facts.rate:
        return None
    ratio = max(other) / facts.rate if facts.rate else float("inf")
    return Verdict(
        "one_direction",
        "medium",
        f"One direction only: {rate(facts.rate)} in this direction ({facts.set.direction}), "
        f"{rate(max(other))} in the other.",
        "Compare both directions: receiver CPU, port drops, return route.",
        (VerdictEvidence(f"The other direction carries {ratio:.1f} times as much with the same settings."),),
        {"rate": facts.rate, "other": max(other), "ratio": ratio},
    )
