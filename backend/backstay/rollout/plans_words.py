"""The one crossing between routing as values and as rows keep it: JSON in the wire's words.

`api.agent` sends these words as they stand; the planner and the comparison with what runs read them back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_network
from typing import Any

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
from backstay.telemetry.models import RoutingState

Words = dict[str, Any]
Variants = Mapping[tuple[str, str], Mapping[str, str]]
"""(policy, prefix) -> gateway -> text."""
_TIMERS = ("interval_ms", "fail_after", "recover_after", "hold_down_s", "revert", "revert_after_s")


def engine_value(stored: Words, version: str = "") -> Engine:
    """`Node.routing` or the wire's `Engine`."""
    kind = stored.get("engine") or stored["kind"]
    return Engine(
        EngineKind(kind), stored["config"], stored.get("control", ""), stored.get("dump", ""), version
    )


def routing_words(
    routing: NodeRouting, files: Iterable[FileDifference], variants: Variants, revision: int = 0
) -> Words:
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
            _route_words(route, variants.get((route.policy, str(route.prefix)), {}))
            for route in routing.routes
        ],
        "files": [{"path": file.path, "text": file.after, "base": file.base} for file in files],
    }


def _route_words(route: PolicyRoute, variants: Mapping[str, str]) -> Words:
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


def routing_value(node: str, node_id: int, words: Words, numbers: Mapping[str, int]) -> NodeRouting:
    """What was confirmed on a node. `numbers`: node name -> id.

    A gateway that the site no longer has is left out, and with its last gateway a route: nobody can plan
    with them, so the next plan takes them away.
    """
    routes = (_route_value(route, numbers) for route in words["routes"])
    engine = engine_value(words["engine"])
    return NodeRouting(node, node_id, engine, tuple(route for route in routes if route.hops))


def _route_value(words: Words, numbers: Mapping[str, int]) -> PolicyRoute:
    return PolicyRoute(
        policy=words["policy"],
        prefix=ip_network(words["prefix"]),
        hops=tuple(
            Hop(
                hop["gateway"],
                numbers[hop["gateway"]],
                ip_address(hop["address"]),
                hop["port"],
                hop["preference"],
            )
            for hop in words["hops"]
            if hop["gateway"] in numbers
        ),
        detection=Detection(words["detection"]),
        timers=Timers(**words["timers"]),
        target=None if words["target"] is None else ip_address(words["target"]),
    )


def observed_value(row: RoutingState) -> ObservedRouting:
    """What a node runs and has saved."""
    return ObservedRouting(
        node_id=row.node_id,
        revision=row.revision,
        digest=row.digest,
        engine=EngineKind(row.engine),
        alive=row.alive,
        routes=tuple(
            RunningRoute(ip_network(route["prefix"]), tuple(_running(hop) for hop in route["hops"]))
            for route in row.routes
        ),
        files=tuple(SavedFile(file["path"], file["sha256"], file["text"]) for file in row.files),
    )


def _running(hop: Words) -> RunningHop:
    return RunningHop(ip_address(hop["address"]), hop["port"], hop["preference"], hop["active"])
