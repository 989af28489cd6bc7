"""rtnetlink(7), writing: rows of this process's namespace read whole, and set or deleted one by one.

Everything is synchronous: the kernel answers a request in microseconds, and a switch of gateways must not
wait for other tasks. Needs CAP_NET_ADMIN to write.
"""

import contextlib
import errno
import socket
import struct
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address

from backstay_agent.host.kernel import kernel_rows as rows
from backstay_agent.host.kernel import port_rows as ports

_HEADER = struct.Struct("=IHHII")
_LINK = struct.Struct("=BxHiII")
_ERROR, _DONE = 2, 3
_REQUEST, _ACK, _DUMP = 0x1, 0x4, 0x300
_REPLACE, _CREATE, _APPEND = 0x100, 0x400, 0x800
_INTERRUPTED = 0x10
_ATTEMPTS = 4
_BUFFER = 65536
_SOL_NETLINK, _CAP_ACK, _EXT_ACK, _GET_STRICT_CHECK = 270, 10, 11, 12
_CAPPED, _ACK_TLVS = 0x100, 0x200
_ERROR_MESSAGE = 1
_AT_ONCE = 128
"""Messages in one datagram: were all refused, the answers would still fit the socket's buffer."""
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
        for option in (_GET_STRICT_CHECK, _CAP_ACK, _EXT_ACK):
            with contextlib.suppress(OSError):
                self._socket.setsockopt(_SOL_NETLINK, option, 1)
        self._sequence = 0

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def links(self) -> list[ports.LinkRow]:
        """Every port. Raises OSError."""
        return [ports.link(body) for body in self._dump(_GETLINK, _LINK.pack(0, 0, 0, 0, 0))]

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
        """Forget a neighbour; it is learnt again. Raises OSError, KeyError."""
        with _tolerating(*_GONE):
            self._request(_DELNEIGH, 0, ports.neighbour_body(row, indexes))

    def set_link(self, row: ports.LinkRow, index: int) -> None:
        """Switch a port and its ARP on or off, and set its MTU. Raises OSError.

        Where either changes the port's neighbours are forgotten, the permanent ones too.
        """
        self._request(_SETLINK, 0, ports.link_body(row, index))

    def resolve(
        self, index: int, *, on: bool | None, entries: Sequence[ports.NeighbourRow], state: int
    ) -> list[tuple[ports.NeighbourRow, OSError]]:
        """Switch a port's ARP (None: leave it) and set entries of it, all of one burst.

        The flag empties the port's table: what follows it in the same datagram is there again before a
        program runs, and about a microsecond an entry later. Returns the entries that the kernel refused;
        raises OSError when it refused the flag.
        """
        messages = [] if on is None else [(_SETLINK, 0, ports.arp_body(index, on=on))]
        for row in entries:
            body = ports.neighbour_body(row, {row.port: index}, state)
            messages.append((_NEWNEIGH, _CREATE | _REPLACE, body))
        found = self._burst(messages)
        if on is not None and 0 in found:
            raise found.pop(0)
        offset = 0 if on is None else 1
        return [(entries[place - offset], error) for place, error in sorted(found.items())]

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

    def _burst(self, messages: Sequence[tuple[int, int, bytes]]) -> dict[int, OSError]:
        """Send many at once; what was refused, by its place. Raises OSError when there is no answer."""
        found: dict[int, OSError] = {}
        base = self._sequence + 1
        # All are made before the first is sent: between the flag and the entries nothing is to be done.
        for last, datagram in list(self._datagrams(messages)):
            first, self._sequence = self._sequence + 1, last
            self._socket.send(datagram)
            for sequence, error in self._answers(first):
                if error is not None:
                    found[sequence - base] = error
        return found

    def _datagrams(self, messages: Sequence[tuple[int, int, bytes]]) -> Iterator[tuple[int, bytes]]:
        """(number of the last message, which alone is acknowledged; octets) of each."""
        for start in range(0, len(messages), _AT_ONCE):
            chunk = messages[start : start + _AT_ONCE]
            last = self._sequence + start + len(chunk)
            parts = []
            for sequence, (kind, flags, body) in enumerate(chunk, self._sequence + start + 1):
                wants = _REQUEST | flags | (_ACK if sequence == last else 0)
                parts.append(_HEADER.pack(_HEADER.size + len(body), kind, wants, sequence, 0))
                parts.append(body + bytes(-len(body) % 4))
            yield last, b"".join(parts)

    def _answers(self, first: int) -> Iterator[tuple[int, OSError | None]]:
        """Errors and acknowledgements from a sequence number on, until the last that was sent is answered."""
        while True:
            for answer, marks, sequence, content in _messages(self._socket.recv(_BUFFER)):
                if answer != _ERROR or sequence < first:
                    continue
                yield sequence, _error(content, marks)
                if sequence == self._sequence:
                    return

    def _request(self, kind: int, flags: int, body: bytes) -> None:
        """Raises OSError with the kernel's number."""
        for _ in self._talk(kind, _REQUEST | _ACK | flags, body):
            pass

    def _talk(self, kind: int, flags: int, body: bytes) -> Iterator[tuple[int, int, bytes]]:
        self._sequence += 1
        head = _HEADER.pack(_HEADER.size + len(body), kind, flags, self._sequence, 0)
        self._socket.send(head + body)
        while True:
            for answer, marks, sequence, content in _messages(self._socket.recv(_BUFFER)):
                if sequence != self._sequence:
                    continue  # the rest of an abandoned answer
                if answer == _ERROR:
                    if (error := _error(content, marks)) is not None:
                        raise error
                    return
                if answer == _DONE:
                    return
                yield answer, marks, content


def port_index(name: str) -> int:
    """A port's index. Raises OSError when there is none of that name."""
    return socket.if_nametoindex(name)


def _messages(datagram: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    """Kind, flags, sequence number and content of each message of a datagram (netlink(7))."""
    offset = 0
    while offset + _HEADER.size <= len(datagram):
        length, kind, flags, sequence, _ = _HEADER.unpack_from(datagram, offset)
        yield kind, flags, sequence, datagram[offset + _HEADER.size : offset + length]
        offset += (length + 3) & ~3


def _error(content: bytes, marks: int) -> OSError | None:
    """An NLMSG_ERROR as OSError, with the kernel's message where it has one (netlink(7), extended ACK)."""
    (code,) = struct.unpack_from("=i", content)
    if not code:
        return None
    text = f"the kernel refused it: {errno.errorcode.get(-code, code)}"
    if marks & _ACK_TLVS:
        (echoed,) = struct.unpack_from("=I", content, 4)
        tail = 4 + (_HEADER.size if marks & _CAPPED else (echoed + 3) & ~3)
        detail = dict(rows.attributes(content[tail:])).get(_ERROR_MESSAGE, b"")
        text += f": {detail.rstrip(bytes(1)).decode(errors='replace')}" if detail else ""
    return OSError(-code, text)


@contextlib.contextmanager
def _tolerating(*numbers: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise
