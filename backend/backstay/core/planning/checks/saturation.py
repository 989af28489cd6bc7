"""Check that the current load fits on the remaining links after each failure."""

from __future__ import annotations

from backstay.core.formatting import rate, share
from backstay.core.model.plan import Finding, Impact, LinkLoad
from backstay.core.planning.checks.finding import passed, warning
from backstay.core.planning.proposal import Proposal

NAME = "saturation"


def check(proposal: Proposal) -> list[Finding]:
    """Each overloaded link, with the failure that loads it most."""
    worst: dict[int, tuple[LinkLoad, Impact]] = {}
    for consequence in proposal.analysis.consequences:
        for load in consequence.impact.over:
            if load.link_id not in worst or load.utilisation > worst[load.link_id][0].utilisation:
                worst[load.link_id] = (load, consequence.impact)
    found = [_finding(proposal, load, impact) for load, impact in worst.values()]
    if found:
        return found
    if not proposal.observation.demand:
        return [warning(NAME, "The nodes' traffic is not measured yet: the fallback may be too small.")]
    return passed(NAME, "At the current load, no single failure would saturate a link.")


def _finding(proposal: Proposal, load: LinkLoad, impact: Impact) -> Finding:
    link = proposal.topology.links[load.link_id]
    port = proposal.topology.ports[link.a]
    usable = proposal.topology.fabrics[link.fabric_id].usable_rate
    when = "Even without a failure," if impact.kind == "none" else f"With {impact.failure} down,"
    text = (
        f"{when} {proposal.name(port.node_id)}:{port.name} would have to carry {rate(load.bps)} of its "
        f"usable {rate(usable)} ({share(load.utilisation)}) at the current load: spread the nodes over more "
        "gateways, or accept it."
    )
    return warning(NAME, text, impact.moved)
