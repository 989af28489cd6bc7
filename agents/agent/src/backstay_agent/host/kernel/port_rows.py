"""Ports, addresses and permanent neighbours as values, in the manner of kernel_rows.py."""

import struct
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface
from typing import Any

from backstay_agent.host.kernel.kernel_rows import Attributes, kept, octets
from backstay_agent.host.kernel.raw_messages import Address, Link, Neighbour, attributes, build
from backstay_wire.base import Message

_U32 = struct.Struct("=I")
_AF_INET, _AF_INET6 = 2, 10
_IFLA_ADDRESS, _IFLA_IFNAME, _IFLA_MTU = 1, 3, 4
_IFF_UP, _IFF_LOOPBACK, _IFF_NOARP = 0x1, 0x8, 0x80
_IFA_CACHEINFO, _IFA_FLAGS = 6, 8
_ADDRESS_FLAGS = 0x2 | 0x10 | 0x100 | 0x200 | 0x400
"""IFA_F_NODAD, HOMEADDRESS, MANAGETEMPADDR, NOPREFIXROUTE, MCAUTOJOIN: configured; the rest are findings."""
_NDA_DST, _NDA_LLADDR = 1, 2
NUD_PROBE, NUD_PERMANENT = 0x10, 0x80
"""Verified at once and used meanwhile; configured and left alone (linux/neighbour.h)."""


class LinkRow(Message):
    """A port's settings."""

    name: str
    index: int
    up: bool
    """Whether it is switched on (IFF_UP); carrier is another matter."""
    mtu: int
    arp: bool
    """Without IFF_NOARP: ARP and neighbour discovery are spoken."""
    hardware: str = ""
    """The port's own link address in hex."""
    loopback: bool = False

    def same_as(self, other: "LinkRow") -> bool:
        """Whether it is set as another; index and link address are what they are, not what was set."""
        mine, its = (self.name, self.up, self.mtu, self.arp), (other.name, other.up, other.mtu, other.arp)
        return mine == its

    def __str__(self) -> str:
        return f"{self.name}: {'up' if self.up else 'down'} mtu {self.mtu}{'' if self.arp else ' arp off'}"


class AddressRow(Message):
    """One address of a port."""

    family: int
    length: int
    scope: int
    port: str
    attributes: Attributes

    @property
    def interface(self) -> IPv4Interface | IPv6Interface:
        """Our own address with the network that it is on; of a point-to-point port the peer's is left out."""
        inner = dict(self.attributes)
        return ip_interface((bytes.fromhex(inner.get(2) or inner[1]), self.length))

    def message(self, indexes: Mapping[str, int]) -> Any:
        """What sets or deletes it. Raises KeyError for an unknown port."""
        attrs, index = octets(self.attributes), indexes[self.port]
        return build(Address, attrs, family=self.family, prefixlen=self.length, scope=self.scope, index=index)

    def __str__(self) -> str:
        inner = dict(self.attributes)
        octets = bytes.fromhex(inner.get(2) or inner.get(1) or "")
        return f"{ip_address(octets)}/{self.length} dev {self.port}" if octets else f"dev {self.port}"


class NeighbourRow(Message):
    """One permanent neighbour (NUD_PERMANENT): configured, where the others are learnt."""

    family: int
    port: str
    flags: int
    address: str
    hardware: str

    @property
    def key(self) -> tuple[int, str, str]:
        """The kernel's key of an entry."""
        return self.family, self.port, self.address

    @property
    def ip(self) -> IPv4Address | IPv6Address:
        """The neighbour's address."""
        return ip_address(bytes.fromhex(self.address))

    @property
    def mac(self) -> str:
        """Its link address in octets with colons; empty without one."""
        return bytes.fromhex(self.hardware).hex(":")

    def message(self, indexes: Mapping[str, int], state: int = NUD_PERMANENT) -> Any:
        """What sets or deletes it. Raises KeyError for an unknown port."""
        values = ((_NDA_DST, self.address), (_NDA_LLADDR, self.hardware))
        attrs, index = octets(item for item in values if item[1]), indexes[self.port]
        return build(Neighbour, attrs, family=self.family, ifindex=index, state=state, flags=self.flags)

    def __str__(self) -> str:
        return f"{self.ip} lladdr {self.mac} dev {self.port}"


def link(message: Any) -> LinkRow:
    """An RTM_NEWLINK message."""
    flags = message["flags"]
    return LinkRow(
        name=message.get_attr(_IFLA_IFNAME).rstrip(b"\0").decode(),
        index=message["index"],
        up=bool(flags & _IFF_UP),
        mtu=_U32.unpack(message.get_attr(_IFLA_MTU))[0],
        arp=not flags & _IFF_NOARP,
        hardware=message.get_attr(_IFLA_ADDRESS, b"").hex(),
        loopback=bool(flags & _IFF_LOOPBACK),
    )


def link_message(row: LinkRow, index: int) -> Any:
    """A message that switches a port and its ARP on or off, and sets its MTU."""
    flags = (_IFF_UP if row.up else 0) | (0 if row.arp else _IFF_NOARP)
    mtu = (_IFLA_MTU, _U32.pack(row.mtu))
    return build(Link, [mtu], index=index, flags=flags, change=_IFF_UP | _IFF_NOARP)


def arp_message(index: int, *, on: bool) -> Any:
    """A message that switches a port's ARP on or off, and nothing else."""
    return build(Link, index=index, flags=0 if on else _IFF_NOARP, change=_IFF_NOARP)


def address(message: Any, names: Mapping[int, str]) -> AddressRow | None:
    """An RTM_NEWADDR message; None for a link-local one, which its port makes itself."""
    if message["scope"] == 253 and message["family"] == _AF_INET6:
        return None
    inner = attributes(message)
    flags = _U32.unpack(inner[_IFA_FLAGS])[0] if _IFA_FLAGS in inner else message["flags"]
    inner[_IFA_FLAGS] = _U32.pack(flags & _ADDRESS_FLAGS)
    return AddressRow(
        family=message["family"],
        length=message["prefixlen"],
        scope=message["scope"],
        port=names.get(message["index"], "?"),
        attributes=kept(inner, _IFA_CACHEINFO),
    )


def static_neighbour(port: str, address: IPv4Address | IPv6Address, mac: str) -> NeighbourRow:
    """An entry as the kernel reports it once it is set; `mac` in octets with colons."""
    family = _AF_INET if address.version == 4 else _AF_INET6
    hardware = mac.replace(":", "")
    return NeighbourRow(family=family, port=port, flags=0, address=address.packed.hex(), hardware=hardware)


def neighbour(message: Any, names: Mapping[int, str]) -> NeighbourRow | None:
    """An RTM_NEWNEIGH message; None unless it is permanent."""
    if message["state"] != NUD_PERMANENT or message["family"] not in (_AF_INET, _AF_INET6):
        return None
    inner = attributes(message)
    if _NDA_DST not in inner:
        return None
    return NeighbourRow(
        family=message["family"],
        port=names.get(message["ifindex"], "?"),
        flags=message["flags"],
        address=inner[_NDA_DST].hex(),
        hardware=inner.get(_NDA_LLADDR, b"").hex(),
    )
