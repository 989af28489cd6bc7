"""The medium is full: the rate is what the ends' fabric can carry, or the level that nothing exceeds."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import AT, NEAR, Facts, cpu_share
from backstay.core.diagnosis.throughput.room import SURPLUS, Room
from backstay.core.formatting import rate, share
from backstay.core.model.throughput import Evidence, Verdict

ALMOST = 0.88
"""A processor from this share on may be what holds a level."""
_REMEDY = "Nothing in the ends helps: add a parallel path (stripes), or a faster medium."


def medium_limited(facts: Facts) -> Verdict | None:
    """Against the usable rate where it is known, otherwise against the level over streams and buffers."""
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


def _against_usable(facts: Facts, place: Room, available: float, used: float) -> Verdict | None:
    if used < NEAR or (place.narrow and place.hop):
        return None
    cross_traffic = place.busy and place.fits(facts.rate)
    others = f"{rate(place.production)} of production"
    where = f" on {place.hop.name}" if place.hop else ""
    left = f" left beside {others}{where}" if cross_traffic else ""
    text = f"{rate(facts.rate)} is {share(used)} of the {rate(available)} usable{left}."
    return Verdict(
        "medium_limited",
        "high" if used >= AT and place.fits(facts.rate) else "medium",
        f"Medium-limited: {text}",
        _REMEDY
        if not cross_traffic
        else f"{_REMEDY} At another time {rate(place.production)} more would be free.",
        (Evidence(text), *doubted_others(facts, place)),
        {"rate": facts.rate, "usable": available, "utilisation": used, "production": place.production},
        place.hop.name if place.hop and cross_traffic else "",
    )


def doubted_others(facts: Facts, place: Room) -> tuple[Evidence, ...]:
    """Against: what others are said to carry has no room beside this."""
    if place.fits(facts.rate):
        return ()
    text = (
        f"The {rate(place.production)} that others are said to carry cannot be right: with this test it is "
        f"more than {rate(place.usable)}."
    )
    return (Evidence(text, supports=False),)


def _refuted(facts: Facts, place: Room) -> Verdict | None:
    """A hint only, and what is to be put right: a cell of the run carried more than the path is said to."""
    part = facts.rate / place.usable
    if part < NEAR:
        return None
    of = place.hop.name if place.hop else "the way"
    more = "this" if part > SURPLUS else "another cell of the run"
    return Verdict(
        "medium_limited",
        "low",
        f"Medium-limited, perhaps: {rate(facts.rate)} came; the usable rate of {rate(place.usable)} that is "
        f"told of {of} is not right, for {more} carried more.",
        f"Put the usable rate of {of} right in the site file; then judge again.",
        (Evidence(f"{share(part)} of the usable rate cannot come.", supports=False),)
        if part > SURPLUS
        else (),
        {"rate": facts.rate, "usable": place.usable, "utilisation": part},
    )


def _idle(facts: Facts) -> bool:
    return all(cpu_share(one) < ALMOST for one in facts.measured.cpu)
