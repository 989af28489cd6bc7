"""Label, glyph and colour of each state: the only place that names them, for the API, pages and CLI."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backstay.core.model.state.carrier import Carrier
from backstay.core.model.state.gateway import GatewayRole, GatewayUse, LinkUse
from backstay.core.model.state.node import Reachability, Reporting
from backstay.core.model.state.path import EndToEnd, PathStandby, Placement
from backstay.core.model.state.rules import StateSpec

CARRIER_SPECS: Mapping[Carrier, StateSpec] = {
    "up": StateSpec("ok", "↑", "up", "the port has carrier"),
    "down": StateSpec("critical", "↓", "down", "the port is enabled and has no carrier"),
    "admin_down": StateSpec("disabled", "-", "administratively down", "the port is disabled on its device"),
    "unknown": StateSpec("unknown", "?", "unknown", "no recent report"),
}
REPORTING_SPECS: Mapping[Reporting, StateSpec] = {
    "reporting": StateSpec("ok", "✓", "reporting", "a report arrived within the last two intervals"),
    "not_reporting": StateSpec("unknown", "?", "not reporting", "its last report is older"),
    "never": StateSpec("unknown", "?", "never reported", "an agent shall collect from it; no report yet"),
    "not_collected": StateSpec("disabled", "-", "not collected", "no agent collects from it"),
}
REACHABILITY_SPECS: Mapping[Reachability, StateSpec] = {
    "reachable": StateSpec("ok", "✓", "reachable", "it answers every node that probes it"),
    "partly_reachable": StateSpec("warning", "◐", "partly reachable", "it answers some of the nodes"),
    "unreachable": StateSpec("critical", "✕", "unreachable", "it answers no node that probes it"),
    "not_probed": StateSpec("disabled", "-", "not probed", "no reporting node probes it"),
}
END_TO_END_SPECS: Mapping[EndToEnd, StateSpec] = {
    "working": StateSpec("ok", "✓", "working", "a recent probe of the target was answered"),
    "unverified": StateSpec("unknown", "◌", "unverified", "a route is installed; no target is probed"),
    "dead": StateSpec("critical", "✕", "dead", "no route, or the target does not answer"),
    "unknown": StateSpec("unknown", "?", "unknown", "its node does not report the path"),
}
PLACEMENT_SPECS: Mapping[Placement, StateSpec] = {
    "preferred": StateSpec("ok", "●", "preferred", "on its preferred gateway"),
    "fallback": StateSpec("warning", "↷", "fallback", "on another gateway than the preferred one"),
    "held": StateSpec("warning", "‖", "held", "failover is paused on its node"),
    "none": StateSpec("critical", "✕", "no route", "no gateway is in use"),
}
STANDBY_SPECS: Mapping[PathStandby, StateSpec] = {
    "verified": StateSpec("ok", "◉", "standby verified", "the target answers through a standby"),
    "not verified": StateSpec(
        "unknown", "○", "standby not verified", "not proven that the target answers through a standby"
    ),
    "dead": StateSpec("warning", "⊗", "standby dead", "the target answers through no standby"),
    "none": StateSpec("disabled", "-", "no standby", "the policy has no other gateway"),
}
GATEWAY_USE_SPECS: Mapping[GatewayUse, StateSpec] = {
    "active": StateSpec("ok", "●", "active", "in use, and the target answers through it"),
    "active_unverified": StateSpec("unknown", "◌", "active, unverified", "in use; no target is probed"),
    "dead": StateSpec("critical", "✕", "dead", "in use, but the path is dead"),
    "standby_verified": StateSpec("ok", "◉", "standby verified", "the target answers through it"),
    "standby_not_verified": StateSpec(
        "unknown", "○", "standby not verified", "not proven that the target answers through it"
    ),
    "standby_dead": StateSpec(
        "warning", "⊗", "standby dead", "it does not answer, or the target does not answer through it"
    ),
    "unknown": StateSpec("unknown", "?", "unknown", "the node does not report the path"),
}
_UNUSED = StateSpec("disabled", "-", "no policy", "no failover policy uses the link")
LINK_USE_SPECS: Mapping[LinkUse, StateSpec] = dict([*GATEWAY_USE_SPECS.items(), ("none", _UNUSED)])
GATEWAY_ROLE_SPECS: Mapping[GatewayRole, StateSpec] = {
    "active": StateSpec("ok", "●", "active", "the target answers through it for every path that uses it"),
    "active_unverified": StateSpec("unknown", "◌", "active, unverified", "for some path no target is probed"),
    "degraded": StateSpec("warning", "◐", "partly dead", "some of the paths that use it are dead"),
    "not_forwarding": StateSpec(
        "critical", "⊘", "not forwarding", "reachable, but the target answers for no path through it"
    ),
    "unreachable": StateSpec("critical", "✕", "unreachable", "it answers no node that probes it"),
    "standby_verified": StateSpec("ok", "◉", "standby verified", "every path could move to it"),
    "standby_not_verified": StateSpec(
        "unknown", "○", "standby not verified", "not proven for every path that it forwards"
    ),
    "standby_dead": StateSpec("warning", "⊗", "standby dead", "no path could move to it"),
    "unknown": StateSpec("unknown", "?", "unknown", "no reporting node uses it"),
}
STATE_SPECS: Mapping[str, Mapping[Any, StateSpec]] = {
    "carrier": CARRIER_SPECS,
    "reporting": REPORTING_SPECS,
    "reachability": REACHABILITY_SPECS,
    "end_to_end": END_TO_END_SPECS,
    "placement": PLACEMENT_SPECS,
    "standby": STANDBY_SPECS,
    "gateway_use": GATEWAY_USE_SPECS,
    "gateway_role": GATEWAY_ROLE_SPECS,
    "link_use": LINK_USE_SPECS,
}
"""By the name of the fact."""
