"""Whether the devices that people must set have what they need, by their own tables.

A table is read by whatever watches the device: ipNetToMediaTable (RFC 1213), or the text of its own command.
"""

from __future__ import annotations

from backstay.core.model.arp_plan import HandOver
from backstay.core.model.plan import Finding
from backstay.core.planning.arp.site import ArpProposal
from backstay.core.planning.checks.finding import failed, passed
from backstay.core.words import count, listing

NAME = "handed_over"
_WORDS = {
    "missing": "{} missing",
    "other_mac": "{} at another hardware address",
    "not_lasting": "{} only learnt, not set to last",
}


def handed_over(proposal: ArpProposal) -> list[Finding]:
    """Devices that lack entries, as their ARP tables are read back."""
    found = [failed(NAME, _lacks(each), [each.node]) for each in proposal.hand_overs if each.open]
    if found:
        return found
    if not proposal.hand_overs:
        return passed(NAME, "There is no device that a person has to set.")
    names = listing([each.node for each in proposal.hand_overs])
    return passed(NAME, f"{names}: every entry that a person had to set was read back.")


def _lacks(each: HandOver) -> str:
    parts = []
    for standing, words in _WORDS.items():
        addresses = [str(entry.address) for entry in each.open if entry.standing == standing]
        if addresses:
            parts.append(words.format(listing(addresses)))
    entries = count(len(each.entries), "permanent entry", "permanent entries")
    return (
        f"{each.node}:{each.port} is not Backstay's to change and needs {entries} before ARP goes off on"
        f" {each.fabric}: {'; '.join(parts)}. Set them as the plan's hand-over lists them, then plan again."
    )
