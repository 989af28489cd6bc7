"""Check whether the members of a fabric can be configured: managed, reporting, writable, unique."""

from __future__ import annotations

from collections import defaultdict

from backstay.core.formatting import count
from backstay.core.model.arp import ArpIntent, Member
from backstay.core.model.plan import Finding
from backstay.core.planning.arp.diff import flag
from backstay.core.planning.arp.entries import MOST_NODES
from backstay.core.planning.arp.site import ArpProposal, ArpSite
from backstay.core.planning.checks.finding import by_number, failed, passed, some, warning
from backstay.core.planning.checks.node_holds import held_findings

MANAGED, OBSERVED, HELD, FILES = "arp_managed", "arp_observed", "arp_held", "arp_files"
UNIQUE, HARDWARE, MIXED = "unique_addresses", "hardware_addresses", "arp_mixed"


def managed(proposal: ArpProposal) -> list[Finding]:
    """Hosts with an agent whose ARP is not managed and differs from the policy."""
    found: list[Finding] = []
    for intent in proposal.intents:
        fabric, members = proposal.fabric(intent), proposal.site.members[intent.fabric]
        if not any(member.managed for member in members):
            text = f"No node on {fabric} has an `arp:` key in the site file: add it to its nodes."
            found.append(failed(MANAGED, text))
            continue
        if intent.mode == "off" and len(members) > MOST_NODES:
            text = (
                f"{fabric} has {count(len(members), 'member')}: without ARP each needs an entry for every"
                f" other; the limit is {MOST_NODES} members. Keep ARP on there."
            )
            found.append(failed(MANAGED, text))
        names = _left_behind(proposal.site, intent, members)
        if names:
            text = (
                f"{some(names)} on {fabric} {by_number(names, 'has', 'have')} an agent but no `arp:` key in"
                f" the site file, and {by_number(names, 'does', 'do')} not run ARP {intent.mode}: add the"
                " key, so that all change together."
            )
            found.append(failed(MANAGED, text, names))
    many = count(len(proposal.wanted), "node")
    return found or passed(MANAGED, f"The site file allows Backstay to manage ARP on {many}.")


def _left_behind(site: ArpSite, intent: ArpIntent, members: tuple[Member, ...]) -> list[str]:
    if intent.mode == "unmanaged":
        return []
    wanted = intent.mode == "on"
    return sorted(
        {
            member.name
            for member in members
            if member.own_agent and not member.managed and running(site, member) is not wanted
        }
    )


def running(site: ArpSite, member: Member) -> bool | None:
    """Whether ARP is on at the member's port; None: not reported."""
    observed = site.observed.get(member.node)
    port = None if observed is None else observed.port(member.port)
    return None if port is None else port.arp


def observed(proposal: ArpProposal) -> list[Finding]:
    """Nodes in the plan that have not reported their running state."""
    silent = [proposal.name(node) for node in proposal.wanted if node not in proposal.site.observed]
    missing = [
        f"{item.node}:{port}"
        for node, item in proposal.wanted.items()
        if node in proposal.site.observed
        for port in item.ports
        if proposal.site.observed[node].port(port) is None
    ]
    found = []
    if silent:
        text = f"{some(silent)} {by_number(silent, 'has', 'have')} not reported what runs: check the agent."
        found.append(failed(OBSERVED, text, silent))
    if missing:
        text = f"{some(missing)} {by_number(missing, 'does', 'do')} not exist: correct the site file."
        found.append(failed(OBSERVED, text, sorted({item.partition(":")[0] for item in missing})))
    return found or passed(OBSERVED, "Every node has reported its running and saved state.")


def held(proposal: ArpProposal) -> list[Finding]:
    """Changing nodes that an operator holds."""
    changing = {proposal.name(node.arp.node_id): node.arp.node_id for node in proposal.nodes if node.changes}
    return held_findings(HELD, changing, proposal.site.holds)


def files(proposal: ArpProposal) -> list[Finding]:
    """Boot files that cannot be written."""
    by_fault: dict[str, list[str]] = {}
    for node, fault in proposal.faults.items():
        by_fault.setdefault(fault, []).append(proposal.name(node))
    found = [failed(FILES, f"{some(names)}: {fault}.", names) for fault, names in by_fault.items()]
    return found or passed(FILES, "Both boot files of every node can be written.")


def unique(proposal: ArpProposal) -> list[Finding]:
    """Intended, running or hardware addresses that two ports of a fabric share."""
    found: list[Finding] = []
    for intent in proposal.intents:
        owners: dict[str, list[Member]] = defaultdict(list)
        for member in proposal.site.members[intent.fabric]:
            instead = () if member.address_mismatch is None else member.address_mismatch.instead
            has = {str(item) for item in (*member.addresses, *instead)} | ({member.mac} - {""})
            for address in has:
                owners[address].append(member)
        for address, members in owners.items():
            if len(members) > 1:
                places = some(sorted(member.place for member in members))
                text = f"{places} both have {address} on {proposal.fabric(intent)}: change one of them."
                found.append(failed(UNIQUE, text, [member.name for member in members]))
    return found or passed(UNIQUE, "No two ports of a fabric share an address or a hardware address.")


def hardware(proposal: ArpProposal) -> list[Finding]:
    """Members without an entry because their hardware address is unknown."""
    found = []
    for intent, members in proposal.off():
        names = sorted({member.name for member in members if member.addresses and not member.mac})
        if names:
            text = (
                f"The hardware address of {some(names)} on {proposal.fabric(intent)} was not reported: check"
                " the agent or the SNMP source that polls it."
            )
            found.append(failed(HARDWARE, text, names))
    return found or passed(HARDWARE, "The hardware address behind every static entry is known.")


def mixed(proposal: ArpProposal) -> list[Finding]:
    """Fabrics on which ARP is currently on at some members and off at others."""
    found: list[Finding] = []
    for intent in proposal.intents:
        fabric, members = proposal.fabric(intent), proposal.site.members[intent.fabric]
        by_flag = split(proposal.site, members)
        on, off = by_flag[True], by_flag[False]
        if on and off:
            text = f"{fabric} is mixed now: ARP is {flag(True)} at {some(on)}, {flag(False)} at {some(off)}."
            if intent.mode == "unmanaged":
                text += " This policy leaves it mixed: choose on or off for the whole fabric."
                found.append(warning(MIXED, text, [*on, *off]))
            else:
                found += passed(MIXED, f"{text} After the change, ARP is {intent.mode} everywhere.")
    return found or passed(MIXED, "ARP is on or off consistently on each fabric.")


def split(site: ArpSite, members: tuple[Member, ...]) -> dict[bool | None, list[str]]:
    """Whether ARP is on -> names of the members' nodes; None: not reported."""
    found: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for member in members:
        names = found[running(site, member)]
        if member.name not in names[-1:]:
            names.append(member.name)
    return found
