"""What a stripe comes to: each gateway's share, how even it is, and what the loss of each would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from backstay.core.model.policy import Stripe


@dataclass(frozen=True, slots=True)
class Share:
    """One gateway's part of a stripe."""

    gateway: int
    nodes: tuple[int, ...]
    share: float
    """0..1 of what is balanced: nodes, or load."""
    bps: int
    """What its nodes send and receive."""
    if_lost: dict[int, int]
    """Backup gateway -> nodes that it would take over."""


@dataclass(frozen=True, slots=True)
class StripeFigures:
    """A stripe in figures; `imbalance` is the largest share over what is its due, minus 1."""

    shares: tuple[Share, ...]
    imbalance: float


def figures(
    stripe: Stripe, assigned: Mapping[int, tuple[int, ...]], demand: Mapping[int, tuple[int, int]]
) -> StripeFigures:
    """Of an assignment as `stripe.assign` makes it; demand in bit/s (out, in)."""
    by_gateway = {gateway: _of(gateway, assigned) for gateway in stripe.gateways}
    bps = {
        gateway: sum(sum(demand.get(node, (0, 0))) for node in nodes) for gateway, nodes in by_gateway.items()
    }
    by_load = stripe.balance == "load" and any(bps.values())
    amount = bps if by_load else {gateway: len(nodes) for gateway, nodes in by_gateway.items()}
    total = sum(amount.values())
    shares = tuple(
        Share(
            gateway=gateway,
            nodes=nodes,
            share=amount[gateway] / total if total else 0.0,
            bps=bps[gateway],
            if_lost=dict(Counter(assigned[node][1] for node in nodes if len(assigned[node]) > 1)),
        )
        for gateway, nodes in by_gateway.items()
    )
    return StripeFigures(shares, _imbalance(shares, stripe))


def _of(gateway: int, assigned: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(node for node, order in assigned.items() if order and order[0] == gateway)


def _imbalance(shares: tuple[Share, ...], stripe: Stripe) -> float:
    weights = dict.fromkeys(stripe.gateways, 1.0)
    if stripe.balance == "weight" and len(stripe.weights) == len(stripe.gateways) and any(stripe.weights):
        weights = dict(zip(stripe.gateways, stripe.weights, strict=True))
    total = sum(weights.values())
    due = {gateway: weight / total for gateway, weight in weights.items()}
    over = [share.share / due[share.gateway] - 1 for share in shares if due[share.gateway]]
    return max(over, default=0.0) if any(share.share for share in shares) else 0.0
