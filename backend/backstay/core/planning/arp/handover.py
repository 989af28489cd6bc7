"""Manual ARP entries on members that Backstay does not manage, and their current state.

Only the addresses are listed: the exact commands for permanent entries on a GRF or an AIX adapter are not
documented in the available manuals, and a wrong command is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backstay.core.model.arp import ArpIntent, Member
from backstay.core.model.arp_plan import HandedEntry, HandOver
from backstay.core.model.routing import Address
from backstay.core.planning.arp.entries import MOST_NODES, Entries, Known
from backstay.core.planning.arp.site import ArpSite, TableEntry
from backstay.core.planning.reminders import reminders

_SDR = (
    "It is an extension node: the switch ARP attribute in the SDR (SwARP in the SP dependent-node MIB) must"
    " also be disabled."
)


def hand_overs(site: ArpSite, intents: Iterable[ArpIntent]) -> tuple[HandOver, ...]:
    """One for each member without management and without its own agent, on fabrics whose ARP is
    switched off.
    """
    found: list[HandOver] = []
    for intent in intents:
        members = site.members[intent.fabric]
        if intent.mode != "off" or len(members) > MOST_NODES:
            continue
        entries = Entries.of(members)
        name = site.topology.fabrics[intent.fabric].name
        found += [_of(site, name, member, entries) for member in members if handed(member)]
    return tuple(found)


def handed(member: Member) -> bool:
    """Whether its entries must be set manually."""
    return not member.managed and not member.own_agent and bool(member.addresses)


def _of(site: ArpSite, fabric: str, member: Member, entries: Entries) -> HandOver:
    table = site.held.get(member.node, {})
    system = site.systems.get(member.node, "")
    own = [_SDR] if member.extension else []
    return HandOver(
        node=member.name,
        port=member.port,
        fabric=fabric,
        system=system,
        entries=tuple(_entry(item, table) for item in entries.neighbours(member)),
        reminders=(*own, *reminders(system)),
    )


def _entry(known: Known, table: Mapping[Address, TableEntry]) -> HandedEntry:
    entry, _, whose = known
    held = table.get(entry.address)
    if held is None or not held.mac:
        return HandedEntry(entry.address, entry.mac, whose, "missing")
    if held.mac.lower() != entry.mac:
        return HandedEntry(entry.address, entry.mac, whose, "other_mac", held.mac.lower())
    if not held.lasting:
        return HandedEntry(entry.address, entry.mac, whose, "not_lasting", held.state)
    return HandedEntry(entry.address, entry.mac, whose, "there", held.state)
