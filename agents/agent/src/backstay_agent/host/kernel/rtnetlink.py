"""rtnetlink(7), writing: rows of this process's namespace read whole, set or deleted, many at once.

Everything is synchronous: the kernel answers a request in microseconds, and a switch of gateways must not
wait for other tasks. Needs CAP_NET_ADMIN to write.
"""

import contextlib
import errno
import socket
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import pyroute2.netlink as nl
from pyroute2.netlink import rtnl
from pyroute2.netlink.exceptions import NetlinkError

from backstay_agent.host.kernel import forwarding
from backstay_agent.host.kernel import kernel_rows as rows
from backstay_agent.host.kernel import port_rows as ports
from backstay_agent.host.kernel.netlink import DumpTable, Requests, marshal, nud
from backstay_agent.host.kernel.raw_messages import Address, Link, Neighbour, Route, decode

_BUFFER = 65536
_AT_ONCE = 128
"""Messages in one datagram: were all refused, the answers would still fit the socket's buffer."""
_GONE = {errno.ESRCH, errno.ENOENT, errno.EADDRNOTAVAIL, errno.ENODEV}
Row = rows.RouteRow | ports.AddressRow | ports.NeighbourRow
_NEW: dict[type[Row], int] = {
    rows.RouteRow: rtnl.RTM_NEWROUTE,
    ports.AddressRow: rtnl.RTM_NEWADDR,
    ports.NeighbourRow: rtnl.RTM_NEWNEIGH,
}
"""Deleting has the number after it."""
Request = tuple[int, int, Any]
"""(type, flags, message)."""
Verb = Literal["replace", "add", "delete"]
"""`add` keeps a route with the same key, `replace` takes its place, `delete` deletes exactly this row."""


class RtNetlink(Requests):
    """One socket in one namespace. Not pyroute2's: that runs an event loop, so a coroutine cannot use it."""

    def __init__(self) -> None:
        super().__init__()
        with contextlib.suppress(OSError):
            self._socket.setsockopt(nl.SOL_NETLINK, nl.NETLINK_EXT_ACK, 1)

    def links(self) -> list[ports.LinkRow]:
        """Every port. Raises OSError."""
        return [ports.link(decode(Link, raw)) for raw in self.rows(DumpTable.LINKS)]

    def addresses(self, names: Mapping[int, str]) -> list[ports.AddressRow]:
        """Every address but IPv6 link-local ones. Raises OSError."""
        found = [ports.address(decode(Address, raw), names) for raw in self.rows(DumpTable.ADDRESSES)]
        return [row for row in found if row]

    def routes(self, names: Mapping[int, str]) -> list[rows.RouteRow]:
        """The main table, both families. Raises OSError."""
        found = [rows.route(decode(Route, raw), names) for raw in self.rows(DumpTable.ROUTES)]
        return [row for row in found if row]

    def routes_in_use(
        self, names: Mapping[int, str]
    ) -> tuple[list[rows.RouteRow], dict[rows.Network, forwarding.ForwardingRoute]]:
        """The same, and what packets take now, from one reading. Raises OSError."""
        messages = [decode(Route, raw) for raw in self.rows(DumpTable.ROUTES)]
        found = [(rows.route(message, names), message) for message in messages]
        return [row for row, _ in found if row], forwarding.forwarding(found)

    def forwarding(self) -> forwarding.ForwardingState:
        """What packets to each prefix of the main table take now. Raises OSError."""
        links = [decode(Link, raw) for raw in self.rows(DumpTable.LINKS)]
        carrying = {link["index"] for link in links if forwarding.carries(link["flags"])}
        own = [decode(Address, raw) for raw in self.rows(DumpTable.ADDRESSES)]
        addresses = [ports.address(message, {}) for message in own if message["index"] in carrying]
        return forwarding.ForwardingState(
            forwarding.of_messages(decode(Route, raw) for raw in self.rows(DumpTable.ROUTES)),
            tuple(row.interface.network for row in addresses if row),
        )

    def neighbours(self, names: Mapping[int, str]) -> list[ports.NeighbourRow]:
        """Permanent neighbours. Raises OSError."""
        # There may be thousands of others.
        permanent = (raw for raw in self.rows(DumpTable.NEIGHBOURS) if nud(raw) == ports.NUD_PERMANENT)
        found = [ports.neighbour(decode(Neighbour, raw), names) for raw in permanent]
        return [row for row in found if row]

    def set(self, row: Row, indexes: Mapping[str, int], *, append: bool = False) -> None:
        """Put a row in the place of the one with its key; `append`: in addition to it, if it is a route.

        Raises OSError, KeyError.
        """
        for _, error in self.change([("add" if append else "replace", row)], indexes):
            raise error

    def delete(self, row: Row, indexes: Mapping[str, int]) -> None:
        """Delete exactly this row; one that is gone is no failure. Raises OSError, KeyError."""
        for _, error in self.change([("delete", row)], indexes):
            raise error

    def change(
        self, steps: Sequence[tuple[Verb, Row]], indexes: Mapping[str, int]
    ) -> list[tuple[Row, OSError | KeyError]]:
        """Set or delete rows in order, many in one datagram; returns those that the kernel refused.

        A row that is there already, or gone already, is not refused. Raises OSError when there is no answer.
        """
        refused: list[tuple[Row, OSError | KeyError]] = []
        sent: list[tuple[Verb, Row]] = []
        requests: list[Request] = []
        for verb, row in steps:
            try:
                requests.append(_request(verb, row, indexes))
            except KeyError as error:
                refused.append((row, error))
            else:
                sent.append((verb, row))
        for place, refusal in self._send(requests).items():
            verb, row = sent[place]
            if refusal.errno not in (_GONE if verb == "delete" else {errno.EEXIST}):
                refused.append((row, refusal))
        return refused

    def set_link(self, row: ports.LinkRow, index: int) -> None:
        """Switch a port and its ARP on or off, and set its MTU. Raises OSError.

        Where either changes the port's neighbours are forgotten, the permanent ones too.
        """
        self._request(rtnl.RTM_SETLINK, 0, ports.link_message(row, index))

    def resolve(
        self, index: int, *, on: bool | None, entries: Sequence[ports.NeighbourRow], state: int
    ) -> list[tuple[ports.NeighbourRow, OSError]]:
        """Switch a port's ARP (None: leave it) and set entries of it, all of one burst.

        The flag empties the port's table: what follows it in the same datagram is there again before a
        program runs, and about a microsecond an entry later. Returns the entries that the kernel refused;
        raises OSError when it refused the flag.
        """
        messages: list[Request] = []
        if on is not None:
            messages.append((rtnl.RTM_SETLINK, 0, ports.arp_message(index, on=on)))
        for row in entries:
            message = row.message({row.port: index}, state)
            messages.append((rtnl.RTM_NEWNEIGH, nl.NLM_F_CREATE | nl.NLM_F_REPLACE, message))
        found = self._send(messages)
        if on is not None and 0 in found:
            raise found.pop(0)
        offset = 0 if on is None else 1
        return [(entries[place - offset], error) for place, error in sorted(found.items())]

    def _request(self, kind: int, flags: int, message: Any) -> None:
        """Raises OSError with the kernel's number."""
        for error in self._send([(kind, flags, message)]).values():
            raise error

    def _send(self, requests: Sequence[Request]) -> dict[int, OSError]:
        """Send many at once; what was refused, by its place. Raises OSError when there is no answer."""
        first = self._sequence + 1
        # All are encoded before the first is sent: between the flag and the entries nothing is to be done.
        datagrams = [
            self._encode(requests[start : start + _AT_ONCE]) for start in range(0, len(requests), _AT_ONCE)
        ]
        refused: dict[int, OSError] = {}
        self.drain()
        for last, datagram in datagrams:
            self._socket.send(datagram)
            for number, error in self._answers(last):
                if error is not None:
                    refused[number - first] = error
        return refused

    def _encode(self, requests: Sequence[Request]) -> tuple[int, bytes]:
        """(number of the last, which alone is acknowledged; octets)."""
        octets = b""
        for place, (kind, flags, message) in enumerate(requests, 1):
            self._sequence += 1
            wants = nl.NLM_F_REQUEST | flags | (nl.NLM_F_ACK if place == len(requests) else 0)
            message["header"] = {"type": kind, "flags": wants, "sequence_number": self._sequence}
            message.encode()
            octets += message.data
        return self._sequence, octets

    def _answers(self, last: int) -> Iterator[tuple[int, OSError | None]]:
        """(number, refusal with the kernel's message where it has one) until the last is answered."""
        number = 0
        while number != last:
            for answer in marshal.parse(self._socket.recv(_BUFFER)):
                number, error = answer["header"]["sequence_number"], answer["header"]["error"]
                if isinstance(error, NetlinkError):
                    name = errno.errorcode.get(error.code, error.code)
                    error = OSError(error.code, f"the kernel refused it: {name}: {error.args[1]}")
                yield number, error


def port_index(name: str) -> int:
    """A port's index. Raises OSError when there is none of that name."""
    return socket.if_nametoindex(name)


def _request(verb: Verb, row: Row, indexes: Mapping[str, int]) -> Request:
    """Raises KeyError for a port that is not there."""
    kind, message = _NEW[type(row)], row.message(indexes)
    if verb == "delete":
        return kind + 1, 0, message
    how = nl.NLM_F_APPEND if verb == "add" and isinstance(row, rows.RouteRow) else nl.NLM_F_REPLACE
    return kind, nl.NLM_F_CREATE | how, message
