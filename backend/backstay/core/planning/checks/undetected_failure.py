"""Check for failures behind a reachable gateway, which only probes to a target detect."""

from __future__ import annotations

from backstay.core.formatting import listing
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import passed, some, warning
from backstay.core.planning.proposal import Proposal

NAME = "unseen_failure"


def check(proposal: Proposal) -> list[Finding]:
    """Undetected failures after which nodes would keep sending to a path that drops traffic, although a
    fallback works.
    """
    planned = {routing.node for routing in proposal.desired.routings.values()}
    by_nodes: dict[tuple[str, ...], list[str]] = {}
    for consequence in proposal.analysis.consequences:
        nodes = tuple(node for node in consequence.unseen if node in planned)
        if nodes:
            by_nodes.setdefault(nodes, []).append(consequence.impact.failure)
    found = [warning(NAME, _text(nodes, failures), nodes) for nodes, failures in by_nodes.items()]
    return found or passed(NAME, "Every failure that a fallback could repair would be detected.")


def _text(nodes: tuple[str, ...], failures: list[str]) -> str:
    return (
        f"{some(nodes)} would not detect that {listing(failures)} is down and would keep sending: "
        "choose the checker with a target beyond the gateways."
    )
