"""Check that no node of the plan was released by an administrator on the node itself."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed
from backstay.core.planning.proposal import Proposal

NAME = "released"


def check(proposal: Proposal) -> list[Finding]:
    """Nodes whose agents refuse the change."""
    released = proposal.observation.released
    found = [
        failed(NAME, released[node], [routing.node])
        for node, routing in proposal.desired.routings.items()
        if node in released
    ]
    return found or passed(NAME, "No node of the plan was released on the node.")
