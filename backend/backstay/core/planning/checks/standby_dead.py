"""Check for gateways that are down now."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import passed, some, warning
from backstay.core.planning.proposal import Proposal

NAME = "standby_dead"


def check(proposal: Proposal) -> list[Finding]:
    """Gateways that do not respond to their nodes."""
    dead: dict[tuple[str, str, bool], list[str]] = {}
    for routing, route in proposal.planned():
        for place, hop in enumerate(route.hops):
            if proposal.observation.alive.get((routing.node_id, hop.gateway_id)) is False:
                dead.setdefault((route.policy, hop.gateway, place == 0), []).append(routing.node)
    found = [_finding(*key, list(dict.fromkeys(nodes))) for key, nodes in dead.items()]
    return found or passed(NAME, "No gateway is known to be dead now.")


def _finding(policy: str, gateway: str, preferred: bool, nodes: list[str]) -> Finding:
    what = "the preferred gateway" if preferred else "a fallback"
    text = (
        f"{gateway}, {what} of {policy}, does not answer {some(nodes)} now: repair it before relying on it."
    )
    return warning(NAME, text, nodes)
