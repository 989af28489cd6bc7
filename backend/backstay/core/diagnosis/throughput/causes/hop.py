"""Narrow hop: one hop carries less than the ends' fabric; its rate is known, or a steady limit with drops
shows it.
"""

from __future__ import annotations

from backstay.core.diagnosis.throughput.available_rate import Room
from backstay.core.diagnosis.throughput.causes.medium import doubted_others
from backstay.core.diagnosis.throughput.facts import AT, NEAR, Facts, cpu_share
from backstay.core.diagnosis.throughput.series import CONSTANT, growth, plateau
from backstay.core.formatting import rate, share
from backstay.core.model.throughput import PathHop, Verdict, VerdictEvidence

STEADY = 0.04
"""Per-second rates that spread less than this indicate a policer or shaper."""


def narrow_hop(facts: Facts) -> Verdict | None:
    """A narrow hop whose known rate is reached, or an undeclared one."""
    place = facts.room
    if place and place.hop and place.narrow and facts.used and facts.used >= NEAR:
        return _known(facts, place, place.hop, facts.used)
    return _hidden(facts)


def _known(facts: Facts, place: Room, hop: PathHop, used: float) -> Verdict:
    available, ends = facts.available or 0.0, facts.medium.ends or facts.medium.usable
    cross_traffic = (
        f" ({rate(place.production)} of other traffic)" if place.busy and place.fits(facts.rate) else ""
    )
    text = f"{rate(facts.rate)} is {share(used)} of the {rate(available)} on {hop.name}{cross_traffic}"
    than = f"; the ends' medium carries {rate(ends * facts.direction_count)}" if ends else ""
    return Verdict(
        "narrow_hop",
        "high" if used >= AT and place.fits(facts.rate) else "medium",
        f"Narrow hop: {text}{than}.",
        f"Use a path around {hop.name}, or give it a link as fast as the rest.",
        (VerdictEvidence(f"{text}."), *doubted_others(facts, place)),
        {"rate": facts.rate, "usable": available, "utilisation": used, "production": place.production},
        hop.name,
    )


def _hidden(facts: Facts) -> Verdict | None:
    """Steady, with drops, far below the medium, independent of streams, and no busy processor."""
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
        f"Narrow hop: something on the path limits the sum to {rate(level.level)}, "
        f"{share(facts.used)} of the medium.",
        "Check the path for a shaper, a wrong speed or duplex: look for the port with drops."
        " Measure other sizes to see whether it limits bits or packets.",
        (
            VerdictEvidence(f"The sum is {rate(level.level)} from {level.knee} to {level.last} streams."),
            VerdictEvidence(f"Rates spread {share(steadiness or 0)} and packets are dropped: a policer?"),
            VerdictEvidence("No processor is busy."),
        ),
        {"rate": facts.rate, "level": level.level, "utilisation": facts.used},
    )
