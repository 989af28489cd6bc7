"""A gateway attached to an SP switch as an extension node (IBM 9077, a dependent node of the SDR).

What the complex has, what is intended of the extension node, and what the router's own row of the SP
dependent-node MIB (1.3.6.1.4.1.2.6.117.4.1.1) says. Frames have sixteen slots with a switch port each, and
slots are numbered through: node number = 16 x (frame - 1) + slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Interface

SLOTS = 16
"""Slots, and switch ports, of one node frame."""
MAX_LINK_PACKET = 65520
"""Octets; the MTU of css0 and of a GigaRouter's SP card."""


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A place in a frame, and the switch port that belongs to it; both count from 1."""

    frame: int
    slot: int

    @property
    def number(self) -> int:
        """The node number that it stands for."""
        return SLOTS * (self.frame - 1) + self.slot

    def __str__(self) -> str:
        return f"frame {self.frame} slot {self.slot}"


def slot_of(number: int) -> Slot:
    """The place that a node number stands for; numbers count from 1."""
    frame, slot = divmod(number - 1, SLOTS)
    return Slot(frame + 1, slot + 1)


@dataclass(frozen=True, slots=True)
class SwitchNode:
    """One node with a port on the switch: a node of the complex, or an extension node."""

    node: int
    name: str
    port: str
    number: int | None
    switch_number: int | None
    interface: IPv4Interface | None
    slot: Slot | None
    """Where its switch port is; None: nobody said."""
    width: int = 1
    """Slots that it fills: 1 thin, 2 wide, 4 high; only the first one's switch port is its own."""
    extension: bool = False

    @property
    def host_part(self) -> int | None:
        """Of its address."""
        if self.interface is None:
            return None
        return int(self.interface.ip) - int(self.interface.network.network_address)


@dataclass(frozen=True, slots=True)
class Complex:
    """A switch with everything on it."""

    fabric: str
    arp: bool
    """Whether its nodes resolve addresses by ARP."""
    arp_source: str
    """Who says so, in words."""
    mtu: int
    nodes: tuple[SwitchNode, ...]
    """By name and port."""


@dataclass(frozen=True, slots=True)
class Extension:
    """An extension node as it is intended; None of an attribute: nobody decided it."""

    name: str
    """Of the router's row: the extension node's name in the SDR."""
    port: str
    """The router's adapter on the switch."""
    slot: Slot | None
    number: int | None
    switch_number: int | None
    interface: IPv4Interface | None
    max_link_packet: int = MAX_LINK_PACKET
    host_offset: int | None = None
    token: str = ""
    """SwToken in hexadecimal digits; empty: nobody noted it."""
    switch_port: tuple[int, int, int] | None = None
    """SDR DependentNode: switch_number, switch_chip, switch_chip_port; None: nobody noted them."""


@dataclass(frozen=True, slots=True)
class ReportedExtension:
    """What a router's row says; None: it does not tell that."""

    name: str | None = None
    number: int | None = None
    token: str | None = None
    arp: str | None = None
    switch_number: int | None = None
    address: str | None = None
    mask: str | None = None
    max_link_packet: int | None = None
    host_offset: int | None = None
    config_state: str | None = None
    node_state: str | None = None
    admin: str | None = None
