"""What nodes run and have saved, as values that the planner can compare."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address, ip_network
from typing import Any

from backstay.core.model.routing import EngineKind, ObservedRouting, RunningHop, RunningRoute, SavedFile
from backstay.inventory.models import Site
from backstay.telemetry.models import RoutingState


def observed(site: Site, nodes: Collection[int] | None = None) -> dict[int, ObservedRouting]:
    """Node id -> what it told last, of these nodes or of all that ever told; one query."""
    rows = RoutingState.objects.filter(node__site=site).order_by("node_id")
    if nodes is not None:
        rows = rows.filter(node__in=nodes)
    return {row.node_id: observation(row) for row in rows}


def observation(row: RoutingState) -> ObservedRouting:
    """One node's row as a value."""
    return ObservedRouting(
        node_id=row.node_id,
        revision=row.revision,
        digest=row.digest,
        engine=EngineKind(row.engine),
        alive=row.alive,
        routes=tuple(_route(each) for each in row.routes),
        files=tuple(SavedFile(each["path"], each["sha256"], each["text"]) for each in row.files),
    )


def _route(stored: dict[str, Any]) -> RunningRoute:
    hops = tuple(
        RunningHop(ip_address(hop["address"]), hop["port"], hop["preference"], hop["active"])
        for hop in stored["hops"]
    )
    return RunningRoute(ip_network(stored["prefix"]), hops)
