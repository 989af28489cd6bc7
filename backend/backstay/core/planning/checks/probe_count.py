"""Check that one change can probe every gateway of a node before it is saved."""

from __future__ import annotations

from backstay.core.formatting import count
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import by_number, passed, some, warning
from backstay.core.planning.probes import MOST, probes
from backstay.core.planning.proposal import Proposal

NAME = "probe_count"


def check(proposal: Proposal) -> list[Finding]:
    """Nodes with more probes than an assignment takes, by the number left out."""
    dead: dict[int, set[int]] = {}
    for (node, gateway), answers in proposal.observation.alive.items():
        if not answers:
            dead.setdefault(node, set()).add(gateway)
    left_out: dict[tuple[int, int], list[str]] = {}
    for plan in proposal.nodes:
        routing = plan.routing
        needed = len(probes(routing, dead.get(routing.node_id, ())))
        if plan.changes and needed > MOST:
            left_out.setdefault((needed, needed - MOST), []).append(routing.node)
    return [_finding(*key, nodes) for key, nodes in left_out.items()] or passed(
        NAME, "Every gateway is probed on its node before the change is saved."
    )


def _finding(needed: int, left_out: int, nodes: list[str]) -> Finding:
    text = (
        f"{some(nodes)} {by_number(nodes, 'needs', 'need')} {needed} probes and a change runs {MOST}: "
        f"{count(left_out, 'probe')} of the last gateways {'is' if left_out == 1 else 'are'} left out, so "
        "these are not proven before the change is saved. Deploy fewer policies per change, or accept it."
    )
    return warning(NAME, text, nodes)
