"""Check that the site file names the engine of every node; other nodes are not managed."""

from __future__ import annotations

from backstay.core.formatting import count, listing
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import by_number, failed, passed, some
from backstay.core.planning.proposal import Proposal

NAME = "managed"


def check(proposal: Proposal) -> list[Finding]:
    """Nodes without a `routing:` key; policies that neither match nor have a node."""
    found = []
    for intent in proposal.intents:
        mine = [node for policy, node in proposal.desired.unmanaged if policy == intent.name]
        names = proposal.names(mine)
        if names:
            text = (
                f"{some(names)} of {intent.name} {by_number(names, 'has', 'have')} no `routing:` key in "
                "the site file, so Backstay does not manage them: add the key, or change the policy."
            )
            found.append(failed(NAME, text, names))
        if not intent.nodes and not _is_deployed(proposal, intent.name):
            text = f"{intent.name} matches no node: check its names, role, numbers and labels."
            found.append(failed(NAME, text))
    gone = [intent.name for intent in proposal.intents if not intent.nodes]
    if gone and not found:
        return passed(NAME, f"{listing(gone)} is removed from {count(len(proposal.nodes), 'node')}.")
    many = count(len(proposal.desired.routings), "node")
    return found or passed(NAME, f"The site file names the routing engine of {many}.")


def _is_deployed(proposal: Proposal, policy: str) -> bool:
    """Whether a node has confirmed routes of the policy, which the plan then removes."""
    routings = proposal.confirmed.values()
    return any(route.policy == policy for routing in routings for route in routing.routes)
