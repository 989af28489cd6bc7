"""How many routes one node can be given."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed
from backstay.core.planning.proposal import Proposal

NAME = "route_count"
MOST = 256
"""Routes of one node in a message to its agent (`backstay_wire.routing.NodeRouting`)."""


def check(proposal: Proposal) -> list[Finding]:
    """Nodes with more: the way back of a stripe whose nodes are numbered without order."""
    counts = {routing.node: len(routing.routes) for routing in proposal.desired.routings.values()}
    found = [
        failed(
            NAME,
            f"{node} would need {many} routes, at most {MOST} are allowed: stripe by a label whose nodes are "
            "numbered together, so that few prefixes lead back to them.",
            [node],
        )
        for node, many in counts.items()
        if many > MOST
    ]
    return found or passed(NAME, f"No node needs more than {max(counts.values(), default=0)} routes.")
