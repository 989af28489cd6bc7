"""Ports, addresses and permanent neighbours as values, in the manner of kernel_rows.py."""

import struct
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface

from backstay_agent.host.kernel.kernel_rows import Attributes, attribute, attributes, kept
from backstay_wire.base import Message

_IFINFO = struct.Struct("=BxHiII")
_IFADDR = struct.Struct("=4BI")
_NDMSG = struct.Struct("=B3xiHBB")
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

    def __str__(self) -> str:
        return f"{self.ip} lladdr {self.mac} dev {self.port}"


def link(body: bytes) -> LinkRow:
    """The body of an RTM_NEWLINK message."""
    _, _, index, flags, _ = _IFINFO.unpack_from(body)
    inner = dict(attributes(body[_IFINFO.size :]))
    return LinkRow(
        name=inner[_IFLA_IFNAME].rstrip(b"\0").decode(),
        index=index,
        up=bool(flags & _IFF_UP),
        mtu=_U32.unpack(inner[_IFLA_MTU])[0],
        arp=not flags & _IFF_NOARP,
        hardware=inner.get(_IFLA_ADDRESS, b"").hex(),
        loopback=bool(flags & _IFF_LOOPBACK),
    )


def link_body(row: LinkRow, index: int) -> bytes:
    """The body of a message that switches a port and its ARP on or off, and sets its MTU."""
    flags = (_IFF_UP if row.up else 0) | (0 if row.arp else _IFF_NOARP)
    head = _IFINFO.pack(0, 0, index, flags, _IFF_UP | _IFF_NOARP)
    return head + attribute(_IFLA_MTU, _U32.pack(row.mtu))


def arp_body(index: int, *, on: bool) -> bytes:
    """The body of a message that switches a port's ARP on or off, and nothing else."""
    return _IFINFO.pack(0, 0, index, 0 if on else _IFF_NOARP, _IFF_NOARP)


def address(body: bytes, names: Mapping[int, str]) -> AddressRow | None:
    """The body of an RTM_NEWADDR message; None for a link-local one, which its port makes itself."""
    family, length, flags, scope, index = _IFADDR.unpack_from(body)
    if scope == 253 and family == _AF_INET6:
        return None
    rest = kept(body[_IFADDR.size :], _IFA_CACHEINFO, _IFA_FLAGS)
    whole = dict(attributes(body[_IFADDR.size :])).get(_IFA_FLAGS)
    wanted = (_U32.unpack(whole)[0] if whole else flags) & _ADDRESS_FLAGS
    return AddressRow(
        family=family,
        length=length,
        scope=scope,
        port=names.get(index, "?"),
        attributes=tuple(sorted((*rest, (_IFA_FLAGS, _U32.pack(wanted).hex())))),
    )


def address_body(row: AddressRow, indexes: Mapping[str, int]) -> bytes:
    """The body of a message that sets or deletes an address. Raises KeyError for an unknown port."""
    head = _IFADDR.pack(row.family, row.length, 0, row.scope, indexes[row.port])
    return head + b"".join(attribute(kind, bytes.fromhex(content)) for kind, content in row.attributes)


def static_neighbour(port: str, address: IPv4Address | IPv6Address, mac: str) -> NeighbourRow:
    """An entry as the kernel reports it once it is set; `mac` in octets with colons."""
    family = _AF_INET if address.version == 4 else _AF_INET6
    hardware = mac.replace(":", "")
    return NeighbourRow(family=family, port=port, flags=0, address=address.packed.hex(), hardware=hardware)


def neighbour(body: bytes, names: Mapping[int, str]) -> NeighbourRow | None:
    """The body of an RTM_NEWNEIGH message; None unless it is permanent."""
    family, index, state, flags, _ = _NDMSG.unpack_from(body)
    inner = dict(attributes(body[_NDMSG.size :]))
    if state != NUD_PERMANENT or _NDA_DST not in inner or family not in (_AF_INET, _AF_INET6):
        return None
    hardware = inner.get(_NDA_LLADDR, b"")
    return NeighbourRow(
        family=family,
        port=names.get(index, "?"),
        flags=flags,
        address=inner[_NDA_DST].hex(),
        hardware=hardware.hex(),
    )


def neighbour_body(row: NeighbourRow, indexes: Mapping[str, int], state: int = NUD_PERMANENT) -> bytes:
    """The body of a message that sets or deletes a neighbour. Raises KeyError for an unknown port."""
    head = _NDMSG.pack(row.family, indexes[row.port], state, row.flags, 0)
    parts = attribute(_NDA_DST, bytes.fromhex(row.address))
    return head + parts + (attribute(_NDA_LLADDR, bytes.fromhex(row.hardware)) if row.hardware else b"")
