"""IP-MIB's addresses and neighbour tables (RFC 4293; the older ones RFC 4293 deprecates) into wire values.

Many routers keep IPv6 in the newer tables and IPv4 in the older ones, or some rows in each. So both are read
and merged; where both have a row, the newer one decides.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from backstay_agent.parsers import text
from backstay_agent.parsers.ifmib import IF_TYPE, LOOPBACK, MIB2, Oid, Rows, Value, integer
from backstay_wire import Neighbour

Address = IPv4Address | IPv6Address

_ADDRESS: Oid = (*MIB2, 4, 34, 1)
ADDRESS_IF, ADDRESS_TYPE, ADDRESS_PREFIX = (*_ADDRESS, 3), (*_ADDRESS, 4), (*_ADDRESS, 5)
_OLD_ADDRESS: Oid = (*MIB2, 4, 20, 1)
OLD_ADDRESS_IF, OLD_ADDRESS_MASK = (*_OLD_ADDRESS, 2), (*_OLD_ADDRESS, 3)
_PHYSICAL: Oid = (*MIB2, 4, 35, 1)
PHYSICAL_MAC, PHYSICAL_TYPE = (*_PHYSICAL, 4), (*_PHYSICAL, 6)
_MEDIA: Oid = (*MIB2, 4, 22, 1)
MEDIA_MAC, MEDIA_TYPE = (*_MEDIA, 2), (*_MEDIA, 4)
NEIGHBOUR_TABLES = {
    "neighbours": (PHYSICAL_MAC, PHYSICAL_TYPE),
    "neighbours (RFC 1213)": (MEDIA_MAC, MEDIA_TYPE),
}
"""Columns of ipNetToPhysicalTable and ipNetToMediaTable, by the name in reports of collectors."""

PREFIX_ENTRY: Oid = (*MIB2, 4, 32, 1)
"""ipAddressPrefixEntry; a pointer to a row continues with a column and ifIndex, type, octets, length."""
_BROADCAST = 3
_OCTETS = {1: 4, 2: 16, 3: 8, 4: 20}
"""InetAddressType -> octets: ipv4, ipv6, and both with a zone of four octets (RFC 4001)."""
_ZONE = 4
STATIC = 4
_NOT_NEIGHBOURS = (2, 5)
"""invalid and local, of ipNetToMediaType and ipNetToPhysicalType."""
_STATES = {3: "dynamic", STATIC: "static"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a device's neighbour tables."""

    if_index: int
    address: Address
    mac: bytes
    """Empty: not resolved."""
    kind: int
    """ipNetToPhysicalType; 1 (other) if the device has none for the row."""


def inet_address(index: Oid) -> Address | None:
    """An InetAddressType, length, octets index (RFC 4001) without its zone; None for types other than
    IP's."""
    if len(index) < 2 or _OCTETS.get(index[0]) != index[1] or len(index) != 2 + index[1]:
        return None
    octets = index[2:-_ZONE] if index[1] in (8, 20) else index[2:]
    return None if any(part > 255 for part in index[2:]) else ip_address(bytes(octets))


def addresses(rows: Rows) -> dict[int, list[str]]:
    """A device's own addresses by ifIndex, without broadcast addresses: `address/length`, or `address` where
    no table has its prefix length."""
    masks = _masks(rows)
    found: dict[tuple[int, Address], int | None] = {}
    for index, port in rows.get(ADDRESS_IF, {}).items():
        address = inet_address(index)
        if address is None or not isinstance(port, int):
            continue
        if rows.get(ADDRESS_TYPE, {}).get(index) != _BROADCAST:
            pointer = rows.get(ADDRESS_PREFIX, {}).get(index)
            found[port, address] = _prefix_length(pointer, address) or masks.get(address)
    for index, port in rows.get(OLD_ADDRESS_IF, {}).items():
        old = _old_address(index)
        if isinstance(port, int) and old is not None:
            found.setdefault((port, old), masks.get(old))
    by_port: dict[int, list[str]] = {}
    for (port, address), length in found.items():
        by_port.setdefault(port, []).append(str(address) if length is None else f"{address}/{length}")
    return by_port


def _prefix_length(pointer: Value | None, address: Address) -> int | None:
    """The length in an ipAddressPrefix; None if it points nowhere (0.0) or to a prefix without the
    address."""
    if not isinstance(pointer, tuple) or pointer[: len(PREFIX_ENTRY)] != PREFIX_ENTRY:
        return None
    index, length = pointer[len(PREFIX_ENTRY) + 2 : -1], pointer[-1]
    prefix = inet_address(index)
    if prefix is None or prefix.version != address.version or not 0 < length <= prefix.max_prefixlen:
        return None
    return length if address in ip_network((prefix, length), strict=False) else None


def _masks(rows: Rows) -> dict[Address, int]:
    """Prefix lengths by ipAdEntNetMask; masks that are zero or not contiguous are left out."""
    found: dict[Address, int] = {}
    for index, mask in rows.get(OLD_ADDRESS_MASK, {}).items():
        address = _old_address(index)
        if address is None or not isinstance(mask, bytes) or len(mask) != 4:
            continue
        host = int.from_bytes(mask, "big") ^ 0xFFFFFFFF
        if host & (host + 1) == 0 and host != 0xFFFFFFFF:
            found[address] = 32 - host.bit_length()
    return found


def _old_address(index: Oid) -> IPv4Address | None:
    return IPv4Address(bytes(index)) if len(index) == 4 and max(index) < 256 else None


def entries(rows: Rows) -> list[Entry]:
    """Both neighbour tables merged by (ifIndex, address), without invalid and own entries."""
    found: dict[tuple[int, Address], Entry] = {}
    for entry in (*_entries(rows, PHYSICAL_MAC, PHYSICAL_TYPE), *_entries(rows, MEDIA_MAC, MEDIA_TYPE)):
        found.setdefault((entry.if_index, entry.address), entry)
    return [entry for entry in found.values() if entry.kind not in _NOT_NEIGHBOURS]


def _entries(rows: Rows, macs: Oid, kinds: Oid) -> Iterator[Entry]:
    types = rows.get(kinds, {})
    for index, mac in rows.get(macs, {}).items():
        if not index or not isinstance(mac, bytes):
            continue
        address = inet_address(index[1:]) if macs == PHYSICAL_MAC else _old_address(index[1:])
        kind = types.get(index, 1)
        if address is not None and isinstance(kind, int):
            yield Entry(index[0], address, mac, kind)


def neighbours(rows: Rows, names: Mapping[int, str]) -> list[Neighbour]:
    """Both neighbour tables; `names` are the ports by ifIndex. A port that ifTable lacks is named `#ifIndex`;
    entries of loopbacks are left out."""
    return [
        Neighbour(
            port=names.get(entry.if_index) or f"#{entry.if_index}",
            address=entry.address,
            mac=text.hardware_address(entry.mac),
            state=_STATES.get(entry.kind, "other"),
        )
        for entry in entries(rows)
        if entry.if_index in names or integer(rows, IF_TYPE, (entry.if_index,)) != LOOPBACK
    ]
