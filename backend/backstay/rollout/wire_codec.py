"""Planned routing in the wire's words, as plans keep it and `api.agent` sends it; what nodes told, as values.

The way back from the wire's words is `translate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_network
from typing import Any

from backstay.core.model.plan import FileDifference
from backstay.core.model.routing import (
    EngineKind,
    NodeRouting,
    ObservedRouting,
    PolicyRoute,
    RunningHop,
    RunningRoute,
    SavedFile,
)
from backstay.telemetry.models import RoutingState

WireDict = dict[str, Any]
Variants = Mapping[tuple[str, str], Mapping[str, str]]
"""(policy, prefix) -> gateway -> text."""
_TIMERS = ("interval_ms", "fail_after", "recover_after", "hold_down_s", "revert", "revert_after_s")


def encode_routing(
    routing: NodeRouting, files: Iterable[FileDifference], variants: Variants, revision: int = 0
) -> WireDict:
    """The wire's `NodeRouting`."""
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
    """What a node runs and has saved."""
    return ObservedRouting(
        node_id=row.node_id,
        revision=row.revision,
        digest=row.digest,
        engine=EngineKind(row.engine),
        alive=row.alive,
        routes=tuple(
            RunningRoute(
                ip_network(route["prefix"]), tuple(_decode_running_hop(hop) for hop in route["hops"])
            )
            for route in row.routes
        ),
        files=tuple(SavedFile(file["path"], file["sha256"], file["text"]) for file in row.files),
    )


def _decode_running_hop(hop: WireDict) -> RunningHop:
    return RunningHop(ip_address(hop["address"]), hop["port"], hop["preference"], hop["active"])
