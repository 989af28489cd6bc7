"""Check whether the members of a fabric run the addresses of the static entries."""

from __future__ import annotations

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.plan import Finding
from backstay.core.model.routing import Address
from backstay.core.planning.arp.site import ArpProposal
from backstay.core.planning.checks.finding import failed, passed, some, warning

NAME = "running_address"


def running(proposal: ArpProposal) -> list[Finding]:
    """Members of fabrics without ARP that run another address than the site file assigns."""
    found: list[Finding] = []
    named: set[AddressMismatch] = set()
    for intent, members in proposal.off():
        for member in members:
            if member.address_mismatch is not None:
                named.add(member.address_mismatch)
                found.append(
                    failed(
                        NAME, f"{proposal.fabric(intent)}: {_lost(member.address_mismatch)}", [member.name]
                    )
                )
    found += _kept(proposal, named)
    return found or passed(NAME, "Every node runs the addresses of the site file, as far as is known.")


def _lost(mismatch: AddressMismatch) -> str:
    return (
        f"{mismatch.text}: without ARP no node can reach it, and a static entry for {mismatch.lacks} would"
        f" drop traffic, so none is created. {mismatch.remedy}, then plan again."
    )


def _kept(proposal: ArpProposal, named: set[AddressMismatch]) -> list[Finding]:
    """Confirmed entries of other fabrics for an address that no node runs now."""
    lost = {
        address: item
        for item in proposal.site.address_mismatches.values()
        if item not in named
        for address in item.missing
    }
    if not lost:
        return []
    holders: dict[Address, list[str]] = {}
    for node in proposal.wanted.values():
        for address in {entry.address for port in node.ports.values() for entry in port.neighbours}:
            if address in lost:
                holders.setdefault(address, []).append(node.node)
    return [
        warning(
            NAME,
            f"{lost[address].text}: the entries of {some(names)} for {address}, confirmed earlier, drop"
            " traffic.",
            names,
        )
        for address, names in holders.items()
    ]
