"""Gateways: the use that one path makes of one, and the role of a gateway over all its paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from backstay.core.formatting import count
from backstay.core.model.state.node import Reachability, reachability
from backstay.core.model.state.path import EndToEnd, Standby
from backstay.core.model.state.rules import StateRule, decide

GatewayUse = Literal[
    "active",
    "dead",
    "active_unverified",
    "standby_verified",
    "standby_not_verified",
    "standby_dead",
    "unknown",
]
"""The strongest first: a link of a dead path is dead unless a working one uses it too, never a standby."""
LinkUse = Literal[GatewayUse, "none"]
"""Use of a link by the paths over it; `none`: no policy uses it."""
GatewayRole = Literal[
    "active",
    "active_unverified",
    "degraded",
    "not_forwarding",
    "unreachable",
    "standby_verified",
    "standby_not_verified",
    "standby_dead",
    "unknown",
]

GATEWAY_USES: Sequence[StateRule[GatewayUse]] = (
    StateRule("unknown", {"end_to_end": "unknown"}),
    StateRule("active", {"is_in_use": True, "end_to_end": "working"}),
    StateRule("active_unverified", {"is_in_use": True, "end_to_end": "unverified"}),
    StateRule("dead", {"is_in_use": True}),
    StateRule("standby_verified", {"standby": "verified"}),
    StateRule("standby_dead", {"standby": "dead"}),
    StateRule("standby_not_verified"),
)
GATEWAY_ROLES: Sequence[StateRule[GatewayRole]] = (
    StateRule("unknown", {"is_observed": False}),
    StateRule("unreachable", {"reachability": "unreachable"}),
    StateRule("degraded", {"is_working": True, "has_dead": True}),
    StateRule("degraded", {"is_working": True, "has_standby_dead": True}),
    StateRule("active_unverified", {"has_unverified": True}),
    StateRule("active", {"is_working": True}),
    StateRule("not_forwarding", {"has_dead": True}),
    StateRule("standby_not_verified", {"has_standby_not_verified": True}),
    StateRule("standby_not_verified", {"has_standby_verified": True, "has_standby_dead": True}),
    StateRule("standby_verified", {"has_standby_verified": True}),
    StateRule("not_forwarding", {"reachability": "reachable"}),
    StateRule("standby_dead"),
)
_TEXTS: Mapping[GatewayUse, str] = {
    "active": "active for",
    "active_unverified": "active, unverified for",
    "dead": "dead for",
    "standby_verified": "standby verified for",
    "standby_not_verified": "standby not verified for",
    "standby_dead": "standby dead for",
    "unknown": "unknown for",
}
"""In the order of a sentence."""


@dataclass(frozen=True, slots=True)
class GatewayCounts:
    """Paths of a gateway by use, and how many nodes' probes it answers."""

    uses: Mapping[GatewayUse, int] = field(default_factory=dict)
    answering: int = 0
    silent: int = 0
    """Paths whose node probes the gateway and gets no answer."""


@dataclass(frozen=True, slots=True)
class GatewayStatus:
    """The role of a gateway, in one name and in one sentence with counts."""

    role: GatewayRole
    text: str
    reachability: Reachability
    counts: GatewayCounts


def gateway_use(end_to_end: EndToEnd, *, is_in_use: bool, standby: Standby) -> GatewayUse:
    """The use that one path makes of one of its gateways; `standby` counts if it is not in use."""
    facts = {"end_to_end": end_to_end, "is_in_use": is_in_use, "standby": standby}
    return decide(GATEWAY_USES, facts).state


def gateway_status(counts: GatewayCounts) -> GatewayStatus:
    """The role of a gateway over all its paths."""
    uses = {use for use, number in counts.uses.items() if number}
    reach = reachability(counts.answering, counts.silent)
    facts = {
        "is_observed": bool(uses - {"unknown"}),
        "reachability": reach,
        "is_working": bool(uses & {"active", "active_unverified"}),
        "has_unverified": "active_unverified" in uses,
        "has_dead": "dead" in uses,
        "has_standby_verified": "standby_verified" in uses,
        "has_standby_not_verified": "standby_not_verified" in uses,
        "has_standby_dead": "standby_dead" in uses,
    }
    role = decide(GATEWAY_ROLES, facts).state
    return GatewayStatus(role, _text(role, counts), reach, counts)


def _text(role: GatewayRole, counts: GatewayCounts) -> str:
    parts = [
        f"{text} {count(number, 'path')}"
        for use, text in _TEXTS.items()
        if (number := counts.uses.get(use, 0))
    ]
    first = {"unreachable": "unreachable", "not_forwarding": "reachable but not forwarding"}.get(role)
    sentence = ", ".join([*parts[:1], *(part.rsplit(" ", 1)[0] for part in parts[1:])])
    return ": ".join(item for item in (first, sentence) if item) or "no path uses it"
