"""Why a path cannot be moved to a gateway on purpose now; for all paths of a drill in five queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from backstay.core.formatting import duration, listing
from backstay.core.model.freshness import is_fresh
from backstay.inventory.models import Site
from backstay.policy.models import Path
from backstay.rollout.models import OPEN, Application, Intended, Move
from backstay.telemetry.models import NodeState


@dataclass(frozen=True)
class NodeConditions:
    """What is known of the nodes of some paths, by node id; moves by path id."""

    engines: Mapping[int, dict[str, Any]]
    routings: Mapping[int, dict[str, Any]]
    changes: Mapping[int, int]
    last_reported: Mapping[int, datetime | None]
    moves: Mapping[int, Move]

    @classmethod
    def of(cls, site: Site, paths: list[Path]) -> NodeConditions:
        """Read; five queries."""
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
        )

    def hops(self, path: Path) -> list[str]:
        """The gateways of the path's policy as they were brought about on its node; empty: none were."""
        for route in self.routings.get(path.node_id, {}).get("routes", ()):
            if (route["policy"], route["prefix"]) == (path.policy.name, path.policy.prefix):
                return [hop["gateway"] for hop in route["hops"]]
        return []


def refusal_reason(nodes: NodeConditions, path: Path, gateway: str, now: datetime) -> str | None:
    """In one sentence with the next step; None: nothing is in the way. `path` comes with node and policy."""
    node, policy, hops = path.node, path.policy, nodes.hops(path)
    if not nodes.engines.get(node.pk):
        return f"{node.name} is not managed: give it a routing key in the site file and import that."
    if not hops:
        return f"{policy.name} was not brought about on {node.name}: make a change of it first."
    if gateway not in hops:
        return f"{gateway} is no gateway of {policy.name} on {node.name}: choose {listing(hops)}."
    if node.pk in nodes.changes:
        return f"Change #{nodes.changes[node.pk]} is under way on {node.name}: wait until it is over."
    move = nodes.moves.get(path.pk)
    if move is not None:
        return f"{node.name} is kept on {move.gateway} by {move.person} already: let it return first."
    return _unreachable(nodes, path, gateway, now)


def _unreachable(nodes: NodeConditions, path: Path, gateway: str, now: datetime) -> str | None:
    name, last_reported = path.node.name, nodes.last_reported.get(path.node_id)
    if last_reported is None or not is_fresh(last_reported, now, path.policy.site.interval_s):
        ago = "never" if last_reported is None else f"{duration((now - last_reported).total_seconds())} ago"
        return f"{name} was heard {ago}: nobody would know whether it moved."
    if path.liveness.get(gateway, {}).get("alive") is False:
        return f"{gateway} does not answer {name}: its traffic would be lost."
    return None
