"""Conversion of routing and ARP between core values and wire format, as stored in plans and intended state.

Stored ARP also records the fabric of each part, which the wire's `NodeArp` does not: a change of one fabric
keeps the parts of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from ipaddress import ip_address, ip_network
from typing import Any

from backstay.core.model.arp import (
    ArpFiles,
    FabricArp,
    NodeArp,
    ObservedArp,
    PortArp,
    RunningPortArp,
    Settings,
    StaticNeighbour,
)
from backstay.core.model.plan import FileDifference
from backstay.core.model.routing import (
    Detection,
    Engine,
    EngineKind,
    Hop,
    NodeRouting,
    ObservedRouting,
    PolicyRoute,
    RunningHop,
    RunningRoute,
    SavedFile,
    Timers,
)
from backstay.inventory.models import Node, Site
from backstay.rollout.models import Intended
from backstay.telemetry.models import ArpState, DaemonState, RoutingState

WireDict = dict[str, Any]
Variants = Mapping[tuple[str, str], Mapping[str, str]]
"""(policy, prefix) -> gateway -> file text."""
_TIMERS = ("interval_ms", "fail_after", "recover_after", "hold_down_s", "revert", "revert_after_s")


def encode_routing(
    routing: NodeRouting, files: Iterable[FileDifference], variants: Variants, revision: int = 0
) -> WireDict:
    """Wire `NodeRouting`."""
    engine = routing.engine
    return {
        "revision": revision,
        "engine": {
            "kind": engine.kind.value,
            "config": engine.config,
            "control": engine.control,
            "dump": engine.dump,
        },
        "routes": [
            _encode_route(route, variants.get((route.policy, str(route.prefix)), {}))
            for route in routing.routes
        ],
        "files": [{"path": file.path, "text": file.after, "base": file.base} for file in files],
    }


def _encode_route(route: PolicyRoute, variants: Mapping[str, str]) -> WireDict:
    return {
        "policy": route.policy,
        "prefix": str(route.prefix),
        "hops": [
            {
                "gateway": hop.gateway,
                "address": str(hop.address),
                "port": hop.port,
                "preference": hop.preference,
            }
            for hop in route.hops
        ],
        "detection": route.detection.value,
        "timers": {name: getattr(route.timers, name) for name in _TIMERS},
        "target": None if route.target is None else str(route.target),
        "variants": dict(variants),
    }


def decode_observed_routing(row: RoutingState) -> ObservedRouting:
    """A node's running and saved state."""
    return ObservedRouting(
        node_id=row.node_id,
        revision=row.revision,
        digest=row.digest,
        engine=EngineKind(row.engine),
        alive=row.alive,
        routes=tuple(
            RunningRoute(
                ip_network(route["prefix"]),
                tuple(_decode_running_hop(hop) for hop in route["hops"]),
                route.get("loaded", True),
            )
            for route in row.routes
        ),
        files=tuple(SavedFile(file["path"], file["sha256"], file["text"]) for file in row.files),
        detail=row.detail,
    )


def _decode_running_hop(hop: WireDict) -> RunningHop:
    return RunningHop(ip_address(hop["address"]), hop["port"], hop["preference"], hop["active"])


def confirmed(site: Site, nodes: Collection[int] | None = None) -> dict[int, NodeRouting]:
    """Node id -> last confirmed routing, of these nodes or all; two queries."""
    ids = dict(site.nodes.values_list("name", "id"))
    rows = Intended.objects.filter(node__site=site, routing__isnull=False).order_by("node_id")
    rows = rows.select_related("node")
    if nodes is not None:
        rows = rows.filter(node__in=nodes)
    return {row.node_id: decode_routing(row.node, row.routing, ids) for row in rows if row.routing}


def engines(site: Site) -> dict[int, Engine]:
    """Node id -> engine, for nodes with a `routing` key in the site file; two queries."""
    versions = {
        (node, daemon): version
        for node, daemon, version in DaemonState.objects.filter(node__site=site).values_list(
            "node_id", "daemon", "version"
        )
    }
    rows = site.nodes.exclude(routing={}).values_list("id", "routing")
    return {node: decode_engine(stored, versions.get((node, stored["engine"]), "")) for node, stored in rows}


def decode_engine(stored: Mapping[str, Any], version: str = "") -> Engine:
    """The site file's `routing` key."""
    return Engine(
        EngineKind(stored["engine"]),
        stored["config"],
        stored.get("control", ""),
        stored.get("dump", ""),
        version,
    )


def decode_routing(node: Node, stored: Mapping[str, Any], ids: Mapping[str, int]) -> NodeRouting:
    """Wire `NodeRouting`; `ids`: node name -> id. A removed gateway has id 0."""
    kept = stored["engine"]
    return NodeRouting(
        node=node.name,
        node_id=node.pk,
        engine=decode_engine({**kept, "engine": kept["kind"]}),
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


def encode_arp(arp: NodeArp, files: Iterable[FileDifference], revision: int = 0) -> WireDict:
    """`{revision, fabrics: [{fabric, ports, table}], files}`."""
    return {
        "revision": revision,
        "fabrics": [
            {
                "fabric": fabric.fabric,
                "ports": [_encode_arp_port(port) for port in fabric.ports],
                "table": dict(fabric.table),
            }
            for fabric in arp.fabrics
        ],
        "files": [{"path": file.path, "text": file.after, "base": file.base} for file in files],
    }


def _encode_arp_port(port: PortArp) -> WireDict:
    return {
        "port": port.port,
        "arp": port.arp,
        "settings": dict(port.settings),
        "neighbours": [
            {"address": str(neighbour.address), "mac": neighbour.mac} for neighbour in port.neighbours
        ],
    }


def wire_arp(stored: Mapping[str, Any], revision: int) -> WireDict:
    """Wire `NodeArp`."""
    fabrics = stored["fabrics"]
    return {
        "revision": revision,
        "ports": [port for fabric in fabrics for port in fabric["ports"]],
        "table": {name: value for fabric in fabrics for name, value in fabric["table"].items()},
        "files": stored["files"],
    }


def decode_arp(node: str, ident: int, files: ArpFiles, stored: Mapping[str, Any]) -> NodeArp:
    """Decode the result of `encode_arp`."""
    fabrics = tuple(
        FabricArp(
            fabric["fabric"],
            tuple(_decode_arp_port(port) for port in fabric["ports"]),
            _decode_settings(fabric["table"]),
        )
        for fabric in stored["fabrics"]
    )
    return NodeArp(node, ident, files, fabrics)


def _decode_arp_port(stored: Mapping[str, Any]) -> PortArp:
    return PortArp(
        stored["port"],
        stored["arp"],
        _decode_settings(stored["settings"]),
        _decode_neighbours(stored["neighbours"]),
    )


def _decode_neighbours(stored: Iterable[Mapping[str, str]]) -> tuple[StaticNeighbour, ...]:
    return tuple(StaticNeighbour(ip_address(item["address"]), item["mac"].lower()) for item in stored)


def _decode_settings(stored: Mapping[str, int]) -> Settings:
    return tuple(sorted(stored.items()))


def decode_observed_arp(row: ArpState) -> ObservedArp:
    """A node's running and saved state."""
    return ObservedArp(
        node_id=row.node_id,
        revision=row.revision,
        digest=row.digest,
        ports=tuple(
            RunningPortArp(
                port["port"],
                port["arp"],
                port["mac"].lower(),
                _decode_settings(port["settings"]),
                _decode_neighbours(port["neighbours"]),
            )
            for port in row.ports
        ),
        table=_decode_settings(row.table),
        files=tuple(SavedFile(file["path"], file["sha256"], file["text"]) for file in row.files),
    )


def decode_arp_files(stored: Mapping[str, str]) -> ArpFiles:
    """The site file's `arp` key."""
    return ArpFiles(stored["config"], stored["settings"])
