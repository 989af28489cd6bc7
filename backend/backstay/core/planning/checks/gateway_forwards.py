"""Check that every gateway forwards: known not to forward blocks, unproven is a warning to accept."""

from __future__ import annotations

from backstay.core.model.plan import Finding, Level
from backstay.core.model.routing import Hop, PolicyRoute
from backstay.core.planning.checks.finding import passed, some
from backstay.core.planning.gateway_state import forwarding_state
from backstay.core.planning.proposal import Proposal

NAME = "gateway_forwards"
_Key = tuple[Level, str, str, str, str]
"""Level, policy, gateway, destination, reason."""


def check(proposal: Proposal) -> list[Finding]:
    """One finding per policy, gateway and reason, with its nodes.

    A gateway of a route that the plan keeps as confirmed only warns: it must not block another repair.
    """
    found: dict[_Key, list[str]] = {}
    for routing, route in proposal.planned():
        for hop in route.hops:
            key = _judge(proposal, routing.node_id, route, hop)
            if key is not None:
                found.setdefault(key, []).append(routing.node)
    findings = [_finding(key, list(dict.fromkeys(nodes))) for key, nodes in found.items()]
    return findings or passed(NAME, "The agent of every gateway reports that it forwards.")


def _judge(proposal: Proposal, node: int, route: PolicyRoute, hop: Hop) -> _Key | None:
    destination = route.prefix if route.target is None else route.target
    state = forwarding_state(proposal, node, hop, destination)
    if state.proven:
        return None
    confirmed = proposal.confirmed.get(node)
    kept = confirmed is not None and route in confirmed.routes
    level: Level = "failed" if state.known_bad and not kept else "warning"
    return level, route.policy, hop.gateway, str(destination), state.reason


def _finding(key: _Key, nodes: list[str]) -> Finding:
    level, policy, gateway, destination, reason = key
    if level == "failed":
        text = (
            f"{gateway} cannot forward packets of {some(nodes)} to {destination} ({policy}): {reason}. "
            "Correct it on the gateway, or name another one."
        )
    else:
        text = (
            f"Unproven: whether {gateway} forwards packets of {some(nodes)} to {destination} ({policy}): "
            f"{reason}. Probe it, or accept it."
        )
    return Finding(NAME, level, text, tuple(nodes))
