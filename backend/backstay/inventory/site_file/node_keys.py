"""The keys `routing`, `arp` and `extension` of a node in the site file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from backstay.core.model.extension import MAX_LINK_PACKET, SLOTS
from backstay.inventory.site_file.sources import FilePath
from backstay.inventory.site_file.types import Item, NodeName, PortName

Socket = Annotated[str, StringConstraints(max_length=107, pattern=r"^/[^\x00-\x1f]+$")]
"""sun_path holds 108 octets (unix(7))."""
Gdc = Annotated[str, StringConstraints(max_length=128, pattern=r"^/[^\x00-\x1f\x7f]*/gdc$")]
"""A setting cannot name another program."""
_Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class KernelRouting(Item):
    """Plain kernel routes; `config` is an `ip -batch` file that the host reads at boot."""

    engine: Literal["kernel"]
    config: FilePath = "/etc/backstay/routes"


class FrrRouting(Item):
    """FRR; `control` is the folder of its vty sockets."""

    engine: Literal["frr"]
    config: FilePath = "/etc/frr/frr.conf"
    control: FilePath = "/var/run/frr"


class BirdRouting(Item):
    """BIRD 2; `control` is its control socket."""

    engine: Literal["bird"]
    config: FilePath = "/etc/bird/bird.conf"
    control: Socket = "/run/bird/bird.ctl"


class GatedRouting(Item):
    """gated; `control` is the program gdc, `dump` the file that `gdc dump` writes."""

    engine: Literal["gated"]
    config: FilePath = "/etc/gated.conf"
    control: Gdc = "/usr/sbin/gdc"
    dump: FilePath = "/usr/tmp/gated_dump"


RoutingItem = Annotated[
    KernelRouting | FrrRouting | BirdRouting | GatedRouting, Field(discriminator="engine")
]


class ArpItem(Item):
    """`arp: {}` means these files: an `ip -batch` text and a sysctl.d(5) text that the host reads at boot."""

    config: FilePath = "/etc/backstay/arp"
    settings: FilePath = "/etc/sysctl.d/60-backstay-arp.conf"


class SwitchPortItem(Item):
    """Where its cable is, as the SDR's DependentNode has it."""

    switch: _Number
    chip: _Number
    port: _Number


class ExtensionItem(Item):
    """What the SDR shall hold of the extension node besides its numbers and its port's address."""

    port: PortName | None = None
    """Its adapter on the switch; absent: its one port on a fabric of kind sp_switch."""
    name: NodeName | None = None
    """Of its row in the router's MIB; absent: the node's."""
    frame: Annotated[int, Field(ge=1, le=512)] | None = None
    slot: Annotated[int, Field(ge=1, le=SLOTS)] | None = None
    host_offset: Annotated[int, Field(ge=-(2**31), le=2**31 - 1)] | None = None
    max_link_packet: Annotated[int, Field(ge=68, le=2**31 - 1)] = MAX_LINK_PACKET
    token: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,64}$")] = ""
    switch_port: SwitchPortItem | None = None
