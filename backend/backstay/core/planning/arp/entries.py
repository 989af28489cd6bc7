"""Static entries of a fabric without ARP: for each node, every other member in a shared network.

An address that its port does not run gets no entry, because the entry would drop traffic.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from backstay.core.model.arp import Member, StaticNeighbour
from backstay.core.model.routing import Prefix

MOST_NODES = 640
"""Maximum size of a fabric without ARP: entries grow with the square. PSSP allowed 512 nodes on
one switch.
"""
Known = tuple[StaticNeighbour, int, str]
"""An entry, the id of its node, and the node's name."""


@dataclass(frozen=True)
class Entries:
    """Every entry of a fabric once, by network."""

    by_network: dict[Prefix, list[Known]] = field(default_factory=dict)

    @classmethod
    def of(cls, members: Iterable[Member]) -> Entries:
        """Entries of members with a known hardware address."""
        found: dict[Prefix, list[Known]] = {}
        for member in members:
            for address, network in zip(member.addresses, member.networks, strict=True):
                if member.mac and address not in member.missing:
                    entry = StaticNeighbour(address, member.mac)
                    found.setdefault(network, []).append((entry, member.node, member.name))
        for known in found.values():
            known.sort(key=lambda item: int(item[0].address))
        return cls(found)

    def neighbours(self, member: Member) -> list[Known]:
        """Entries for this member: those of all its networks except its own node's; IPv4 first."""
        networks = sorted(
            set(member.networks), key=lambda network: (network.version, int(network.network_address))
        )
        return [
            item
            for network in networks
            for item in self.by_network.get(network, ())
            if item[1] != member.node
        ]

    def for_port(self, member: Member) -> tuple[StaticNeighbour, ...]:
        """The same as entries, each address once."""
        return tuple({item[0].address: item[0] for item in self.neighbours(member)}.values())
