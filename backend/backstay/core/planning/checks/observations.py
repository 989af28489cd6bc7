"""Check that every node has reported its running state, on which the plan is based."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.model.routing import ObservedRouting
from backstay.core.planning.checks.finding import failed, passed, some
from backstay.core.planning.proposal import Proposal

NAME = "observed"


def check(proposal: Proposal) -> list[Finding]:
    """Nodes without a report, with another engine than in the site file, or whose engine does not respond."""
    unheard, dead, found = [], [], []
    for node, routing in proposal.desired.routings.items():
        seen = proposal.observed.get(node)
        if seen is None:
            unheard.append(routing.node)
        elif seen.engine is not routing.engine.kind:
            found.append(_other_engine(routing.node, routing.engine.kind, seen))
        elif not seen.alive:
            dead.append(routing.node)
    if unheard:
        text = (
            f"No agent has reported what {some(unheard)} runs: check that the agent is up, then plan again."
        )
        found.append(failed(NAME, text, unheard))
    if dead:
        text = f"The routing engine of {some(dead)} does not answer: start it, then plan again."
        found.append(failed(NAME, text, dead))
    return found or passed(NAME, "Every node has reported its running and saved state.")


def _other_engine(name: str, kind: str, seen: ObservedRouting) -> Finding:
    text = f"{name} runs {seen.engine}, but the site file says {kind}: correct its `routing:` key."
    return failed(NAME, text, [name])
