"""Check whether the switch node numbers of nodes and extension nodes allow ARP to be off."""

from __future__ import annotations

from backstay.core.formatting import count
from backstay.core.model.arp import Member
from backstay.core.model.plan import Finding
from backstay.core.planning.arp.members import SWITCH
from backstay.core.planning.arp.rule import RuleLine, rule
from backstay.core.planning.arp.site import ArpProposal
from backstay.core.planning.checks.finding import failed, passed, warning

RULE, EXTENSION = "address_rule", "extension_node"
_SHOWN = 20
"""Maximum number of lines per fabric that are listed individually."""


def address_rule(proposal: ArpProposal) -> list[Finding]:
    """Nodes of a switch without ARP whose address cannot be computed from their number."""
    found: list[Finding] = []
    for fabric, lines in _switches(proposal):
        wrong = [line for line in lines if line.verdict != "obeys" and not line.member.extension]
        found += [failed(RULE, f"{fabric}: {line.text}", [line.member.name]) for line in wrong[:_SHOWN]]
        if wrong[_SHOWN:]:
            names = [line.member.name for line in wrong[_SHOWN:]]
            found.append(failed(RULE, f"{fabric}: {count(len(names), 'more node')} break the rule.", names))
    if found:
        return found
    fine = "Host part minus switch node number is constant" if _any_switch(proposal) else "No SP switch"
    return passed(RULE, f"{fine} where ARP is switched off.")


def extension_node(proposal: ArpProposal) -> list[Finding]:
    """Extension nodes that would become unreachable."""
    found = [
        _cut(fabric, line)
        for fabric, lines in _switches(proposal)
        for line in lines
        if line.member.extension and line.verdict != "obeys"
    ]
    return found or passed(EXTENSION, "No extension node depends on ARP.")


def _cut(fabric: str, line: RuleLine) -> Finding:
    member: Member = line.member
    why = f"{line.text} Renumber it, or keep ARP on for all of {fabric}."
    if not member.alive:
        text = f"{member.name} is an extension node (not reporting) that {fabric} would cut off: {why}"
        return warning(EXTENSION, text, [member.name])
    text = (
        f"{member.name} is a reachable extension node. With ARP off, every address on {fabric} is"
        f" computed from the switch node number; its own cannot be, so it would be cut off: {why} An SP"
        " whose router does not comply must run ARP on all switch interfaces or on none"
        " (Argonne, ANL/MCS-P747-1298)."
    )
    return failed(EXTENSION, text, [member.name])


def _any_switch(proposal: ArpProposal) -> bool:
    return any(proposal.site.topology.fabrics[item.fabric].kind == SWITCH for item, _ in proposal.off())


def _switches(proposal: ArpProposal) -> list[tuple[str, tuple[RuleLine, ...]]]:
    return [
        (proposal.fabric(intent), rule(members).lines)
        for intent, members in proposal.off()
        if proposal.site.topology.fabrics[intent.fabric].kind == SWITCH
    ]
