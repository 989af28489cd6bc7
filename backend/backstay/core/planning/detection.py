"""Detection methods: which failures each method detects, how fast, and which engines support it.

Probes to a gateway show that it is alive; only probes to a target behind it show that it forwards. All
methods detect a loss of carrier on the node's own port immediately.
"""

from __future__ import annotations

from backstay.core.model.routing import (
    ENGINES,
    RIP_TIMEOUT_MS,
    Detection,
    Engine,
    EngineKind,
    PolicyRoute,
)


def sees_beyond(route: PolicyRoute) -> bool:
    """Whether it detects a gateway that is reachable but does not forward."""
    return route.is_detected and route.detection is Detection.CHECKER and route.target is not None


def detects_in_ms(route: PolicyRoute, engine: EngineKind) -> int:
    """Minimum time until an unreachable gateway counts as dead, given the engine's limits."""
    requested = route.timers.detects_in_ms
    if route.detection is not Detection.PROTOCOL:
        return requested
    if not route.timers.announced:
        return max(requested, RIP_TIMEOUT_MS)
    return max(requested, ENGINES[engine].min_protocol_ms or requested)


def switches_in_ms(route: PolicyRoute, engine: EngineKind) -> int:
    """Time from a decision until the kernel forwards by another gateway, as measured.

    BFD and routing protocols decide inside the engine: only the checker has to make it switch.
    """
    return ENGINES[engine].switch_ms if route.detection is Detection.CHECKER else 0


def recovers_in_ms(route: PolicyRoute, engine: EngineKind) -> int:
    """Time from a gateway's failure until traffic takes another one: detection and the engine's switch."""
    return detects_in_ms(route, engine) + switches_in_ms(route, engine)


def unsupported(detection: Detection, engine: Engine) -> str:
    """Reason why the engine does not support the method, to follow the node's name; empty if it does."""
    spec = engine.spec
    if detection not in spec.detections:
        engine_name = spec.description or spec.label
        if detection is Detection.BFD:
            return f"cannot use BFD with {engine_name}"
        return f"has {engine_name}, without a routing protocol"
    if detection is Detection.BFD and spec.bfd_since:
        return _bfd_version(engine)
    return ""


def _bfd_version(engine: Engine) -> str:
    label, since = engine.spec.label, engine.spec.bfd_since
    major = engine.version.split(".", maxsplit=1)[0]
    if not major.isdigit():
        return (
            f"has not reported its {label} version, and static routes can use BFD only since {label} {since}"
        )
    if int(major) < since:
        return f"runs {label} {engine.version}, whose static routes cannot use BFD before {label} {since}"
    return ""
