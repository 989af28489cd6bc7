"""Check for routes with a single gateway, which have no failover."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import by_number, passed, some, warning
from backstay.core.planning.proposal import Proposal

NAME = "one_gateway"


def check(proposal: Proposal) -> list[Finding]:
    single: dict[tuple[str, str], list[str]] = {}
    for routing, route in proposal.planned():
        if len(route.hops) == 1:
            single.setdefault((route.policy, route.hops[0].gateway), []).append(routing.node)
    found = [
        warning(
            NAME,
            f"{some(nodes)} {by_number(nodes, 'has', 'have')} only {gateway} in {policy}: name a fallback.",
            nodes,
        )
        for (policy, gateway), nodes in ((key, list(dict.fromkeys(names))) for key, names in single.items())
    ]
    return found or passed(NAME, "Every node has a fallback.")
