"""Check that packets arrive without failures and after every failure that a policy covers, without loops."""

from __future__ import annotations

from backstay.core.formatting import count
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed, some
from backstay.core.planning.checks.gateway_address import refused
from backstay.core.planning.proposal import Proposal
from backstay.core.planning.whatif.failure import Consequence

NAME = "forwarding"


def check(proposal: Proposal) -> list[Finding]:
    """Loops under any failure; lost packets without a failure or when a gateway with a fallback fails."""
    consequences = proposal.analysis.consequences
    found = [finding for consequence in consequences for finding in _findings(proposal, consequence)]
    many = count(len(consequences) - 1, "single failure")
    return found or passed(
        NAME,
        f"No packet loops, and none is lost if another gateway is available ({many} simulated).",
    )


def _findings(proposal: Proposal, consequence: Consequence) -> list[Finding]:
    impact = consequence.impact
    found = []
    if impact.looping:
        text = (
            f"{_when(consequence)} packets of {some(impact.looping)} would loop: the gateways' own routes "
            "point back. Change their order."
        )
        found.append(failed(NAME, text, impact.looping))
    lost = [node for node in consequence.unkept if node not in impact.looping]
    if impact.kind == "none":
        refused_nodes = refused(proposal) if impact.cut_off else set()
        lost = [node for node in impact.cut_off if node not in refused_nodes]
    if lost:
        text = (
            f"{_when(consequence)} packets of {some(lost)} would be lost although the policy has "
            "another gateway: check the gateway's own routes."
        )
        found.append(failed(NAME, text if impact.kind != "none" else _never(lost), lost))
    return found


def _when(consequence: Consequence) -> str:
    return (
        "Even without a failure,"
        if consequence.impact.kind == "none"
        else f"With {consequence.impact.failure} down,"
    )


def _never(nodes: list[str]) -> str:
    return (
        f"Even without a failure, traffic of {some(nodes)} would be lost or not be answered: the gateway "
        "has no links to the destination; complete the links in the site file, or name another gateway."
    )
