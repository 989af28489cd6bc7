"""Stripes: distribute n nodes evenly over k parallel gateways with backups, moving as few as possible.

A stripe assigns *units*: single nodes, or all nodes with the same value of a label (San Diego's quadrants).
Units keep their current gateway. New units go to the least loaded gateway, the largest first (LPT: R. L.
Graham, "Bounds on Multiprocessing Timing Anomalies", 1969). Then units are moved or exchanged while that
improves the balance. If the sizes allow, consecutive nodes stay on one gateway, so that few return prefixes
are needed. The order is by node number and name: equal input gives an equal stripe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backstay.core.model.policy import Stripe
from backstay.core.model.topology import Topology
from backstay.core.planning.groups import in_order
from backstay.core.planning.stripes.balanced_partition import Bins, quotas

SETTLED = 0.10
"""Load varies from hour to hour: no node moves for a smaller imbalance."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """Nodes that stay together; `size` is balanced."""

    nodes: tuple[int, ...]
    size: int


def assign(
    topology: Topology,
    nodes: Sequence[int],
    stripe: Stripe,
    demand: Mapping[int, tuple[int, int]],
    now: Mapping[int, int],
) -> dict[int, tuple[int, ...]]:
    """Node -> its gateways in order: its own and `stripe.backups` others.

    `demand` is bit/s (out, in), used only with balance by load; `now` is each node's current gateway, if any.
    Every gateway's nodes have their backups distributed over the other gateways.
    """
    units = _units(topology, nodes, stripe, demand)
    if not stripe.gateways:
        return dict.fromkeys(nodes, ())
    capacities = _capacities(stripe)
    bins = Bins([unit.size for unit in units], capacities)
    for at, unit in enumerate(units):
        own = _present(unit, stripe, now)
        if own is not None and (capacities[own] or not any(capacities)):
            bins.put(at, own)
    _deal(bins)
    settled = SETTLED if stripe.balance == "load" and len(now) else 0.0
    bins.even_out(settled)
    return _with_backups(units, bins.where, stripe, capacities)


def _units(
    topology: Topology, nodes: Sequence[int], stripe: Stripe, demand: Mapping[int, tuple[int, int]]
) -> list[_Unit]:
    together: dict[tuple[str, int], list[int]] = {}
    for node in in_order(topology, list(nodes)):
        label = dict(topology.nodes[node].labels).get(stripe.by_label) if stripe.by_label else None
        together.setdefault((label, 0) if label is not None else ("", node), []).append(node)
    measured = stripe.balance == "load" and any(sum(demand.get(node, (0, 0))) for node in nodes)
    return [
        _Unit(tuple(members), sum(sum(demand.get(node, (0, 0))) for node in members))
        if measured
        else _Unit(tuple(members), len(members))
        for members in together.values()
    ]


def _capacities(stripe: Stripe) -> list[float]:
    if stripe.balance == "weight" and len(stripe.weights) == len(stripe.gateways):
        return [max(weight, 0.0) for weight in stripe.weights]
    return [1.0] * len(stripe.gateways)


def _present(unit: _Unit, stripe: Stripe, now: Mapping[int, int]) -> int | None:
    """The gateway of most nodes of the unit."""
    places = [stripe.gateways.index(now[node]) for node in unit.nodes if now.get(node) in stripe.gateways]
    return max(sorted(set(places)), key=places.count) if places else None


def _deal(bins: Bins) -> None:
    """Units without a gateway: in blocks if all have the same size, otherwise the largest first."""
    left = bins.left()
    if len({bins.sizes[at] for at in left}) > 1:
        for at in sorted(left, key=lambda at: (-bins.sizes[at], at)):
            bins.put(at, bins.emptiest(bins.sizes[at]))
        return
    room = bins.room(len(left))
    for place, many in enumerate(room):
        for at in left[sum(room[:place]) : sum(room[:place]) + many]:
            bins.put(at, place)


def _with_backups(
    units: list[_Unit], where: Sequence[int | None], stripe: Stripe, capacities: list[float]
) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    for place, gateway in enumerate(stripe.gateways):
        mine = [unit for at, unit in enumerate(units) if where[at] == place]
        others = [*range(place + 1, len(stripe.gateways)), *range(place)]
        share = quotas(len(mine), [capacities[other] for other in others]) if others else []
        firsts = [at for at, many in enumerate(share) for _ in range(many)]
        for number, unit in enumerate(mine):
            rotation = others[firsts[number] :] + others[: firsts[number]] if others else []
            backups = tuple(stripe.gateways[other] for other in rotation[: stripe.backups])
            found.update(dict.fromkeys(unit.nodes, (gateway, *backups)))
    return found
