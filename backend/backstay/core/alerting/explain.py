"""Which incident explains which: a dead gateway is one cause with many effects.

A silent gateway explains that policies left it, that the ports facing it are down and that paths over it
are dead. When the gateway itself still answers (its links were cut), the policy incident that was seen
first stands for it. A device that is silent because the agent that polls it is silent is explained by that
agent's node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
_TABLES = ("neighbour_table", "neighbour_flood", "neighbour_clash")
_UNCAUSED = frozenset(
    {"saturation", "device_alarm", "device_state", "circuit", "extension", "clock", *_TABLES}
)
"""Kinds that a dead gateway does not bring about: what its own parts say may rather be why it is dead."""


def explain(
    troubles: Iterable[Trouble], gateways: frozenset[int], watchers: Mapping[int, int]
) -> dict[int, int | None]:
    """Incident id -> id of its cause, None for a root. Never a chain: every effect names its root.

    `watchers` maps a device to the node whose agent polls it.
    """
    known = sorted(troubles, key=lambda trouble: (trouble.opened_at, trouble.id))
    roots = {gateway: root for gateway in gateways if (root := _root(known, gateway)) is not None}
    causes = {trouble.id: _cause(trouble, roots) for trouble in known}
    causes |= _blind(known, watchers)
    return {effect: _end(effect, causes) for effect in causes}


def _blind(known: list[Trouble], watchers: Mapping[int, int]) -> dict[int, int | None]:
    """Silent devices whose watcher is silent too."""
    silent = {node: trouble.id for trouble in known if trouble.kind == "node_stale" for node in trouble.nodes}
    return {
        incident: silent[watchers[node]]
        for node, incident in silent.items()
        if watchers.get(node, node) != node and watchers[node] in silent
    }


def _end(effect: int, causes: dict[int, int | None]) -> int | None:
    """The last cause of a chain; a circle, which watchers could form, explains nothing."""
    seen, cause = {effect}, causes[effect]
    while cause is not None and causes.get(cause) is not None:
        if cause in seen:
            return None
        seen.add(cause)
        cause = causes[cause]
    return cause


def _root(known: list[Trouble], gateway: int) -> Trouble | None:
    for kind in _ROOTS:
        for trouble in known:
            if trouble.kind == kind and gateway in trouble.nodes:
                return trouble
    return None


def _cause(trouble: Trouble, roots: dict[int, Trouble]) -> int | None:
    if trouble.kind in _UNCAUSED or any(root.id == trouble.id for root in roots.values()):
        return None
    explaining = [root for gateway, root in roots.items() if gateway in trouble.nodes]
    if not explaining:
        return None
    return min(explaining, key=lambda root: (_ROOTS.index(root.kind), root.opened_at, root.id)).id
