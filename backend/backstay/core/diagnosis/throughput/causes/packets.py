"""Packet-rate-limited: the packet rate is constant, whatever the packet size."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from backstay.core.diagnosis.throughput.facts import NEAR, Facts
from backstay.core.diagnosis.throughput.robust_statistics import worst
from backstay.core.diagnosis.throughput.series import PROPORTIONAL, growth
from backstay.core.formatting import byte_size, per_second, rate
from backstay.core.model.throughput import Cell, Confidence, PathHop, Verdict, VerdictEvidence

SAME = 0.10
"""Packet rates within this relative distance are one limit."""
_SETTINGS = ("size", "mss", "mtu")


@dataclass(frozen=True, slots=True)
class _Limit:
    """A packet rate, its evidence, and the hop with that limit if known."""

    text: str
    pps: float
    evidence: VerdictEvidence
    suspect: str = ""


def packet_rate_limited(facts: Facts) -> Verdict | None:
    """At a hop's known limit, or the same packet rate over several sizes."""
    if facts.as_offered or not facts.pps or (facts.used or 0) >= NEAR:
        return None
    return _known(facts, facts.pps) or _over_sizes(facts)


def _known(facts: Facts, pps: float) -> Verdict | None:
    def near(hop: PathHop) -> bool:
        return hop.packet_limit is not None and 0.9 <= pps / hop.packet_limit <= 1.1

    hop = next(filter(near, facts.medium.hops), None)
    if hop is None or not hop.packet_limit:
        return None
    text = (
        f"{per_second(pps, 'packets')} of {byte_size(facts.rate / 8 / pps)}; "
        f"{hop.name} forwards {per_second(hop.packet_limit, 'packets')}"
    )
    return _verdict(facts, "high", _Limit(text, pps, VerdictEvidence(f"{text} at most."), hop.name))


def _over_sizes(facts: Facts) -> Verdict | None:
    """Rate proportional to size over at least a doubling; more sizes raise the confidence."""
    for setting in _SETTINGS:
        own = getattr(facts.set, setting)
        found = _pps(facts, setting)
        if own is None or len(found) < 2:
            continue
        same = {at: pps for at, pps in found.items() if abs(pps - found[own]) <= SAME * found[own]}
        if max(same) < 2 * min(same):
            continue
        rates = list(same.values())
        many = per_second(median(rates), "packets")
        text = f"{many} with {byte_size(min(same))} as with {byte_size(max(same))}"
        within = VerdictEvidence(f"{text}: within {worst(rates):.0%} over {len(same)} sizes.")
        limit = _Limit(text, median(rates), within)
        return _verdict(facts, _sureness(facts, len(same), setting), limit)
    return None


def _sureness(facts: Facts, sizes: int, setting: str) -> Confidence:
    """With loss the rate is proportional to the segment too (Mathis), but more streams carry more."""
    grown = growth(facts.over_streams())
    if setting != "size" and (facts.loss or 0) > 0 and (grown is None or grown >= PROPORTIONAL):
        return "low"
    return "high" if sizes >= 3 and setting == "size" else "medium"


def _pps(facts: Facts, setting: str) -> dict[int, float]:
    """Size -> packets/s of the cells that reached a limit."""
    found: dict[int, list[float]] = {}
    for cell in facts.matrix.alike(facts.cell, setting, "offered_rate", "offered_pps"):
        one = Facts(cell, facts.matrix)
        at: int | None = getattr(cell.parameters, setting)
        if at and not one.as_offered and (pps := _of(cell, setting, at)):
            found.setdefault(at, []).append(pps)
    return {at: median(values) for at, values in found.items()}


def _of(cell: Cell, setting: str, at: int) -> float | None:
    if cell.measured is None:
        return None
    header = 40 if setting == "mtu" else 0
    return cell.measured.pps or cell.measured.rate / (8 * (at - header))


def _verdict(facts: Facts, confidence: Confidence, limit: _Limit) -> Verdict:
    where, pps = limit.suspect or "the forwarding node", limit.pps
    wanted = f" {rate(facts.available)} would need {_needed(facts, pps)}." if facts.available else ""
    return Verdict(
        "packet_rate",
        confidence,
        f"Packet-rate-limited: {limit.text}.",
        f"Use larger packets (MTU), or a higher forwarding rate of {where}.{wanted}",
        (limit.evidence,),
        {"rate": facts.rate, "pps": pps, "packet": facts.rate / 8 / pps},
        limit.suspect,
    )


def _needed(facts: Facts, pps: float) -> str:
    return per_second((facts.available or 0) * pps / facts.rate, "packets") if facts.rate else "more"
