"""rtnetlink(7) of labgated's namespace: ports, addresses, IPv4 routes of the main table, events.

Standard library only: a routing daemon that is restarted after a fault should be back in some hundredths of a
second.
"""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from backstay_lab.labgated.values import GatedPort, KernelRoute, Kind

GATED = 8
"""RTPROT_GATED of linux/rtnetlink.h."""
KERNEL = 2
_HEADER = struct.Struct("=IHHII")
_RTMSG = struct.Struct("=8BI")
_ATTRIBUTE = struct.Struct("=HH")
_REQUEST, _ACK, _DUMP, _REPLACE, _CREATE = 0x1, 0x4, 0x300, 0x100, 0x400
_ERROR, _DONE = 2, 3
_NEWLINK, _GETLINK, _NEWADDR, _GETADDR = 16, 18, 20, 22
_NEWROUTE, _DELROUTE, _GETROUTE = 24, 25, 26
_DST, _OIF, _GATEWAY, _PRIORITY = 1, 4, 5, 6
_IFNAME, _IFA_ADDRESS, _IFA_LOCAL = 3, 1, 2
_UP_AND_RUNNING = 0x1 | 0x40
_MAIN = 254
_LINK_SCOPE, _UNIVERSE = 253, 0
_KINDS: dict[Kind, int] = {"unicast": 1, "blackhole": 6, "unreachable": 7}
_GROUPS = 0x1 | 0x10 | 0x40
"""RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE."""
_BUFFER = 65536


def events() -> socket.socket:
    """A socket that becomes readable when a port, an address or a route changes. Raises OSError."""
    found = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK, 0)
    found.bind((0, _GROUPS))
    return found


class Netlink:
    """One socket for requests."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
        self._socket.bind((0, 0))
        self._socket.settimeout(2.0)
        self._sequence = 0

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def ports(self) -> list[GatedPort]:
        """Every port with its IPv4 addresses, by index. Raises OSError."""
        addresses: dict[int, list[IPv4Interface]] = {}
        for body in self._dump(_GETADDR, _NEWADDR, struct.pack("=4BI", socket.AF_INET, 0, 0, 0, 0)):
            _, length, _, _, index = struct.unpack_from("=4BI", body)
            inner = dict(_attributes(body[8:]))
            raw = inner.get(_IFA_LOCAL) or inner[_IFA_ADDRESS]
            addresses.setdefault(index, []).append(IPv4Interface((raw, length)))
        found = []
        for body in self._dump(_GETLINK, _NEWLINK, struct.pack("=BxHiII", 0, 0, 0, 0, 0)):
            _, _, index, flags, _ = struct.unpack_from("=BxHiII", body)
            name = dict(_attributes(body[16:]))[_IFNAME].rstrip(b"\0").decode()
            up = flags & _UP_AND_RUNNING == _UP_AND_RUNNING
            found.append(GatedPort(name, index, up, tuple(addresses.get(index, ()))))
        return sorted(found, key=lambda port: port.index)

    def routes(self) -> list[tuple[int, KernelRoute]]:
        """(RTPROT, route) of the main table's routes without a metric. Raises OSError."""
        found = []
        kinds = {number: kind for kind, number in _KINDS.items()}
        for body in self._dump(_GETROUTE, _NEWROUTE, _RTMSG.pack(socket.AF_INET, *([0] * 8))):
            family, length, _, _, table, protocol, _, kind, _ = _RTMSG.unpack_from(body)
            inner = dict(_attributes(body[_RTMSG.size :]))
            if family != socket.AF_INET or table != _MAIN or kind not in kinds or _PRIORITY in inner:
                continue
            prefix = IPv4Network((inner.get(_DST, bytes(4)), length))
            gateway = IPv4Address(inner[_GATEWAY]) if _GATEWAY in inner else None
            port = struct.unpack("=i", inner[_OIF])[0] if _OIF in inner else 0
            found.append((protocol, KernelRoute(prefix, gateway, port, kinds[kind])))
        return found

    def put(self, route: KernelRoute) -> None:
        """Add a route, or replace the one of the same prefix in one step. Raises OSError."""
        self._request(_NEWROUTE, _CREATE | _REPLACE, route)

    def remove(self, route: KernelRoute) -> None:
        """Remove our route; it may have disappeared with its port. Raises OSError."""
        try:
            self._request(_DELROUTE, 0, route)
        except OSError as error:
            if error.errno not in {errno.ESRCH, errno.ENODEV}:
                raise

    def _request(self, kind: int, flags: int, route: KernelRoute) -> None:
        scope = _LINK_SCOPE if route.kind == "unicast" and route.gateway is None else _UNIVERSE
        body = _RTMSG.pack(
            socket.AF_INET, route.prefix.prefixlen, 0, 0, _MAIN, GATED, scope, _KINDS[route.kind], 0
        )
        body += _attribute(_DST, route.prefix.network_address.packed)
        if route.gateway is not None:
            body += _attribute(_GATEWAY, route.gateway.packed)
        if route.port and route.kind == "unicast":
            body += _attribute(_OIF, struct.pack("=i", route.port))
        for _ in self._talk(kind, _REQUEST | _ACK | flags, body):
            pass

    def _dump(self, kind: int, answer: int, body: bytes) -> list[bytes]:
        return [content for number, content in self._talk(kind, _REQUEST | _DUMP, body) if number == answer]

    def _talk(self, kind: int, flags: int, body: bytes) -> Iterator[tuple[int, bytes]]:
        self._sequence += 1
        self._socket.send(_HEADER.pack(_HEADER.size + len(body), kind, flags, self._sequence, 0) + body)
        while True:
            datagram, offset = self._socket.recv(_BUFFER), 0
            while offset + _HEADER.size <= len(datagram):
                length, number, _, sequence, _ = _HEADER.unpack_from(datagram, offset)
                content = datagram[offset + _HEADER.size : offset + length]
                offset += (length + 3) & ~3
                if sequence != self._sequence:
                    continue
                if number == _ERROR:
                    (code,) = struct.unpack_from("=i", content)
                    if code:
                        raise OSError(-code, errno.errorcode.get(-code, "?"))
                    return
                if number == _DONE:
                    return
                yield number, content


def _attribute(kind: int, content: bytes) -> bytes:
    return _ATTRIBUTE.pack(_ATTRIBUTE.size + len(content), kind) + content + bytes(-len(content) % 4)


def _attributes(raw: bytes) -> Iterator[tuple[int, bytes]]:
    offset = 0
    while offset + _ATTRIBUTE.size <= len(raw):
        length, kind = _ATTRIBUTE.unpack_from(raw, offset)
        if length < _ATTRIBUTE.size:
            return
        yield kind & 0x3FFF, raw[offset + _ATTRIBUTE.size : offset + length]
        offset += (length + 3) & ~3
