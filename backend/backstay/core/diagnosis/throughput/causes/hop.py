"""One hop carries less than the ends' fabric: known by its rate, or told by a steady limit with drops."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import AT, NEAR, Facts, cpu_share, hop_left
from backstay.core.diagnosis.throughput.series import CONSTANT, growth, plateau
from backstay.core.model.throughput import Evidence, Hop, Verdict
from backstay.core.words import rate, share

STEADY = 0.04
"""Seconds that spread less than this are held by something that meters."""


def narrow_hop(facts: Facts) -> Verdict | None:
    """A hop whose known rate is met, or one that nobody told of."""
    hop = facts.hop()
    usable = facts.matrix.medium.usable
    if hop and hop_left(hop) > 0 and (usable is None or hop_left(hop) < 0.9 * usable):
        used = facts.rate / (hop_left(hop) * facts.ways)
        if used >= NEAR:
            return _known(facts, hop, used)
    return _hidden(facts)


def _known(facts: Facts, hop: Hop, used: float) -> Verdict:
    left = hop_left(hop) * facts.ways
    said = f"{rate(facts.rate)} is {share(used)} of the {rate(left)} that {hop.name} has"
    usable = facts.matrix.medium.usable
    than = f"; the ends' medium carries {rate(usable)}" if usable else ""
    return Verdict(
        "narrow_hop",
        "high" if AT <= used <= 1.1 else "medium",
        f"Narrow hop: {said}{than}.",
        f"Take a way around {hop.name}, or give it a link as fast as the rest.",
        (Evidence(f"{said}."),),
        {"rate": facts.rate, "usable": left, "utilisation": used},
        hop.name,
    )


def _hidden(facts: Facts) -> Verdict | None:
    """Steady, with drops, far below the medium, whatever the streams, and no processor is busy."""
    if not facts.used or facts.used >= 0.8 or not facts.measured.cpu:
        return None
    drops, steadiness = facts.measured.retransmits or facts.loss or 0, facts.seconds_spread
    idle = max(cpu_share(one) for one in facts.measured.cpu) < 0.8
    level, grown = plateau(facts.over_streams()), growth(facts.over_streams())
    metered = steadiness is not None and steadiness < STEADY
    if not (idle and drops and metered and level and grown is not None and grown < CONSTANT):
        return None
    return Verdict(
        "narrow_hop",
        "medium",
        f"Narrow hop: something on the way holds the sum at {rate(level.level)}, "
        f"{share(facts.used)} of the medium.",
        "Look along the path for a shaper, a wrong speed or duplex: the port that counts drops tells. Other "
        "sizes tell whether it counts bits or packets.",
        (
            Evidence(f"The sum is {rate(level.level)} from {level.knee} to {level.last} streams."),
            Evidence(
                f"Its seconds spread {share(steadiness or 0)} and packets are dropped, as a meter does."
            ),
            Evidence("No processor is busy."),
        ),
        {"rate": facts.rate, "level": level.level, "utilisation": facts.used},
    )
