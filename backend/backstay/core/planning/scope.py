"""A plan for some nodes only: those that were named, and those that get again what was confirmed there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from backstay.core.model.routing import Engine, NodeRouting
from backstay.core.planning.resolve import Desired


@dataclass(frozen=True, slots=True)
class Scope:
    """Which nodes a plan may change."""

    only: frozenset[int] | None = None
    """None: every node that the policies concern. A stripe is still dealt over all of its nodes."""
    restored: frozenset[int] = frozenset()
    """Besides: nodes that shall run and save what was confirmed, whatever they run now."""


EVERYTHING = Scope()


def within(
    wanted: Desired, scope: Scope, engines: Mapping[int, Engine], confirmed: Mapping[int, NodeRouting]
) -> Desired:
    """What of `wanted` lies in scope, and what is restored."""
    routings = {node: routing for node, routing in wanted.routings.items() if _inside(scope, node)}
    again = {
        node: replace(confirmed[node], engine=engines[node])
        for node in sorted(scope.restored)
        if node in confirmed and node in engines and node not in routings
    }
    return Desired(
        routings={**routings, **again},
        off_link=tuple(item for item in wanted.off_link if _inside(scope, item.node_id)),
        unmanaged=tuple(item for item in wanted.unmanaged if _inside(scope, item[1])),
    )


def _inside(scope: Scope, node: int) -> bool:
    return scope.only is None or node in scope.only
