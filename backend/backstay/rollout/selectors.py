"""Reads of deployed state: confirmed routes, saved state, moves, progress of policies."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Concat

from backstay.core.model.change import RUNNING
from backstay.inventory.models import Node, Site
from backstay.inventory.sql import fetch_rows
from backstay.policy.models import Path
from backstay.policy.selectors import Policy
from backstay.rollout.models import OPEN, Change, Drift, Intended, Move

OPEN_CHANGES = ("draft", "planned", "approved", "rolling", "confirming")
"""States of a change that has not ended."""
Key = tuple[int, str, str]
"""(node id, policy, prefix)."""


def is_changing(site: Site) -> bool:
    """Whether a change is in progress."""
    return Change.objects.filter(site=site, state__in=RUNNING).exists()


@dataclass(frozen=True, slots=True)
class NodeRoutingStatus:
    """A node's engine as in the site file, and its drift."""

    engine: dict[str, Any]
    compared: bool
    """Its running state was compared with the intended state, and its engine responds."""
    drift: tuple[dict[str, Any], ...]
    """Items of `Drift`."""

    def saved(self, prefix: str) -> bool | None:
        """Whether this prefix survives a reboot unchanged; None: unknown."""
        if not self.compared:
            return None
        about = [item for item in self.drift if item["what"] == prefix or item["kind"] == "file"]
        return not any(item["reboot"] for item in about)


def nodes(site: Site, only: Collection[int] | None = None) -> dict[int, NodeRoutingStatus]:
    """Node id -> status, for nodes with an engine, or for these of them; one query."""
    rows = Node.objects.filter(site=site).exclude(routing={})
    rows = rows if only is None else rows.filter(pk__in=only)
    values = rows.values_list("id", "routing", "routing_state__alive", "intended__judged_at", "drift__items")
    return {
        node: NodeRoutingStatus(engine, bool(alive) and judged_at is not None, tuple(items or ()))
        for node, engine, alive, judged_at, items in values
    }


_CONFIRMED = """
    SELECT intended.node_id, route ->> 'policy', route ->> 'prefix'
    FROM rollout_intended AS intended
    JOIN inventory_node AS node ON node.id = intended.node_id
    CROSS JOIN LATERAL jsonb_array_elements(intended.routes) AS route
    WHERE node.site_id = %(site)s AND (%(nodes)s::bigint[] IS NULL OR node.id = ANY (%(nodes)s))
      AND (%(policies)s::text[] IS NULL OR route ->> 'policy' = ANY (%(policies)s))
"""


def confirmed(
    site: Site, nodes: Collection[int] | None = None, policies: Collection[str] | None = None
) -> frozenset[Key]:
    """Node, policy and prefix of each confirmed route, of these nodes and policies, or of all. One query."""
    known = {
        "site": site.pk,
        "nodes": None if nodes is None else list(nodes),
        "policies": None if policies is None else list(policies),
    }
    return frozenset((node, policy, prefix) for node, policy, prefix in fetch_rows(_CONFIRMED, known))


def moved_paths(site: Site) -> frozenset[int]:
    """Ids of the site's paths that an operator or a drill keeps on a gateway; one query."""
    rows = Move.objects.filter(path__policy__site=site, state__in=OPEN)
    return frozenset(rows.values_list("path_id", flat=True))


def open_moves(paths: Collection[int]) -> dict[int, Move]:
    """Path id -> its active move; one query."""
    rows = Move.objects.filter(path__in=paths, state__in=OPEN).order_by("pk")
    return {move.path_id: move for move in rows}


def undetected_nodes(site: Site, shown: Iterable[Policy]) -> dict[int, tuple[int, ...]]:
    """Policy id -> ids of its members on which nothing detects a failure.

    Of policies that the site file declares not deployed: those on which no change has confirmed it. At most
    one query; other policies are missing.
    """
    undeployed = [policy for policy in shown if policy.origin == "file" and not policy.is_deployed]
    if not undeployed:
        return {}
    known = {(node, name) for node, name, _ in confirmed(site, policies={item.name for item in undeployed})}
    return {
        policy.id: tuple(node for node in policy.nodes if (node, policy.name) not in known)
        for policy in undeployed
    }


_URGENCY = Concat(
    Case(When(reboot=True, then=Value("0 ")), default=Value("1 ")), "node__name", output_field=CharField()
)


def drifting(
    site: Site, *, node: str | None = None, only: str | None = None, text: str | None = None
) -> QuerySet[Drift]:
    """Nodes that differ, with `urgency`: those that a reboot changes, then by name. `only`: `drift` or
    `reboot`; `text` looks into nodes' names."""
    rows = Drift.objects.filter(node__site=site).select_related("node").annotate(urgency=_URGENCY)
    rows = rows.filter(node__name=node) if node is not None else rows
    rows = rows.filter(node__name__icontains=text) if text else rows
    if only == "drift":
        return rows.filter(Q(running_differs=True) | Q(saved_differs=True))
    return rows.filter(reboot=True) if only == "reboot" else rows


def intended_by(nodes: Iterable[int]) -> dict[int, tuple[str | None, int | None]]:
    """Node id -> (engine, change) of what is intended."""
    rows = Intended.objects.filter(node__in=list(nodes))
    values = rows.values_list("node_id", "routing__engine__kind", "change_id")
    return {ident: (engine, change) for ident, engine, change in values}


def moves_of(path: Path, start: datetime) -> QuerySet[Move]:
    """A path's moves since a moment, the newest first."""
    return path.moves.filter(at__gt=start).order_by("-at", "-pk")
