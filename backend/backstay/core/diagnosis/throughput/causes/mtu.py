"""Lower MTU on the path than at the ends: more packets than necessary, or large packets are lost."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import NEAR, Facts, cpu_share
from backstay.core.formatting import byte_size, rate, share
from backstay.core.model.throughput import Cell, Confidence, Verdict, VerdictEvidence

BUSY = 0.8
"""CPU share from which the number of packets may be the limit."""
LOST, PASSED = 0.9, 0.1
"""Loss above which a packet size is blocked, and below which it passes."""


def low_mtu_hop(facts: Facts) -> Verdict | None:
    """By a blocked packet size, a hop with a low MTU, or the path MTU compared with the end's."""
    return _cut_by_size(facts) or _lower_path(facts)


def _cut_by_size(facts: Facts) -> Verdict | None:
    """Sizes up to a limit pass and all larger ones are lost."""
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
        "Use one MTU on every hop, or let path MTU discovery work (RFC 1191: ICMP type 3 code 4).",
        (
            VerdictEvidence(
                f"{share(facts.loss or 1)} of {byte_size(high)} are lost, almost none of {byte_size(low)}."
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
        # More packets cost CPU: if no processor is busy, something else is the limit.
        confidence = "medium" if _idle(facts) else "high"
    return Verdict(
        "low_mtu_hop",
        confidence,
        f"Lower MTU on the path: {byte_size(least)}{where} , end {byte_size(own)}; "
        f"{rate(facts.rate)} needs {more:.1f} times as many packets.",
        f"Set the MTU to {byte_size(own)} on every hop; then measure again.",
        (VerdictEvidence(f"The path's MTU is {least} bytes, the sending port's {own}."),),
        {"rate": facts.rate, "mtu": float(own), "path_mtu": float(least), "packets_ratio": more},
        name,
    )


def _ends(facts: Facts) -> int | None:
    """The MTU of both ends' links, which determines TCP's segment size (RFC 9293, 3.7.1)."""
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
