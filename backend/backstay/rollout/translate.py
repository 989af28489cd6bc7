"""Routing as it is stored and sent, in the wire's words, back into the planner's values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from ipaddress import ip_address, ip_network
from typing import Any

from backstay.core.model.routing import (
    Detection,
    Engine,
    EngineKind,
    Hop,
    NodeRouting,
    PolicyRoute,
    Timers,
)
from backstay.inventory.models import Node, Site
from backstay.rollout.models import Intended
from backstay.telemetry.models import DaemonState


def confirmed(site: Site, nodes: Collection[int] | None = None) -> dict[int, NodeRouting]:
    """Node id -> routing as it was confirmed last, of these nodes or of all; two queries."""
    ids = dict(site.nodes.values_list("name", "id"))
    rows = Intended.objects.filter(node__site=site, routing__isnull=False).order_by("node_id")
    rows = rows.select_related("node")
    if nodes is not None:
        rows = rows.filter(node__in=nodes)
    return {row.node_id: decode_routing(row.node, row.routing, ids) for row in rows if row.routing}


def engines(site: Site) -> dict[int, Engine]:
    """Node id -> its engine, for the nodes that the site file lets Backstay manage; two queries."""
    versions = {
        (node, daemon): version
        for node, daemon, version in DaemonState.objects.filter(node__site=site).values_list(
            "node_id", "daemon", "version"
        )
    }
    rows = site.nodes.exclude(routing={}).values_list("id", "routing")
    return {node: decode_engine(stored, versions.get((node, stored["engine"]), "")) for node, stored in rows}


def decode_engine(stored: Mapping[str, Any], version: str = "") -> Engine:
    """The site file's `routing` key as a value."""
    return Engine(
        EngineKind(stored["engine"]),
        stored["config"],
        stored.get("control", ""),
        stored.get("dump", ""),
        version,
    )


def decode_routing(node: Node, stored: Mapping[str, Any], ids: Mapping[str, int]) -> NodeRouting:
    """A node's routing in the wire's words as a value; `ids`: node name -> id. A gateway gone is 0."""
    told = stored["engine"]
    return NodeRouting(
        node=node.name,
        node_id=node.pk,
        engine=decode_engine({**told, "engine": told["kind"]}),
        routes=tuple(_decode_route(item, ids) for item in stored["routes"]),
    )


def _decode_route(stored: Mapping[str, Any], ids: Mapping[str, int]) -> PolicyRoute:
    target = stored.get("target")
    return PolicyRoute(
        policy=stored["policy"],
        prefix=ip_network(stored["prefix"]),
        hops=tuple(
            Hop(
                hop["gateway"],
                ids.get(hop["gateway"], 0),
                ip_address(hop["address"]),
                hop["port"],
                hop["preference"],
            )
            for hop in stored["hops"]
        ),
        detection=Detection(stored["detection"]),
        timers=Timers(**stored.get("timers", {})),
        target=ip_address(target) if target else None,
    )
