"""Ports, addresses and permanent neighbours as values, in the manner of kernel_rows.py."""

import struct
from collections.abc import Mapping
from ipaddress import ip_address

from backstay_agent.host.kernel_rows import Attributes, attribute, attributes, kept
from backstay_wire.base import Message

_IFADDR = struct.Struct("=4BI")
_NDMSG = struct.Struct("=B3xiHBB")
_U32 = struct.Struct("=I")
_AF_INET, _AF_INET6 = 2, 10
_IFA_CACHEINFO, _IFA_FLAGS = 6, 8
_ADDRESS_FLAGS = 0x2 | 0x10 | 0x100 | 0x200 | 0x400
"""IFA_F_NODAD, HOMEADDRESS, MANAGETEMPADDR, NOPREFIXROUTE, MCAUTOJOIN: wishes; the rest are findings."""
_NDA_DST, _NDA_LLADDR = 1, 2
_NUD_PERMANENT = 0x80


class LinkRow(Message):
    """A port's settings."""

    name: str
    index: int
    up: bool
    """Whether it is switched on (IFF_UP); carrier is another matter."""
    mtu: int


class AddressRow(Message):
    """One address of a port."""

    family: int
    length: int
    scope: int
    port: str
    attributes: Attributes

    def __str__(self) -> str:
        inner = dict(self.attributes)
        octets = bytes.fromhex(inner.get(2) or inner.get(1) or "")
        return f"{ip_address(octets)}/{self.length} dev {self.port}" if octets else f"dev {self.port}"


class NeighbourRow(Message):
    """One permanent neighbour (NUD_PERMANENT): somebody's wish, where the others are learnt."""

    family: int
    port: str
    flags: int
    address: str
    hardware: str

    def __str__(self) -> str:
        octets = bytes.fromhex(self.hardware).hex(":")
        return f"{ip_address(bytes.fromhex(self.address))} lladdr {octets} dev {self.port}"


def address(body: bytes, names: Mapping[int, str]) -> AddressRow | None:
    """The body of an RTM_NEWADDR message; None for a link-local one, which its port makes itself."""
    family, length, flags, scope, index = _IFADDR.unpack_from(body)
    if scope == 253 and family == _AF_INET6:
        return None
    rest = kept(body[_IFADDR.size :], _IFA_CACHEINFO, _IFA_FLAGS)
    whole = dict(attributes(body[_IFADDR.size :])).get(_IFA_FLAGS)
    wished = (_U32.unpack(whole)[0] if whole else flags) & _ADDRESS_FLAGS
    return AddressRow(
        family=family,
        length=length,
        scope=scope,
        port=names.get(index, "?"),
        attributes=tuple(sorted((*rest, (_IFA_FLAGS, _U32.pack(wished).hex())))),
    )


def address_body(row: AddressRow, indexes: Mapping[str, int]) -> bytes:
    """The body of a message that sets or deletes an address. Raises KeyError for an unknown port."""
    head = _IFADDR.pack(row.family, row.length, 0, row.scope, indexes[row.port])
    return head + b"".join(attribute(kind, bytes.fromhex(content)) for kind, content in row.attributes)


def neighbour(body: bytes, names: Mapping[int, str]) -> NeighbourRow | None:
    """The body of an RTM_NEWNEIGH message; None unless it is permanent."""
    family, index, state, flags, _ = _NDMSG.unpack_from(body)
    inner = dict(attributes(body[_NDMSG.size :]))
    if state != _NUD_PERMANENT or _NDA_DST not in inner or family not in (_AF_INET, _AF_INET6):
        return None
    hardware = inner.get(_NDA_LLADDR, b"")
    return NeighbourRow(
        family=family,
        port=names.get(index, "?"),
        flags=flags,
        address=inner[_NDA_DST].hex(),
        hardware=hardware.hex(),
    )


def neighbour_body(row: NeighbourRow, indexes: Mapping[str, int]) -> bytes:
    """The body of a message that sets or deletes a neighbour. Raises KeyError for an unknown port."""
    head = _NDMSG.pack(row.family, indexes[row.port], _NUD_PERMANENT, row.flags, 0)
    parts = attribute(_NDA_DST, bytes.fromhex(row.address))
    return head + parts + (attribute(_NDA_LLADDR, bytes.fromhex(row.hardware)) if row.hardware else b"")
