"""rtnetlink(7): dumps, events and port counters of this process's network namespace.

The socket is ours and the decoding pyroute2's: so an overrun (ENOBUFS) is seen for what it is, a long
dump can yield between datagrams, and an event carries the time at which it was received.

Counters do not go through pyroute2. Measured with 17 ports: a decoded link dump costs 12 ms of CPU, which
alone is the 1 % of a core that the whole agent may take; RTM_GETSTATS filtered to IFLA_STATS_LINK_64 (Linux
4.7) returns one fixed struct a port, keyed by interface index, for 0.03 ms.
"""

import asyncio
import contextlib
import errno
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from pyroute2.netlink.rtnl.marshal import MarshalRtnl

from backstay_agent.host.kernel import port_statistics
from backstay_agent.host.kernel.port_statistics import Counters

_HEADER = struct.Struct("=IHHII")
_ATTRIBUTE, _TYPE_MASK = struct.Struct("=HH"), 0x3FFF
_DONE, _ERROR = 3, 2
_REQUEST_DUMP = 0x301
_DUMP_INTERRUPTED = 0x10
_NEWSTATS = 92
_STATS = struct.Struct("=BxHII")
_STATS_LINK_64 = 1
_LINK_STATS = struct.Struct("=8Q")
_SOL_NETLINK, _GET_STRICT_CHECK = 270, 12
_BUFFER = 65536
_EVENT_BUFFER = 4 * 1024 * 1024
_ATTEMPTS = 3
_NUD, _NUD_NOARP = struct.Struct("=24xH"), 0x40

RTM_NEWLINK, RTM_DELLINK = 16, 17
RTM_NEWADDR, RTM_DELADDR = 20, 21
RTM_NEWROUTE, RTM_DELROUTE = 24, 25
RTM_NEWNEIGH, RTM_DELNEIGH = 28, 29


class DumpTable(IntEnum):
    """What can be dumped: the value is the RTM_GET* type."""

    LINKS = 18
    ADDRESSES = 22
    ROUTES = 26
    NEIGHBOURS = 30
    RULES = 34
    NEIGHBOUR_TABLES = 66
    STATS = 94


_BODY = {
    DumpTable.LINKS: struct.pack("=BxHiII", 0, 0, 0, 0, 0),
    DumpTable.ADDRESSES: struct.pack("=BBBBI", 0, 0, 0, 0, 0),
    DumpTable.ROUTES: struct.pack("=8BI", 0, 0, 0, 0, 254, 0, 0, 0, 0),
    DumpTable.NEIGHBOURS: struct.pack("=BxHiHBB", 0, 0, 0, 0, 0, 0),
    DumpTable.RULES: bytes(12),
    DumpTable.NEIGHBOUR_TABLES: bytes(4),
    DumpTable.STATS: _STATS.pack(0, 0, 0, _STATS_LINK_64),
}

Message = dict[str, Any]
"""A decoded message: its header's `message_type` and `message_flags`, its fixed fields by pyroute2's names,
and `attrs` by name."""

# pyroute2 decodes an attribute when it is first looked at: leaving the rest alone saves four fifths.
_WANTED = frozenset(
    (
        *("IFLA_IFNAME", "IFLA_MTU", "IFLA_ADDRESS", "IFLA_IFALIAS", "IFLA_LINKINFO"),
        *("IFA_ADDRESS", "IFA_LOCAL"),
        *("RTA_TABLE", "RTA_DST", "RTA_OIF", "RTA_GATEWAY", "RTA_VIA", "RTA_PRIORITY", "RTA_MULTIPATH"),
        *("NDA_DST", "NDA_LLADDR"),
        *("IFLA_MASTER", "FRA_DST", "FRA_SRC", "FRA_IIFNAME", "FRA_OIFNAME", "FRA_PRIORITY", "FRA_TABLE"),
        *("FRA_FWMARK", "FRA_UID_RANGE", "FRA_IP_PROTO", "FRA_SPORT_RANGE", "FRA_DPORT_RANGE"),
        *("FRA_L3MDEV", "FRA_SUPPRESS_PREFIXLEN", "FRA_TUN_ID"),
    )
)


class OverrunError(Exception):
    """The kernel dropped events: a new dump is needed."""


class NetlinkError(OSError):
    """The kernel refused a request."""


@dataclass(frozen=True, slots=True)
class NetlinkEvent:
    """One rtnetlink event, decoded only when its content is needed."""

    kind: int
    raw: bytes

    def message(self) -> Message:
        """The event's content."""
        return next(_decode(self.raw))


def split(datagram: bytes) -> Iterator[tuple[int, int, bytes]]:
    """(type, flags, whole message) of each message in a datagram."""
    offset = 0
    while offset + _HEADER.size <= len(datagram):
        length, kind, flags, _, _ = _HEADER.unpack_from(datagram, offset)
        if length < _HEADER.size:
            return
        yield kind, flags, datagram[offset : offset + length]
        offset += (length + 3) & ~3


def attributes(octets: bytes) -> dict[int, bytes]:
    """The attributes of a message's tail by type, for messages that come too often to be decoded."""
    found, offset = {}, 0
    while offset + _ATTRIBUTE.size <= len(octets):
        length, kind = _ATTRIBUTE.unpack_from(octets, offset)
        if length < _ATTRIBUTE.size:
            break
        found[kind & _TYPE_MASK] = octets[offset + _ATTRIBUTE.size : offset + length]
        offset += (length + 3) & ~3
    return found


_make_marshal: Any = MarshalRtnl
marshal = _make_marshal()


def _decode(raw: bytes) -> Iterator[Message]:
    for decoded in marshal.parse(raw):
        message: Message = {key: decoded[key] for key in decoded if key not in ("attrs", "header", "event")}
        message["message_type"] = decoded["header"]["type"]
        message["message_flags"] = decoded["header"]["flags"]
        message["attrs"] = {slot[0]: slot[1] for slot in decoded["attrs"] if slot[0] in _WANTED}
        yield message


def _check(kind: int, message: bytes) -> None:
    if kind == _ERROR:
        (code,) = struct.unpack_from("=i", message, _HEADER.size)
        if code:
            raise NetlinkError(-code, errno.errorcode.get(-code, "unknown error"))


def nud(raw: bytes) -> int:
    """The state of a neighbour message, undecoded."""
    return int(_NUD.unpack_from(raw)[0])


class Requests:
    """One request socket, for dumps that are not decoded. Needs no privilege."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
        self._socket.bind((0, 0))
        # Answers come from the kernel at once; the limit only keeps a kernel bug from stopping the agent.
        # (Not settimeout: that waits before MSG_DONTWAIT too.)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", 2, 0))
        # Lets the kernel filter the route dump by table; without it (before 4.20) the parser does.
        with contextlib.suppress(OSError):
            self._socket.setsockopt(_SOL_NETLINK, _GET_STRICT_CHECK, 1)
        self._sequence = 0

    def rows(self, table: DumpTable) -> list[bytes]:
        """Whole messages, read again when the table changed meanwhile. Raises OSError."""
        for _ in range(_ATTEMPTS):
            found = [message for datagram in self.answers(table) for message in split(datagram)]
            if not any(flags & _DUMP_INTERRUPTED for _, flags, _ in found):
                break
        return [raw for kind, _, raw in found if kind == table - 2]

    def answers(self, table: DumpTable) -> Iterator[bytes]:
        """The datagrams of a dump. Raises OSError."""
        self.drain()
        self._sequence += 1
        body = _BODY[table]
        header = _HEADER.pack(_HEADER.size + len(body), table, _REQUEST_DUMP, self._sequence, 0)
        self._socket.send(header + body)
        while True:
            datagram = self._socket.recv(_BUFFER)
            yield datagram
            for kind, _, raw in split(datagram):
                _check(kind, raw)
                if kind == _DONE:
                    return

    def drain(self) -> None:
        """Discard the rest of an abandoned dump."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self._socket.recv(_BUFFER, socket.MSG_DONTWAIT)

    def close(self) -> None:
        self._socket.close()


class Netlink:
    """Dumps of one namespace. Nothing here needs a privilege."""

    def __init__(self) -> None:
        self._dumps = Requests()
        # Its own socket: a counter reading may come between two datagrams of a long dump.
        self._counters = Requests()
        self._lock = asyncio.Lock()
        self._has_stats = True

    def close(self) -> None:
        """Close the sockets."""
        self._dumps.close()
        self._counters.close()

    async def dump(self, table: DumpTable) -> list[Message]:
        """Every row of `table`, decoded; lets others run between datagrams.

        Raises NetlinkError, or OverrunError when the table kept changing under three attempts.
        """
        async with self._lock:
            for _ in range(_ATTEMPTS):
                rows, interrupted = await self._dump_once(table)
                if not interrupted:
                    return rows
        raise OverrunError(f"{table.name.lower()} changed during each of {_ATTEMPTS} dumps")

    async def _dump_once(self, table: DumpTable) -> tuple[list[Message], bool]:
        rows: list[Message] = []
        interrupted = False
        for datagram in self._dumps.answers(table):
            for kind, flags, raw in split(datagram):
                interrupted |= bool(flags & _DUMP_INTERRUPTED)
                # Entries that the kernel made up itself (multicast, point to point) are most of the table.
                if kind not in (_DONE, _ERROR) and (kind != RTM_NEWNEIGH or nud(raw) != _NUD_NOARP):
                    rows.extend(_decode(raw))
            await asyncio.sleep(0)
        return rows, interrupted

    def counters(self) -> dict[int, Counters]:
        """64-bit counters of every port by interface index, in about 30 microseconds.

        A kernel without RTM_GETSTATS (before 4.7) has them in sysfs only, which takes a few milliseconds.
        """
        if self._has_stats:
            try:
                return self._stats()
            except NetlinkError as error:
                if error.errno != errno.EOPNOTSUPP:
                    raise
                self._has_stats = False
        return port_statistics.port_counters()

    def _stats(self) -> dict[int, Counters]:
        found: dict[int, Counters] = {}
        for datagram in self._counters.answers(DumpTable.STATS):
            for kind, _, raw in split(datagram):
                if kind == _NEWSTATS:
                    _, _, index, _ = _STATS.unpack_from(raw, _HEADER.size)
                    rx_p, tx_p, rx_o, tx_o, rx_e, tx_e, rx_d, tx_d = _LINK_STATS.unpack_from(
                        raw, _HEADER.size + _STATS.size + 4
                    )
                    found[index] = (rx_o, tx_o, rx_p, tx_p, rx_e, tx_e, rx_d, tx_d)
        return found


def _groups(*numbers: int) -> int:
    return sum(1 << (number - 1) for number in numbers)


# RTNLGRP_LINK, IPV4_IFADDR, IPV4_ROUTE, IPV6_IFADDR, IPV6_ROUTE
_WATCHED = _groups(1, 5, 7, 9, 11)


class EventSocket:
    """Link, address and route events of one namespace, read when the event loop reports data."""

    def __init__(self) -> None:
        self._socket = socket.socket(
            socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK, 0
        )
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _EVENT_BUFFER)
        self._socket.bind((0, _WATCHED))

    def fileno(self) -> int:
        """For `loop.add_reader`."""
        return self._socket.fileno()

    def read(self) -> list[NetlinkEvent]:
        """All events that wait. Raises OverrunError when the kernel had to drop some."""
        events: list[NetlinkEvent] = []
        while True:
            try:
                datagram = self._socket.recv(_BUFFER)
            except BlockingIOError:
                return events
            except OSError as error:
                if error.errno == errno.ENOBUFS:
                    raise OverrunError("the kernel dropped events") from error
                raise
            events.extend(NetlinkEvent(kind, raw) for kind, _, raw in split(datagram))

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
