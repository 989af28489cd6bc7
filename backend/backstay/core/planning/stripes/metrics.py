"""Metrics of a stripe: each gateway's share, the imbalance, and the effect of losing each gateway."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backstay.core.model.policy import Stripe
from backstay.core.model.topology import Topology

Demand = Mapping[int, tuple[int, int]]
"""Node -> bit/s (out, in)."""
Order = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Load of a backup after another gateway fails, including its own nodes."""

    gateway: int
    nodes: int
    """Nodes that it takes over."""
    bps: int
    """Total load in the busier direction."""
    utilisation: float | None
    """Share of its forwarding rate; None if the rate or a node's load is unknown."""


@dataclass(frozen=True, slots=True)
class Share:
    """One gateway's part of a stripe."""

    gateway: int
    nodes: tuple[int, ...]
    share: float
    """0..1 of the balanced quantity: nodes or load."""
    bps: int
    """Traffic that its nodes send and receive."""
    usable_bps: int | None
    """Forwarding rate in one direction."""
    utilisation: float | None
    """Utilisation of that rate in the busier direction."""
    takes_over: tuple[TakeOver, ...]
    """By backup, in the stripe's order."""

    @property
    def if_lost(self) -> dict[int, int]:
        """Backup gateway -> nodes that it takes over."""
        return {item.gateway: item.nodes for item in self.takes_over}


@dataclass(frozen=True, slots=True)
class StripeMetrics:
    """Metrics of a stripe; `imbalance` is the largest ratio of share to fair share, minus 1."""

    shares: tuple[Share, ...]
    imbalance: float


def evaluate(
    stripe: Stripe, assigned: Mapping[int, Order], demand: Demand, usable: Mapping[int, int] | None = None
) -> StripeMetrics:
    """Metrics of an assignment by `stripe.assign`; `usable` is the result of `passes_on`."""
    room = usable or {}
    by_gateway = {gateway: _of(gateway, assigned) for gateway in stripe.gateways}
    bps = {gateway: sum(_carried(nodes, demand)) for gateway, nodes in by_gateway.items()}
    by_load = stripe.balance == "load" and any(bps.values())
    amount = bps if by_load else {gateway: len(nodes) for gateway, nodes in by_gateway.items()}
    total = sum(amount.values())
    shares = tuple(
        Share(
            gateway=gateway,
            nodes=nodes,
            share=amount[gateway] / total if total else 0.0,
            bps=bps[gateway],
            usable_bps=room.get(gateway),
            utilisation=_part(nodes, demand, room.get(gateway)),
            takes_over=_taken_over(nodes, assigned, by_gateway, demand, room),
        )
        for gateway, nodes in by_gateway.items()
    )
    return StripeMetrics(shares, _imbalance(shares, stripe))


def passes_on(topology: Topology, stripe: Stripe, nodes: Iterable[int]) -> dict[int, int]:
    """Gateway -> forwarding rate, bit/s: its widest port on the nodes' side or beyond, whichever is smaller.

    A gateway with ports on one side only is missing: its far side is unknown.
    """
    inside = {port.fabric_id for node in nodes for port in topology.data_ports.get(node, ())}
    found = {}
    for gateway in stripe.gateways:
        near, far = 0, 0
        for port in topology.data_ports.get(gateway, ()):
            if port.fabric_id is None:
                continue
            rate = topology.fabrics[port.fabric_id].usable_rate
            near, far = (max(near, rate), far) if port.fabric_id in inside else (near, max(far, rate))
        if near and far:
            found[gateway] = min(near, far)
    return found


def _of(gateway: int, assigned: Mapping[int, Order]) -> tuple[int, ...]:
    return tuple(node for node, order in assigned.items() if order and order[0] == gateway)


def _carried(nodes: Iterable[int], demand: Demand) -> tuple[int, int]:
    both = [demand.get(node, (0, 0)) for node in nodes]
    return sum(out for out, _ in both), sum(back for _, back in both)


def _part(nodes: Iterable[int], demand: Demand, usable: int | None) -> float | None:
    """None if any node was not measured: that is not the same as no load."""
    known = list(nodes)
    if not usable or any(node not in demand for node in known):
        return None
    return max(_carried(known, demand)) / usable


def _taken_over(
    nodes: tuple[int, ...],
    assigned: Mapping[int, Order],
    by_gateway: Mapping[int, tuple[int, ...]],
    demand: Demand,
    room: Mapping[int, int],
) -> tuple[TakeOver, ...]:
    found = []
    for backup, own in by_gateway.items():
        moved = [node for node in nodes if len(assigned[node]) > 1 and assigned[node][1] == backup]
        if moved:
            carried = (*own, *moved)
            part = _part(carried, demand, room.get(backup))
            found.append(TakeOver(backup, len(moved), max(_carried(carried, demand)), part))
    return tuple(found)


def _imbalance(shares: tuple[Share, ...], stripe: Stripe) -> float:
    weights = dict.fromkeys(stripe.gateways, 1.0)
    if stripe.balance == "weight" and len(stripe.weights) == len(stripe.gateways) and any(stripe.weights):
        weights = dict(zip(stripe.gateways, stripe.weights, strict=True))
    total = sum(weights.values())
    due = {gateway: weight / total for gateway, weight in weights.items()}
    over = [share.share / due[share.gateway] - 1 for share in shares if due[share.gateway]]
    return max(over, default=0.0) if any(share.share for share in shares) else 0.0
