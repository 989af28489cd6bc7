"""What a run's shape says where no mechanism is told: a limit shared by all, by each alone, or one way."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import AT, NEAR, Facts
from backstay.core.diagnosis.throughput.series import PROPORTIONAL, growth, plateau
from backstay.core.formatting import count, rate, share
from backstay.core.model.throughput import Evidence, Verdict

ONE_SIDED = 1.25
"""One direction carries this many times the other."""


def fair_share(facts: Facts) -> Verdict | None:
    """A sum that no longer grows, below the medium: each of n gets an n-th of a limit that nobody told of."""
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
        f"Fair share: a limit of {rate(found.level)}{below}, met from {count(found.knee, 'stream')} on; "
        f"{_rate_per_stream(facts.set.streams, per_stream)}.",
        _shared(facts),
        (Evidence(f"Sums: {sums}."), *_equality(facts)),
        {"rate": facts.rate, "level": found.level, "knee": float(found.knee), "each": facts.per_stream},
    )


def _rate_per_stream(streams: int, item: float) -> str:
    return f"1 stream gets {rate(item)}" if streams == 1 else f"{streams} streams get {rate(item)} each"


def _shared(facts: Facts) -> str:
    if facts.measured.cpu:
        return (
            "Find what all of them pass: an adapter, a bus, a disk; other pairs over the path tell which end."
        )
    return (
        "Find what all of them pass: measure processors of ends and gateways, and other pairs over the path."
    )


def _equality(facts: Facts) -> tuple[Evidence, ...]:
    """Jain's index (Jain, Chiu and Hawe 1984): 1 when all streams get the same."""
    rates = facts.measured.per_stream
    if len(rates) < 2 or not any(rates):
        return ()
    index = sum(rates) ** 2 / (len(rates) * sum(one**2 for one in rates))
    return (Evidence(f"Equality of the streams (Jain): {index:.2f}.", supports=index >= 0.9),)


def scaling(facts: Facts) -> Verdict | None:
    """Each stream, node or stripe adds about what the first carries: each limits itself."""
    series = facts.over_streams()
    grown = growth(series)
    if grown is None or grown < PROPORTIONAL or (facts.used or 0) >= NEAR:
        return None
    first, last = series[0], series[-1]
    ideal = first[1] * last[0] / first[0]
    return Verdict(
        "scaling",
        "medium" if len(series) > 2 or last[0] >= 2 * first[0] else "low",
        f"Scales: {last[0]:.0f} carry {rate(last[1])}, {share(last[1] / ideal)} of {rate(ideal)} "
        f"by {first[0]:.0f}'s measure; each limits itself.",
        "Add streams, nodes or stripes until the sum bends; what holds one back, one's own cell tells.",
        (Evidence(f"The sum grows as their number to the power {grown:.2f}."),),
        {"rate": facts.rate, "growth": grown, "efficiency": last[1] / ideal, "each": last[1] / last[0]},
    )


def one_direction(facts: Facts) -> Verdict | None:
    """The same settings carry far more the other way."""
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
        f"One direction only: {rate(facts.rate)} this way ({facts.set.direction}), "
        f"{rate(max(other))} the other.",
        "Compare what differs by direction: processor of each receiver, drops of each port, the route back.",
        (Evidence(f"The other direction carries {ratio:.1f} times as much with the same settings."),),
        {"rate": facts.rate, "other": max(other), "ratio": ratio},
    )
