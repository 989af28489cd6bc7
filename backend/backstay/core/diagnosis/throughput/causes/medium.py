"""Medium-limited: the rate equals the capacity of the ends' fabric, or a level that no cell exceeds."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.available_rate import SURPLUS, Room
from backstay.core.diagnosis.throughput.facts import AT, NEAR, Facts, cpu_share
from backstay.core.formatting import rate, share
from backstay.core.model.throughput import Verdict, VerdictEvidence

ALMOST = 0.88
"""From this CPU share on, a processor may cause the level."""
_REMEDY = "No change at the ends helps: add a parallel path (stripes) or a faster medium."


def medium_limited(facts: Facts) -> Verdict | None:
    """Compare with the usable rate if it is known, otherwise with the level over streams and buffers."""
    place = facts.room
    if place and facts.used is not None and facts.available:
        return _against_usable(facts, place, facts.available, facts.used)
    return _against_level(facts) or (_refuted(facts, place) if place else None)


def _against_level(facts: Facts) -> Verdict | None:
    level = facts.ceiling()
    if level is None or facts.rate < NEAR * level or not _idle(facts):
        return None
    return Verdict(
        "medium_limited",
        "medium" if facts.measured.cpu else "low",
        f"Medium-limited: {rate(facts.rate)}, at a level of {rate(level)} that neither more streams "
        "nor larger buffers raise.",
        _REMEDY,
        (
            VerdictEvidence(
                f"Sums stay within a tenth of {rate(level)} over streams, with more than one buffer."
            ),
            VerdictEvidence(
                "The capacity of the medium is unknown, so its level is used instead.", supports=False
            ),
            *(
                ()
                if facts.measured.cpu
                else (VerdictEvidence("Processors were not measured.", supports=False),)
            ),
        ),
        {"rate": facts.rate, "level": level, "utilisation": facts.rate / level},
    )


def _against_usable(facts: Facts, place: Room, available: float, used: float) -> Verdict | None:
    if used < NEAR or (place.narrow and place.hop):
        return None
    cross_traffic = place.busy and place.fits(facts.rate)
    others = f"{rate(place.production)} of production traffic"
    where = f" on {place.hop.name}" if place.hop else ""
    left = f"{where} ({others})" if cross_traffic else ""
    text = f"{rate(facts.rate)} is {share(used)} of the {rate(available)} usable{left}."
    return Verdict(
        "medium_limited",
        "high" if used >= AT and place.fits(facts.rate) else "medium",
        f"Medium-limited: {text}",
        _REMEDY
        if not cross_traffic
        else f"{_REMEDY} Without the production traffic, {rate(place.production)} more is free.",
        (VerdictEvidence(text), *doubted_others(facts, place)),
        {"rate": facts.rate, "usable": available, "utilisation": used, "production": place.production},
        place.hop.name if place.hop and cross_traffic else "",
    )


def doubted_others(facts: Facts, place: Room) -> tuple[VerdictEvidence, ...]:
    """Counter-evidence: the reported cross traffic and this rate exceed the capacity."""
    if place.fits(facts.rate):
        return ()
    text = (
        f"The {rate(place.production)} reported as cross traffic cannot be right: with this test it is "
        f"more than {rate(place.usable)}."
    )
    return (VerdictEvidence(text, supports=False),)


def _refuted(facts: Facts, place: Room) -> Verdict | None:
    """A low-confidence verdict with a correction: a cell of the run exceeded the declared rate."""
    part = facts.rate / place.usable
    if part < NEAR:
        return None
    of = place.hop.name if place.hop else "the path"
    more = "this" if part > SURPLUS else "another cell of the run"
    return Verdict(
        "medium_limited",
        "low",
        f"Possibly medium-limited: {rate(facts.rate)} was measured; the usable rate of {rate(place.usable)}"
        f" declared for {of} is wrong, because {more} carried more.",
        f"Correct the usable rate of {of} in the site file, then evaluate again.",
        (VerdictEvidence(f"{share(part)} of the usable rate is impossible.", supports=False),)
        if part > SURPLUS
        else (),
        {"rate": facts.rate, "usable": place.usable, "utilisation": part},
    )


def _idle(facts: Facts) -> bool:
    return all(cpu_share(one) < ALMOST for one in facts.measured.cpu)
