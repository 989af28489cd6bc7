"""In which order nodes change: one first, then a tenth, then all; and last those on which others depend.

A mistake shall hit as few as possible. The first is a node that nobody routes through, of the commonest
shape, with the least traffic; the tenth has some of every shape. Gateways and the routers of a way back
change in waves of their own, so that both ends of one way never change at once. Whoever proposes a change may
ask for smaller waves still: what does not fit in one follows in further ones.
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
    """Ids of the nodes that change at all, wave by wave, each of at most `most`; no wave is empty."""
    changing = [plan for plan in plans if plan.changes]
    needed = _needed(topology, intents, routings)
    leaves = _mixed([plan for plan in changing if plan.routing.node_id not in needed], demand)
    others = tuple(plan.routing.node_id for plan in changing if plan.routing.node_id in needed)
    tenth = 1 + -(-len(leaves) // _TENTH)
    parts = (leaves[:1], leaves[1:tenth], leaves[tenth:], others[:1], others[1:])
    return cut(parts, most)


def cut(parts: Iterable[tuple[int, ...]], most: int | None) -> Waves:
    """The parts in waves of at most `most` nodes, those of one part as equal as can be; None: as they are."""
    found: list[tuple[int, ...]] = []
    for part in parts:
        pieces = 1 if most is None else -(-len(part) // most)
        found += [part[len(part) * at // pieces : len(part) * (at + 1) // pieces] for at in range(pieces)]
    return tuple(wave for wave in found if wave)


def _needed(
    topology: Topology, intents: Sequence[FailoverIntent], routings: Mapping[int, NodeRouting]
) -> set[int]:
    """Nodes that others' traffic passes, or that bring it back."""
    passed = {node.id for node in topology.nodes.values() if topology.forwards(("node", node.id))}
    passed |= {
        hop.gateway_id for routing in routings.values() for route in routing.routes for hop in route.hops
    }
    return passed | {router for intent in intents if intent.back for router in intent.back.routers}


def _mixed(plans: list[NodePlan], demand: Mapping[int, tuple[int, int]]) -> tuple[int, ...]:
    """One of each shape in turn, the commonest shape first; in each shape the least traffic first."""
    shapes: dict[str, list[NodePlan]] = {}
    for plan in plans:
        shapes.setdefault(plan.shape, []).append(plan)
    rows = [
        sorted(members, key=lambda plan: (sum(demand.get(plan.routing.node_id, (0, 0))), plan.routing.node))
        for members in sorted(shapes.values(), key=lambda members: (-len(members), members[0].routing.node))
    ]
    return tuple(plan.routing.node_id for row in zip_longest(*rows) for plan in row if plan is not None)
