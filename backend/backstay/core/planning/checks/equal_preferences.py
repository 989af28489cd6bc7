"""Check for equal preferences, which do not define an order of gateways."""

from __future__ import annotations

from collections import Counter

from backstay.core.model.plan import Finding
from backstay.core.model.routing import PolicyRoute
from backstay.core.planning.checks.finding import failed, passed, some
from backstay.core.planning.proposal import Proposal

NAME = "equal_preferences"


def check(proposal: Proposal) -> list[Finding]:
    """Equal preferences or a repeated gateway in a route; two policies for one prefix on one node."""
    clashes: dict[str, list[str]] = {}
    for node in proposal.desired.routings.values():
        for prefix, policies in _by_prefix(node.routes).items():
            if len(policies) > 1:
                text = f"{' and '.join(policies)} both route {prefix}: let only one of them manage each node"
                clashes.setdefault(text, []).append(node.node)
        for route in node.routes:
            twice = [p for p, many in Counter(hop.preference for hop in route.hops).items() if many > 1]
            if twice:
                text = f"{route.policy} gives two gateways the preference {twice[0]}: give each its own"
                clashes.setdefault(text, []).append(node.node)
            again = [g for g, many in Counter(hop.gateway for hop in route.hops).items() if many > 1]
            if again:
                text = f"{route.policy} names {again[0]} twice: name each gateway once"
                clashes.setdefault(text, []).append(node.node)
    found = [failed(NAME, f"On {some(nodes)}, {text}.", nodes) for text, nodes in clashes.items()]
    return found or passed(NAME, "Every gateway of a route has its own preference.")


def _by_prefix(routes: tuple[PolicyRoute, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for route in routes:
        found.setdefault(str(route.prefix), []).append(route.policy)
    return found
