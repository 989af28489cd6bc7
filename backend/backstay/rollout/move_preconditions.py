"""Preconditions of moves and drills; six queries for all paths of a drill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from backstay.core.formatting import duration, listing
from backstay.core.model.freshness import is_fresh
from backstay.inventory.models import Site
from backstay.policy.holds import describe_hold, open_holds
from backstay.policy.models import Hold, Path
from backstay.rollout.models import OPEN, Application, Intended, Move
from backstay.telemetry.models import NodeState


@dataclass(frozen=True)
class NodeConditions:
    """State of the nodes of some paths, by node id; moves by path id."""

    engines: Mapping[int, dict[str, Any]]
    routings: Mapping[int, dict[str, Any]]
    changes: Mapping[int, int]
    last_reported: Mapping[int, datetime | None]
    moves: Mapping[int, Move]
    holds: Mapping[int, Hold]

    @classmethod
    def of(cls, site: Site, paths: list[Path]) -> NodeConditions:
        """Six queries."""
        nodes = [path.node_id for path in paths]
        running = Application.objects.filter(node__in=nodes, change__state__in=["rolling", "confirming"])
        return cls(
            engines=dict(site.nodes.filter(pk__in=nodes).values_list("pk", "routing")),
            routings={
                node: routing
                for node, routing in Intended.objects.filter(node__in=nodes).values_list("node_id", "routing")
                if routing is not None
            },
            changes=dict(running.values_list("node_id", "change_id")),
            last_reported=dict(
                NodeState.objects.filter(node__in=nodes).values_list("node_id", "last_reported_at")
            ),
            moves={move.path_id: move for move in Move.objects.filter(path__in=paths, state__in=OPEN)},
            holds=open_holds(nodes),
        )

    def hops(self, path: Path) -> list[str]:
        """The deployed gateways of the path's policy on its node; empty: not deployed."""
        for route in self.routings.get(path.node_id, {}).get("routes", ()):
            if (route["policy"], route["prefix"]) == (path.policy.name, path.policy.prefix):
                return [hop["gateway"] for hop in route["hops"]]
        return []


def refusal_reason(nodes: NodeConditions, path: Path, gateway: str, now: datetime) -> str | None:
    """Why the path cannot be moved, with the next step; None: it can. `path` comes with node and policy."""
    node, policy, hops = path.node, path.policy, nodes.hops(path)
    if not nodes.engines.get(node.pk):
        return f"{node.name} is not managed: add a `routing:` key to the site file and import it."
    if not hops:
        return f"{policy.name} is not deployed on {node.name}: deploy it first."
    if gateway not in hops:
        return f"{gateway} is not a gateway of {policy.name} on {node.name}: choose {listing(hops)}."
    return _occupied(nodes, path, now) or _unreachable(nodes, path, gateway, now)


def _occupied(nodes: NodeConditions, path: Path, now: datetime) -> str | None:
    """What else controls the node's routes."""
    node = path.node
    if node.pk in nodes.changes:
        return f"Change #{nodes.changes[node.pk]} is in progress on {node.name}: wait until it ends."
    if node.pk in nodes.holds:
        return f"{node.name} is {describe_hold(nodes.holds[node.pk], now)}: end the hold first."
    move = nodes.moves.get(path.pk)
    if move is not None:
        return f"{move.person} already moved {node.name} to {move.gateway}: let it return first."
    return None


def _unreachable(nodes: NodeConditions, path: Path, gateway: str, now: datetime) -> str | None:
    name, last_reported = path.node.name, nodes.last_reported.get(path.node_id)
    if last_reported is None or not is_fresh(last_reported, now, path.policy.site.interval_s):
        ago = "never" if last_reported is None else f"{duration((now - last_reported).total_seconds())} ago"
        return f"{name} reported {ago}: the result of a move could not be observed."
    if path.liveness.get(gateway, {}).get("alive") is False:
        return f"{gateway} does not respond to {name}: traffic would be lost."
    return None
