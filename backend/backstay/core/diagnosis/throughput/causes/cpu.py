"""CPU-bound: the processors of an end or of a gateway on the path are full."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import AT, Facts, cpu_share
from backstay.core.formatting import listing, rate, share
from backstay.core.model.throughput import Confidence, NodeCpu, Verdict, VerdictEvidence, VerdictName

FULL, ALMOST = 0.95, 0.88
_LOST = 0.05
_ALIKE = 0.03
"""Nodes whose shares differ by less than this are equally busy."""


def cpu_bound(facts: Facts) -> Verdict | None:
    """Names the busiest node if all its processors, or one of them, are full."""
    top = max(_limiting(facts), key=cpu_share, default=None)
    if top is None or cpu_share(top) < ALMOST:
        return None
    level = cpu_share(top)
    others = [one for one in _limiting(facts) if one is not top and cpu_share(one) > level - _ALIKE]
    busy_anyway = _busy_anyway(facts, top)
    name: VerdictName = "cpu_gateway" if top.role == "gateway" else "cpu_endpoint"
    return Verdict(
        name,
        _confidence(level, ambiguous=bool(others), busy_anyway=busy_anyway),
        f"CPU-bound: {listing(sorted({top.node, *(one.node for one in others)}))} at {share(level)} "
        f"{'of its processors' if top.busy / top.cores >= level else 'of one processor'} "
        f"for {rate(facts.rate)}.",
        _remedy(top),
        tuple(_evidence(facts, top, others, busy_anyway=busy_anyway)),
        {"rate": facts.rate, "cpu_share": level, "ceiling": facts.rate / level},
        top.node,
    )


def _limiting(facts: Facts) -> list[NodeCpu]:
    """Nodes that can limit; not the sender of datagrams that were sent but did not arrive."""
    sent_more = facts.set.load == "datagrams" and (facts.loss or 0.0) > _LOST
    return [one for one in facts.measured.cpu if not (sent_more and one.role == "endpoint_sender")]


def _confidence(level: float, *, ambiguous: bool, busy_anyway: bool) -> Confidence:
    if busy_anyway:
        return "low"
    return "high" if level >= FULL and not ambiguous else "medium"


def _remedy(top: NodeCpu) -> str:
    if top.role == "gateway":
        return f"Bypass {top.node} or share its load; a larger MTU or offloads reduce its work per byte."
    one = cpu_share(top) > top.busy / top.cores
    spread = (
        "Spread the work over more processors (streams, interrupt queues)" if one else "Use a faster node"
    )
    return f"{spread}, a larger MTU or offloads; a faster medium does not help {top.node}."


def _evidence(
    facts: Facts, top: NodeCpu, others: list[NodeCpu], *, busy_anyway: bool
) -> list[VerdictEvidence]:
    level = cpu_share(top)
    found = [
        VerdictEvidence(
            f"{top.node} was {share(level)} busy: at 100 % it would carry {rate(facts.rate / level)}."
        )
    ]
    found += [
        VerdictEvidence(f"{one.node} was {share(cpu_share(one))} busy.")
        for one in facts.measured.cpu
        if one is not top
    ]
    if law := _law(facts, top):
        found.append(VerdictEvidence(law))
    if others:
        found.append(
            VerdictEvidence(
                f"{others[0].node} is equally busy: the limiting node is unknown.", supports=False
            )
        )
    if busy_anyway:
        found.append(
            VerdictEvidence(
                f"{top.node} is as busy in cells with half the rate; other work may load it.", supports=False
            )
        )
    if facts.used is not None and facts.used >= AT:
        found.append(VerdictEvidence(f"The medium is {share(facts.used)} full as well.", supports=False))
    return found


def _shares(facts: Facts, top: NodeCpu) -> list[tuple[float, float]]:
    """(bit/s, CPU share) of the node over streams, ascending."""
    found = []
    for cell in facts.matrix.alike(facts.cell, "streams", "senders", "receivers"):
        if cell.measured:
            found += [
                (cell.measured.rate, cpu_share(one)) for one in cell.measured.cpu if one.node == top.node
            ]
    return sorted(found)


def _busy_anyway(facts: Facts, top: NodeCpu) -> bool:
    shares = _shares(facts, top)
    return any(level >= ALMOST for at, level in shares if 0 < at < 0.5 * facts.rate)


def _law(facts: Facts, top: NodeCpu) -> str:
    """CPU share grows with the rate (utilisation law U = X D: Denning and Buzen 1978)."""
    shares = _shares(facts, top)
    if len(shares) < 2 or shares[0][1] >= 0.8 * shares[-1][1]:
        return ""
    steps = ", ".join(f"{share(level)} at {rate(at)}" for at, level in shares[:4])
    return f"Its share grows with the rate: {steps}."
