"""Check that no node loses its route to the controller; only its own guard could restore it."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.model.routing import PolicyRoute
from backstay.core.planning.checks.finding import failed, passed, some
from backstay.core.planning.proposal import Proposal

NAME = "controller"


def check(proposal: Proposal) -> list[Finding]:
    """Nodes that reach the controller over a managed prefix that the plan removes or breaks."""
    lost: dict[str, list[str]] = {}
    for node, routes in proposal.observation.controller.items():
        if node in proposal.desired.routings:
            for route in routes:
                why = _lost(proposal, node, route)
                if why:
                    lost.setdefault(why, []).append(proposal.name(node))
    found = [
        failed(NAME, f"{some(nodes)} would lose the controller: {why}.", nodes) for why, nodes in lost.items()
    ]
    return found or passed(NAME, "No agent loses its route to the controller.")


def _lost(proposal: Proposal, node: int, route: PolicyRoute) -> str:
    after = [item for item in proposal.desired.routings[node].routes if item.prefix == route.prefix]
    if not after:
        return f"it is reached over {route.prefix}, which the plan removes; keep a route to it"
    nothing = proposal.analysis.consequences[0].impact
    if proposal.name(node) in (*nothing.cut_off, *nothing.looping):
        return f"packets over {route.prefix} would be lost; fix that first"
    alive = proposal.observation.alive
    if all(alive.get((node, hop.gateway_id)) is False for hop in after[0].hops):
        return f"no gateway of {after[0].policy} answers; bring one up, or choose others"
    return ""
