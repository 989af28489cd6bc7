"""Restrict a plan to some nodes, and bring nodes to their confirmed or an earlier routing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from backstay.core.model.routing import Engine, NodeRouting
from backstay.core.planning.resolve import Desired


@dataclass(frozen=True, slots=True)
class Scope:
    """Nodes that a plan may change."""

    only: frozenset[int] | None = None
    """None: every node of the policies. A stripe is always distributed over all of its nodes."""
    restored: frozenset[int] = frozenset()
    """Additional nodes to restore to the confirmed routing, whatever they run now."""
    targets: Mapping[int, NodeRouting] = field(default_factory=dict)
    """Node id -> routing to bring the node to instead of its confirmed one (undo)."""


EVERYTHING = Scope()


def within(
    wanted: Desired, scope: Scope, engines: Mapping[int, Engine], confirmed: Mapping[int, NodeRouting]
) -> Desired:
    """`wanted` reduced to the scope, plus the restored nodes and those with a target."""
    routings = {node: routing for node, routing in wanted.routings.items() if _inside(scope, node)}
    again = {
        node: replace(confirmed[node], engine=engines[node])
        for node in sorted(scope.restored)
        if node in confirmed and node in engines and node not in routings
    }
    earlier = {
        node: replace(routing, engine=engines[node])
        for node, routing in sorted(scope.targets.items())
        if node in engines
    }
    return Desired(
        routings={**routings, **again, **earlier},
        off_link=tuple(item for item in wanted.off_link if _inside(scope, item.node_id)),
        unmanaged=tuple(item for item in wanted.unmanaged if _inside(scope, item[1])),
    )


def _inside(scope: Scope, node: int) -> bool:
    return scope.only is None or node in scope.only
