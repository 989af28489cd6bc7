"""Check that the site file names the engine of every node; other nodes are not managed."""

from __future__ import annotations

from backstay.core.formatting import count
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import by_number, failed, passed, some
from backstay.core.planning.proposal import Proposal

NAME = "managed"


def check(proposal: Proposal) -> list[Finding]:
    """Nodes without a `routing:` key; policies without nodes."""
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
        if not intent.nodes:
            text = f"{intent.name} matches no node: check its names, role, numbers and labels."
            found.append(failed(NAME, text))
    many = count(len(proposal.desired.routings), "node")
    return found or passed(NAME, f"The site file names the routing engine of {many}.")
