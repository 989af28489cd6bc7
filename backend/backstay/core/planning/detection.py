"""What each way of detection can see, how soon, and which engines can do it.

Probes to a gateway tell that it is alive; only probes to a target beyond tell that it forwards. A loss of
carrier on the node's own port is seen at once by all.
"""

from __future__ import annotations

from backstay.core.model.routing import Detection, Engine, EngineKind, PolicyRoute

BFD_FOR_STATICS = 9
"""First FRR whose static routes can follow BFD; 8.4 and 8.5 cannot (staticd, FRR release notes)."""

_RIP_TIMEOUT_MS = 180_000
"""RFC 2453, 3.8: what a listener waits that was not told how often its gateways announce."""
_SLOWEST_PROTOCOL_MS = {
    # ripd's `timers basic` begins at 5 s (FRR user guide, "RIP Timers").
    EngineKind.FRR: 5_000,
    EngineKind.BIRD: 1_000,
    # gated's RIP cannot be told otherwise.
    EngineKind.GATED: _RIP_TIMEOUT_MS,
}


def sees_beyond(route: PolicyRoute) -> bool:
    """Whether it is noticed that a gateway answers but forwards nothing."""
    return route.detection is Detection.CHECKER and route.target is not None


def detects_in_ms(route: PolicyRoute, engine: EngineKind) -> int:
    """Until a gateway that fell silent counts as dead, at the soonest that the engine allows."""
    asked = route.timers.detects_in_ms
    if route.detection is not Detection.PROTOCOL:
        return asked
    return max(asked, _SLOWEST_PROTOCOL_MS.get(engine, asked) if route.timers.announced else _RIP_TIMEOUT_MS)


def impossible(detection: Detection, engine: Engine) -> str:
    """Why this engine cannot detect so, as the end of `sp05 ...`; empty: it can."""
    kind = engine.kind
    if detection is Detection.BFD and kind in (EngineKind.KERNEL, EngineKind.GATED):
        return f"runs {_NAMES[kind]}, which knows no BFD"
    if detection is Detection.PROTOCOL and kind is EngineKind.KERNEL:
        return "has plain kernel routes, which speak no routing protocol"
    if detection is Detection.BFD and kind is EngineKind.FRR:
        return _frr_bfd(engine.version)
    return ""


def _frr_bfd(version: str) -> str:
    major = version.split(".", maxsplit=1)[0]
    if not major.isdigit():
        return "has not told which version of FRR it runs, and only newer ones attach BFD to a static route"
    if int(major) < BFD_FOR_STATICS:
        return f"runs FRR {version}, whose static routes cannot follow BFD before FRR {BFD_FOR_STATICS}"
    return ""


_NAMES = {
    EngineKind.KERNEL: "plain kernel routes",
    EngineKind.FRR: "FRR",
    EngineKind.BIRD: "BIRD",
    EngineKind.GATED: "gated",
}
