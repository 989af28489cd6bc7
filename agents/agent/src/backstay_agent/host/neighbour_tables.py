"""Neighbour tables as the kernel keeps them, counted and not decoded: 8,000 entries cost about 20 ms.

The kernel has one table a family for all its network namespaces: a dump shows the entries of this namespace
only, while capacity, count and overflows (RTM_GETNEIGHTBL, linux/neighbour.h) are of all of them.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from backstay_agent.host import kernel_rows as rows
from backstay_agent.host.rtnetlink import RtNetlink

_GETNEIGH, _GETNEIGHTBL = 30, 66
_NDMSG = struct.Struct("=BxHiHBB")
_NDTMSG = struct.Struct("=BxH")
_NDA_LLADDR = 2
_THRESH3, _CONFIG, _STATS = 4, 5, 7
_ENTRIES_AT, _FULLS_AT = 4, 80
"""Offsets of ndtc_entries in ndt_config and of ndts_table_fulls in ndt_stats."""
_INET, _INET6 = 2, 10
VERSION = {_INET: 4, _INET6: 6}
_INCOMPLETE, _FAILED, _NOARP, _PERMANENT = 0x01, 0x20, 0x40, 0x80


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


class NeighbourTables(RtNetlink):
    """Counts of one namespace; needs no privilege."""

    def tables(self) -> list[KernelTable]:
        """The tables with their capacity. Raises OSError."""
        found = []
        for body in self._dump(_GETNEIGHTBL, _NDTMSG.pack(0, 0)):
            inner = dict(rows.attributes(body[_NDTMSG.size :]))
            version = VERSION.get(body[0])
            # The messages of single devices have parameters only.
            if version is not None and _THRESH3 in inner and _CONFIG in inner:
                (capacity,) = struct.unpack_from("=I", inner[_THRESH3])
                (entries,) = struct.unpack_from("=I", inner[_CONFIG], _ENTRIES_AT)
                (overflows,) = struct.unpack_from("=Q", inner[_STATS], _FULLS_AT) if _STATS in inner else (0,)
                found.append(KernelTable(version, capacity, entries, overflows))
        return found

    def ports(self) -> dict[int, PortEntries]:
        """Entries by interface index. Raises OSError."""
        found: dict[int, PortEntries] = {}
        for body in self._dump(_GETNEIGH, _NDMSG.pack(0, 0, 0, 0, 0, 0)):
            family, _, index, state, _, _ = _NDMSG.unpack_from(body)
            if family in VERSION and state not in (0, _NOARP):
                port = found.setdefault(index, PortEntries())
                _count(port, VERSION[family], state, body)
        return found


def _count(port: PortEntries, version: int, state: int, body: bytes) -> None:
    if state & _PERMANENT:
        port.permanent += 1
        return
    if version == VERSION[_INET]:
        port.ipv4 += 1
    else:
        port.ipv6 += 1
    if state & (_INCOMPLETE | _FAILED):
        port.incomplete += 1
    for mac in _macs(body):
        port.macs[mac] += 1


def _macs(body: bytes) -> Iterator[bytes]:
    for kind, value in rows.attributes(body[_NDMSG.size :]):
        if kind == _NDA_LLADDR:
            yield value
