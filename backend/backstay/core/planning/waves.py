"""Order in which nodes change: one canary, then a tenth, then all; nodes that others depend on change last.

A mistake must affect as few nodes as possible. The canary is a node that does not forward for others, of the
most common shape, with the least traffic; the tenth contains nodes of every shape. Gateways and return-path
routers change in separate waves, so that both ends of a path never change together. A change may limit the
wave size further; larger waves are then split.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from backstay.core.model.plan import NodePlan
from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import NodeRouting
from backstay.core.model.topology import Topology

Waves = tuple[tuple[int, ...], ...]
_TENTH = 10


def waves(
    topology: Topology,
    plans: Sequence[NodePlan],
    intents: Sequence[FailoverIntent],
    routings: Mapping[int, NodeRouting],
    demand: Mapping[int, tuple[int, int]],
    *,
    most: int | None = None,
) -> Waves:
    """Ids of the changing nodes, wave by wave, each of at most `most` nodes; no wave is empty."""
    changing = [plan for plan in plans if plan.changes]
    needed = _needed(topology, intents, routings)
    leaves = _mixed([plan for plan in changing if plan.routing.node_id not in needed], demand)
    others = tuple(plan.routing.node_id for plan in changing if plan.routing.node_id in needed)
    return staged(leaves, others, most)


def staged(leaves: tuple[int, ...], others: tuple[int, ...], most: int | None) -> Waves:
    """A canary, a tenth and the rest of `leaves`; then one and the rest of `others`."""
    tenth = 1 + -(-len(leaves) // _TENTH)
    return cut((leaves[:1], leaves[1:tenth], leaves[tenth:], others[:1], others[1:]), most)


def cut(parts: Iterable[tuple[int, ...]], most: int | None) -> Waves:
    """Split each part into waves of at most `most` nodes and nearly equal size; None: no limit."""
    found: list[tuple[int, ...]] = []
    for part in parts:
        pieces = 1 if most is None else -(-len(part) // most)
        found += [part[len(part) * at // pieces : len(part) * (at + 1) // pieces] for at in range(pieces)]
    return tuple(wave for wave in found if wave)


def _needed(
    topology: Topology, intents: Sequence[FailoverIntent], routings: Mapping[int, NodeRouting]
) -> set[int]:
    """Nodes that forward other nodes' traffic or return traffic."""
    passed = {node.id for node in topology.nodes.values() if topology.forwards(("node", node.id))}
    passed |= {
        hop.gateway_id for routing in routings.values() for route in routing.routes for hop in route.hops
    }
    return passed | {router for intent in intents if intent.back for router in intent.back.routers}


def _mixed(plans: list[NodePlan], demand: Mapping[int, tuple[int, int]]) -> tuple[int, ...]:
    """One node of each shape in turn, the most common shape first; within a shape the least traffic first."""
    shapes: dict[str, list[NodePlan]] = {}
    for plan in plans:
        shapes.setdefault(plan.shape, []).append(plan)
    rows = [
        sorted(members, key=lambda plan: (sum(demand.get(plan.routing.node_id, (0, 0))), plan.routing.node))
        for members in sorted(shapes.values(), key=lambda members: (-len(members), members[0].routing.node))
    ]
    return tuple(plan.routing.node_id for row in zip_longest(*rows) for plan in row if plan is not None)
