"""A gateway attached to an SP switch as an extension node (IBM 9077, a dependent node of the SDR).

Values for the complex, for the intended extension node, and for the router's row of the SP dependent-node MIB
(1.3.6.1.4.1.2.6.117.4.1.1). A frame has sixteen slots with one switch port each, and slots are numbered
consecutively: node number = 16 x (frame - 1) + slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Interface

SLOTS = 16
"""Slots, and switch ports, of one node frame."""
MAX_LINK_PACKET = 65520
"""Bytes; the MTU of css0 and of a GigaRouter's SP card."""


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A slot in a frame, with its switch port; both count from 1."""

    frame: int
    slot: int

    @property
    def number(self) -> int:
        """The node number of the slot."""
        return SLOTS * (self.frame - 1) + self.slot

    def __str__(self) -> str:
        return f"frame {self.frame} slot {self.slot}"


def slot_of(number: int) -> Slot:
    """The slot of a node number; numbers count from 1."""
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
    """Slot of its switch port; None: unknown."""
    width: int = 1
    """Number of slots: 1 thin, 2 wide, 4 high; the node uses only the first slot's switch port."""
    extension: bool = False

    @property
    def host_part(self) -> int | None:
        """Host part of its address."""
        if self.interface is None:
            return None
        return int(self.interface.ip) - int(self.interface.network.network_address)


@dataclass(frozen=True, slots=True)
class Complex:
    """A switch with all its nodes."""

    fabric: str
    arp: bool
    """Whether its nodes resolve addresses by ARP."""
    arp_source: str
    """Source of `arp`, as text."""
    mtu: int
    nodes: tuple[SwitchNode, ...]
    """By name and port."""


@dataclass(frozen=True, slots=True)
class Extension:
    """An intended extension node; None: attribute not decided."""

    name: str
    """Name of the extension node in the SDR, as in the router's row."""
    port: str
    """The router's adapter on the switch."""
    slot: Slot | None
    number: int | None
    switch_number: int | None
    interface: IPv4Interface | None
    max_link_packet: int = MAX_LINK_PACKET
    host_offset: int | None = None
    token: str = ""
    """SwToken in hexadecimal digits; empty: not recorded."""
    switch_port: tuple[int, int, int] | None = None
    """SDR DependentNode: switch_number, switch_chip, switch_chip_port; None: not recorded."""


@dataclass(frozen=True, slots=True)
class ReportedExtension:
    """Attributes of a router's row; None: not reported."""

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
