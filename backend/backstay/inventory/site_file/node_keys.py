"""The keys `arp` and `extension` of a node in the site file."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from backstay.core.model.extension import MAX_LINK_PACKET, SLOTS
from backstay.inventory.site_file.types import FilePath, Item, NodeName, PortName

_Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class ArpItem(Item):
    """`arp: {}` means these files: an `ip -batch` text and a sysctl.d(5) text that the host reads at boot."""

    config: FilePath = "/etc/backstay/arp"
    settings: FilePath = "/etc/sysctl.d/60-backstay-arp.conf"


class SwitchPortItem(Item):
    """The switch port of its cable, as in the SDR's DependentNode."""

    switch: _Number
    chip: _Number
    port: _Number


class ExtensionItem(Item):
    """Intended SDR attributes of the extension node, except its numbers and its port's address."""

    port: PortName | None = None
    """Its adapter on the switch; default: its only port on a fabric of kind sp_switch."""
    name: NodeName | None = None
    """Name of its row in the router's MIB; default: the node's."""
    frame: Annotated[int, Field(ge=1, le=512)] | None = None
    slot: Annotated[int, Field(ge=1, le=SLOTS)] | None = None
    host_offset: Annotated[int, Field(ge=-(2**31), le=2**31 - 1)] | None = None
    max_link_packet: Annotated[int, Field(ge=68, le=2**31 - 1)] = MAX_LINK_PACKET
    token: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,64}$")] = ""
    switch_port: SwitchPortItem | None = None
