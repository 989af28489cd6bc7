"""Neighbour tables as the kernel keeps them, counted and not decoded: 8,000 entries cost some 80 ms.

The kernel has one table a family for all its network namespaces: a dump shows the entries of this namespace
only, while capacity, count and overflows (RTM_GETNEIGHTBL, linux/neighbour.h) are of all of them.
"""

import struct
from collections import Counter
from dataclasses import dataclass, field

from backstay_agent.host.kernel.netlink import DumpTable, Requests, attributes

_NDMSG = struct.Struct("=16xB3xiH2x")
_ATTRIBUTE = struct.Struct("=HH")
_NDTMSG = struct.Struct("=16xB3x")
_NDA_DST, _NDA_LLADDR = 1, 2
_THRESH3, _CONFIG, _STATS = 4, 5, 7
_ENTRIES_AT, _FULLS_AT = 4, 80
"""Offsets of ndtc_entries in ndt_config and of ndts_table_fulls in ndt_stats."""
_INET, _INET6 = 2, 10
VERSION = {_INET: 4, _INET6: 6}
_INCOMPLETE, _FAILED, _NOARP, _PERMANENT = 0x01, 0x20, 0x40, 0x80

Key = tuple[int, bytes]
"""(interface index, address)."""
Kind = tuple[int, int, int, bytes]
"""(family, interface index, state, hardware address)."""


@dataclass(frozen=True, slots=True)
class KernelTable:
    """One family's table, of all namespaces together."""

    version: int
    """4 or 6."""
    capacity: int
    entries: int
    overflows: int
    """Since boot: entries that found no room."""


@dataclass(slots=True)
class PortEntries:
    """What one port has in both tables, in this namespace."""

    ipv4: int = 0
    ipv6: int = 0
    permanent: int = 0
    incomplete: int = 0
    macs: Counter[bytes] = field(default_factory=Counter)
    """Hardware address -> learnt entries that point at it."""


class NeighbourTables:
    """Counts of one namespace; needs no privilege."""

    def __init__(self) -> None:
        self._requests = Requests()

    def tables(self) -> list[KernelTable]:
        """The tables with their capacity. Raises OSError."""
        found = []
        for body in self._requests.rows(DumpTable.NEIGHBOUR_TABLES):
            inner = attributes(body[_NDTMSG.size :])
            version = VERSION.get(*_NDTMSG.unpack_from(body))
            # The messages of single devices have parameters only.
            if version is not None and _THRESH3 in inner and _CONFIG in inner:
                (capacity,) = struct.unpack_from("=I", inner[_THRESH3])
                (entries,) = struct.unpack_from("=I", inner[_CONFIG], _ENTRIES_AT)
                (overflows,) = struct.unpack_from("=Q", inner[_STATS], _FULLS_AT) if _STATS in inner else (0,)
                found.append(KernelTable(version, capacity, entries, overflows))
        return found

    def ports(self) -> dict[int, PortEntries]:
        """Entries by interface index. Raises OSError."""
        # A dump of a table that changes meanwhile may contain an entry twice.
        entries = dict(map(_entry, self._requests.rows(DumpTable.NEIGHBOURS)))
        kinds = Counter(entries.values())
        found: dict[int, PortEntries] = {}
        for (family, index, state, mac), number in kinds.items():
            if family in VERSION and state not in (0, _NOARP):
                _count(found.setdefault(index, PortEntries()), (VERSION[family], state, mac), number)
        return found


def _entry(body: bytes) -> tuple[Key, Kind]:
    """An entry's identity and what counts of it; by hand, because there may be many."""
    family, index, state = _NDMSG.unpack_from(body)
    offset, address, mac = _NDMSG.size, b"", b""
    while offset + 4 <= len(body):
        length, kind = _ATTRIBUTE.unpack_from(body, offset)
        if kind == _NDA_DST:
            address = body[offset + 4 : offset + length]
        elif kind == _NDA_LLADDR:
            mac = body[offset + 4 : offset + length]
            break  # The kernel puts it after the address.
        offset += max((length + 3) & ~3, 4)
    return (index, address), (family, index, state, mac)


def _count(port: PortEntries, of: tuple[int, int, bytes], number: int) -> None:
    version, state, mac = of
    if state & _PERMANENT:
        port.permanent += number
        return
    if version == VERSION[_INET]:
        port.ipv4 += number
    else:
        port.ipv6 += number
    if state & (_INCOMPLETE | _FAILED):
        port.incomplete += number
    if mac:
        port.macs[mac] += number
