"""Which incident explains which: a dead gateway is one cause with many effects.

A silent gateway explains that policies left it, that the ports facing it are down and that paths over it
are dead. When the gateway itself still answers (its links were cut), the policy incident that was seen
first stands for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Trouble:
    """An open incident, reduced to what decides about causes."""

    id: int
    kind: str
    opened_at: datetime
    nodes: frozenset[int]
    """Whom it touches: the node itself, the gateway that was left, a link's two ends, a path's gateways."""


_ROOTS = ("node_stale", "gateway_failed_over")
"""Kinds that may explain others, the stronger explanation first."""


def explain(troubles: Iterable[Trouble], gateways: frozenset[int]) -> dict[int, int | None]:
    """Incident id -> id of its cause, None for a root. Never a chain: every effect names its root."""
    known = sorted(troubles, key=lambda trouble: (trouble.opened_at, trouble.id))
    roots = {gateway: root for gateway in gateways if (root := _root(known, gateway)) is not None}
    return {trouble.id: _cause(trouble, roots) for trouble in known}


def _root(known: list[Trouble], gateway: int) -> Trouble | None:
    for kind in _ROOTS:
        for trouble in known:
            if trouble.kind == kind and gateway in trouble.nodes:
                return trouble
    return None


def _cause(trouble: Trouble, roots: dict[int, Trouble]) -> int | None:
    if trouble.kind == "saturation" or any(root.id == trouble.id for root in roots.values()):
        return None
    explaining = [root for gateway, root in roots.items() if gateway in trouble.nodes]
    if not explaining:
        return None
    return min(explaining, key=lambda root: (_ROOTS.index(root.kind), root.opened_at, root.id)).id
