"""Root causes of incidents: one dead gateway has many effects.

An unreachable gateway is the root cause of failed-over policies, of ports that face it and are down, and of
dead paths via it. If the gateway itself still reports (its links were cut), the policy incident that opened
first is the root cause. An unreachable device is caused by the node whose agent polls it, if that node is
unreachable too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum


class CauseRank(IntEnum):
    """Role of an incident kind; of two possible root causes the lower rank wins."""

    NODE_UNREACHABLE = 0
    FAILED_OVER = 1
    EFFECT = 2
    """Can have a root cause; cannot be one."""
    INDEPENDENT = 3
    """Never caused by a dead gateway; the incident's own subject can be the reason why the gateway is dead.
    """


@dataclass(frozen=True, slots=True)
class Trouble:
    """The fields of an open incident that the cause search needs."""

    id: int
    rank: CauseRank
    opened_at: datetime
    nodes: frozenset[int]
    """The node itself, the failed gateway, both ends of a link, or the gateways of a path."""


def explain(
    troubles: Iterable[Trouble], gateways: frozenset[int], watchers: Mapping[int, int]
) -> dict[int, int | None]:
    """Map each incident id to the id of its root cause (never a chain), or None if it has none.

    `watchers` maps a device to the node whose agent polls it.
    """
    known = sorted(troubles, key=lambda trouble: (trouble.opened_at, trouble.id))
    roots = {gateway: root for gateway in gateways if (root := _root(known, gateway)) is not None}
    causes = {trouble.id: _cause(trouble, roots) for trouble in known}
    causes |= _collector_causes(known, watchers)
    return {effect: _end(effect, causes) for effect in causes}


def _collector_causes(known: list[Trouble], watchers: Mapping[int, int]) -> dict[int, int | None]:
    """Unreachable devices whose collecting agent's node is unreachable too."""
    unreachable = {
        node: trouble.id
        for trouble in known
        if trouble.rank == CauseRank.NODE_UNREACHABLE
        for node in trouble.nodes
    }
    return {
        incident: unreachable[watchers[node]]
        for node, incident in unreachable.items()
        if watchers.get(node, node) != node and watchers[node] in unreachable
    }


def _end(effect: int, causes: dict[int, int | None]) -> int | None:
    """The last cause of a chain; None for a cycle, which `watchers` can form."""
    seen, cause = {effect}, causes[effect]
    while cause is not None and causes.get(cause) is not None:
        if cause in seen:
            return None
        seen.add(cause)
        cause = causes[cause]
    return cause


def _root(known: list[Trouble], gateway: int) -> Trouble | None:
    roots = (item for item in known if item.rank < CauseRank.EFFECT and gateway in item.nodes)
    return min(roots, key=lambda item: item.rank, default=None)


def _cause(trouble: Trouble, roots: dict[int, Trouble]) -> int | None:
    if trouble.rank == CauseRank.INDEPENDENT or any(root.id == trouble.id for root in roots.values()):
        return None
    explaining = [root for gateway, root in roots.items() if gateway in trouble.nodes]
    if not explaining:
        return None
    return min(explaining, key=lambda root: (root.rank, root.opened_at, root.id)).id
