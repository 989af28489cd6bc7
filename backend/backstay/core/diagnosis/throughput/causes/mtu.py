"""A hop with a lower MTU than the ends': more packets than need be, or none of the large ones at all."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import NEAR, Facts, cpu_share
from backstay.core.formatting import byte_size, rate, share
from backstay.core.model.throughput import Cell, Confidence, Evidence, Verdict

BUSY = 0.8
"""A processor's share from which the number of packets may be what limits."""
LOST, PASSED = 0.9, 0.1
"""Loss above which a size does not come through, and below which it does."""


def low_mtu_hop(facts: Facts) -> Verdict | None:
    """By a size that does not pass, a known hop that swallows, or the path's MTU against the end's."""
    return _cut_by_size(facts) or _lower_path(facts)


def _cut_by_size(facts: Facts) -> Verdict | None:
    """Sizes up to one come through and all larger ones are lost."""
    if facts.set.size is None or facts.set.load not in {"datagrams", "echoes"} or (facts.loss or 0) < LOST:
        return None
    reported = [
        cell for cell in facts.matrix.alike(facts.cell, "size", "offered_rate") if _loss(cell) is not None
    ]
    passed = [cell.parameters.size or 0 for cell in reported if (_loss(cell) or 0) <= PASSED]
    lost = [cell.parameters.size or 0 for cell in reported if (_loss(cell) or 0) >= LOST]
    if not passed or max(passed) >= min(lost) or len(passed) + len(lost) < len(reported):
        return None
    low, high = max(passed), min(lost)
    return Verdict(
        "low_mtu_hop",
        "high" if len(passed) > 1 else "medium",
        f"Lower MTU on the path: {byte_size(low)} pass, {byte_size(high)} do not.",
        "Give every hop one MTU, or let the ends learn the path's (RFC 1191: let ICMP type 3 code 4 pass).",
        (
            Evidence(
                f"Of {byte_size(high)} {share(facts.loss or 1)} are lost, of {byte_size(low)} almost none."
            ),
        ),
        {"rate": facts.rate, "passes": float(low), "lost": float(high), "loss": facts.loss or 1.0},
        _named(facts, high),
    )


def _lower_path(facts: Facts) -> Verdict | None:
    own = facts.set.mtu or _ends(facts)
    known = [hop.mtu for hop in facts.medium.hops if hop.mtu]
    least = min([*known, *([facts.measured.path_mtu] if facts.measured.path_mtu else [])], default=None)
    if own is None or least is None or least >= 0.95 * own or (facts.used or 0) >= NEAR:
        return None
    if facts.set.size is not None and facts.set.size < least:
        return None
    name = _named(facts, own)
    more = own / least
    where = f" at {name}" if name else ""
    confidence: Confidence = "medium" if facts.measured.path_mtu else "low"
    if least in known and facts.measured.path_mtu == least:
        # More packets cost processors: where none is busy the lower MTU stands by, and something else limits.
        confidence = "medium" if _idle(facts) else "high"
    return Verdict(
        "low_mtu_hop",
        confidence,
        f"Lower MTU on the path: {byte_size(least)}{where} where the end has {byte_size(own)}, "
        f"so {more:.1f} times the packets carry {rate(facts.rate)}.",
        f"Give every hop {byte_size(own)}; then measure again.",
        (Evidence(f"The path's MTU is {least} bytes, the sending port's {own}."),),
        {"rate": facts.rate, "mtu": float(own), "path_mtu": float(least), "packets_ratio": more},
        name,
    )


def _ends(facts: Facts) -> int | None:
    """What both ends' own links allow, which is what TCP's segments are made for (RFC 9293, 3.7.1)."""
    hops = facts.medium.hops
    known = [hop.mtu for hop in (*hops[:1], *hops[-1:]) if hop.mtu]
    return min(known, default=None)


def _idle(facts: Facts) -> bool:
    return bool(facts.measured.cpu) and all(cpu_share(one) < BUSY for one in facts.measured.cpu)


def _named(facts: Facts, above: int) -> str:
    low = [hop for hop in facts.medium.hops if hop.mtu and hop.mtu < above]
    return min(low, key=lambda hop: hop.mtu or 0).name if low else ""


def _loss(cell: Cell) -> float | None:
    return cell.measured.loss if cell.measured else None
