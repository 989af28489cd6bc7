"""rtnetlink(7), writing: rows of this process's namespace read whole, and set or deleted one by one.

Everything is synchronous: the kernel answers a request in microseconds, and a switch of gateways must not
wait for anybody's turn. Needs CAP_NET_ADMIN to write.
"""

import contextlib
import errno
import socket
import struct
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address

from backstay_agent.host import kernel_rows as rows
from backstay_agent.host import port_rows as ports

_HEADER = struct.Struct("=IHHII")
_LINK = struct.Struct("=BxHiII")
_ERROR, _DONE = 2, 3
_REQUEST, _ACK, _DUMP = 0x1, 0x4, 0x300
_REPLACE, _CREATE, _APPEND = 0x100, 0x400, 0x800
_INTERRUPTED = 0x10
_ATTEMPTS = 4
_BUFFER = 65536
_IFLA_IFNAME, _IFLA_MTU = 3, 4
_IFF_UP = 1
_SOL_NETLINK, _GET_STRICT_CHECK = 270, 12
_SETLINK, _GETLINK = 19, 18
_NEWADDR, _DELADDR, _GETADDR = 20, 21, 22
_NEWROUTE, _DELROUTE, _GETROUTE = 24, 25, 26
_NEWNEIGH, _DELNEIGH, _GETNEIGH = 28, 29, 30
_GONE = {errno.ESRCH, errno.ENOENT, errno.EADDRNOTAVAIL, errno.ENODEV}

_ROUTES_OF_MAIN = struct.pack("=8BI", 0, 0, 0, 0, 254, 0, 0, 0, 0)


class RtNetlink:
    """One socket in one namespace."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
        self._socket.bind((0, 0))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", 2, 0))
        with contextlib.suppress(OSError):
            self._socket.setsockopt(_SOL_NETLINK, _GET_STRICT_CHECK, 1)
        self._sequence = 0

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def links(self) -> list[ports.LinkRow]:
        """Every port. Raises OSError."""
        found = []
        for body in self._dump(_GETLINK, _LINK.pack(0, 0, 0, 0, 0)):
            _, _, index, flags, _ = _LINK.unpack_from(body)
            inner = dict(rows.attributes(body[_LINK.size :]))
            name = inner[_IFLA_IFNAME].rstrip(b"\0").decode()
            mtu = struct.unpack("=I", inner[_IFLA_MTU])[0]
            found.append(ports.LinkRow(name=name, index=index, up=bool(flags & _IFF_UP), mtu=mtu))
        return found

    def addresses(self, names: dict[int, str]) -> list[ports.AddressRow]:
        """Every address but IPv6 link-local ones. Raises OSError."""
        bodies = self._dump(_GETADDR, struct.pack("=4BI", 0, 0, 0, 0, 0))
        return [row for body in bodies if (row := ports.address(body, names))]

    def routes(self, names: dict[int, str]) -> list[rows.RouteRow]:
        """The main table, both families. Raises OSError."""
        return [row for body in self._dump(_GETROUTE, _ROUTES_OF_MAIN) if (row := rows.route(body, names))]

    def forwarding(self) -> dict[rows.Network, tuple[IPv4Address | IPv6Address, ...]]:
        """The gateways that packets to each prefix of the main table take now. Raises OSError."""
        return rows.forwarding(self._dump(_GETROUTE, _ROUTES_OF_MAIN))

    def neighbours(self, names: dict[int, str]) -> list[ports.NeighbourRow]:
        """Permanent neighbours. Raises OSError."""
        bodies = self._dump(_GETNEIGH, struct.pack("=BxHiHBB", 0, 0, 0, 0, 0, 0))
        return [row for body in bodies if (row := ports.neighbour(body, names))]

    def set_route(self, row: rows.RouteRow, indexes: dict[str, int], *, append: bool = False) -> None:
        """Add a route in the place of the one with its key; `append`: beside it.

        Raises OSError, KeyError.
        """
        how = _CREATE | (_APPEND if append else _REPLACE)
        with _tolerating(errno.EEXIST):
            self._request(_NEWROUTE, how, rows.route_body(row, indexes))

    def delete_route(self, row: rows.RouteRow, indexes: dict[str, int]) -> None:
        """Delete exactly this route; one that is gone is no failure. Raises OSError, KeyError."""
        with _tolerating(*_GONE):
            self._request(_DELROUTE, 0, rows.route_body(row, indexes))

    def set_address(self, row: ports.AddressRow, indexes: dict[str, int]) -> None:
        """Add an address. Raises OSError, KeyError."""
        with _tolerating(errno.EEXIST):
            self._request(_NEWADDR, _CREATE | _REPLACE, ports.address_body(row, indexes))

    def delete_address(self, row: ports.AddressRow, indexes: dict[str, int]) -> None:
        """Delete an address; one that is gone is no failure. Raises OSError, KeyError."""
        with _tolerating(*_GONE):
            self._request(_DELADDR, 0, ports.address_body(row, indexes))

    def set_neighbour(self, row: ports.NeighbourRow, indexes: dict[str, int]) -> None:
        """Set a permanent neighbour. Raises OSError, KeyError."""
        self._request(_NEWNEIGH, _CREATE | _REPLACE, ports.neighbour_body(row, indexes))

    def delete_neighbour(self, row: ports.NeighbourRow, indexes: dict[str, int]) -> None:
        """Forget a neighbour; it is learnt anew. Raises OSError, KeyError."""
        with _tolerating(*_GONE):
            self._request(_DELNEIGH, 0, ports.neighbour_body(row, indexes))

    def set_link(self, row: ports.LinkRow, index: int) -> None:
        """Switch a port on or off, and set its MTU. Raises OSError."""
        head = _LINK.pack(0, 0, index, _IFF_UP if row.up else 0, _IFF_UP)
        self._request(_SETLINK, 0, head + rows.attribute(_IFLA_MTU, struct.pack("=I", row.mtu)))

    def _dump(self, kind: int, body: bytes) -> list[bytes]:
        """The bodies of a dump's messages, taken again when the table changed meanwhile. Raises OSError."""
        for _ in range(_ATTEMPTS):
            found, interrupted = [], False
            for answer, flags, content in self._talk(kind, _REQUEST | _DUMP, body):
                interrupted |= bool(flags & _INTERRUPTED)
                if answer == kind - 2:
                    found.append(content)
            if not interrupted:
                break
        return found

    def _request(self, kind: int, flags: int, body: bytes) -> None:
        """Raises OSError with the kernel's number."""
        for _ in self._talk(kind, _REQUEST | _ACK | flags, body):
            pass

    def _talk(self, kind: int, flags: int, body: bytes) -> Iterator[tuple[int, int, bytes]]:
        self._sequence += 1
        head = _HEADER.pack(_HEADER.size + len(body), kind, flags, self._sequence, 0)
        self._socket.send(head + body)
        while True:
            datagram = self._socket.recv(_BUFFER)
            offset = 0
            while offset + _HEADER.size <= len(datagram):
                length, answer, marks, sequence, _ = _HEADER.unpack_from(datagram, offset)
                content = datagram[offset + _HEADER.size : offset + length]
                offset += (length + 3) & ~3
                if sequence != self._sequence:
                    continue  # the rest of an answer that nobody waited for
                if answer == _ERROR:
                    _check(content)
                    return
                if answer == _DONE:
                    return
                yield answer, marks, content


def port_index(name: str) -> int:
    """A port's index. Raises OSError when there is none of that name."""
    return socket.if_nametoindex(name)


def _check(content: bytes) -> None:
    (code,) = struct.unpack_from("=i", content)
    if code:
        raise OSError(-code, f"the kernel said {errno.errorcode.get(-code, code)}")


@contextlib.contextmanager
def _tolerating(*numbers: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise
