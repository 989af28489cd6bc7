"""Check whether manually configured devices have the required entries, by their own tables.

The source that polls the device reads the table: ipNetToMediaTable (RFC 1213), or the output of its command.
"""

from __future__ import annotations

from backstay.core.formatting import count, listing
from backstay.core.model.arp_plan import HandOver
from backstay.core.model.plan import Finding
from backstay.core.planning.arp.site import ArpProposal
from backstay.core.planning.checks.finding import failed, passed

NAME = "handed_over"
_TEXTS = {
    "missing": "{} missing",
    "other_mac": "{} with another hardware address",
    "not_lasting": "{} learnt, but not permanent",
}


def handed_over(proposal: ArpProposal) -> list[Finding]:
    """Devices that lack entries, according to their own ARP tables."""
    found = [failed(NAME, _lacks(over), [over.node]) for over in proposal.hand_overs if over.open]
    if found:
        return found
    if not proposal.hand_overs:
        return passed(NAME, "No device needs manual entries.")
    names = listing([over.node for over in proposal.hand_overs])
    return passed(NAME, f"{names}: every manual entry is present.")


def _lacks(hand_over: HandOver) -> str:
    parts = []
    for status, template in _TEXTS.items():
        addresses = [str(entry.address) for entry in hand_over.open if entry.status == status]
        if addresses:
            parts.append(template.format(listing(addresses)))
    entries = count(len(hand_over.entries), "permanent entry", "permanent entries")
    return (
        f"{hand_over.node}:{hand_over.port} is not managed by Backstay and needs {entries} before ARP goes"
        f" off on {hand_over.fabric}: {'; '.join(parts)}. Set them as listed in the plan's manual steps, then"
        " plan again."
    )
