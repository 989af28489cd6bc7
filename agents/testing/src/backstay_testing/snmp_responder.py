"""A small SNMPv2c agent over a table of objects, for tests: its responses can be changed freely.

It uses the package's own SNMP engine; tests that need an independent one use net-snmp.
"""

import asyncio
import contextlib
from bisect import bisect_left, bisect_right
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.values import Oid
from backstay_agent.parsers import ifmib, ipmib
from backstay_wire import SnmpSource, SnmpV2c

Content = tuple[int, bytes]
"""A value's type and its octets."""
Binding = tuple[Oid, Content]
NO_INSTANCE: Content = (0x81, b"")
END: Content = (0x82, b"")
_ROOM = 1_300
LLDP_NAME = (1, 0, 8802, 1, 1, 2, 1, 4, 1, 1, 9)
_HIGH_SPEED = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 15)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: for a GETBULK, `first` is its non-repeaters and `second` its repetitions."""

    number: int
    kind: int
    community: bytes
    first: int
    second: int
    names: Sequence[Oid]


def understand(data: bytes) -> Asked:
    """A request message. Raises BerError."""
    _, community, kind, start, end = message.pdu(data)
    number, position = ber.integer(data, start, end)
    first, position = ber.integer(data, position, end)
    second, position = ber.integer(data, position, end)
    names = [message.name(variable) for variable in message.variables(data, position, end)]
    return Asked(number, kind, community, first, second, names)


def reply(
    asked: Asked,
    bindings: Iterable[Binding],
    *,
    number: int | None = None,
    status: int = 0,
    index: int = 0,
    community: bytes | None = None,
    kind: int = message.ANSWER,
    version: int = message.V2C,
) -> bytes:
    """A response message to `asked`, with any part replaced."""
    listed = b"".join(
        ber.encode(ber.SEQUENCE, ber.encode(ber.OBJECT, ber.encode_oid(oid)) + ber.encode(*content))
        for oid, content in bindings
    )
    head = [asked.number if number is None else number, status, index]
    body = b"".join(ber.encode_integer(part) for part in head) + ber.encode(ber.SEQUENCE, listed)
    spoken = asked.community if community is None else community
    parts = [ber.encode_integer(version), ber.encode(ber.OCTETS, spoken), ber.encode(kind, body)]
    return ber.encode(ber.SEQUENCE, b"".join(parts))


def number(value: int, tag: int = ber.INTEGER) -> Content:
    """A number of any type."""
    return tag, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True)


def text(value: str) -> Content:
    """A string."""
    return ber.OCTETS, value.encode()


class Table:
    """Objects in order, served as in RFC 3416."""

    def __init__(self, objects: Mapping[Oid, Content]) -> None:
        self.objects = dict(objects)
        self._order = sorted(self.objects)

    def answer(self, asked: Asked) -> bytes:
        """The response to a GET, GETNEXT or GETBULK."""
        if asked.kind == message.GET:
            return reply(asked, [(name, self.objects.get(name, NO_INSTANCE)) for name in asked.names])
        rounds = asked.second if asked.kind == message.BULK else 1
        return reply(asked, self._successors(list(asked.names), rounds))

    def _successors(self, names: list[Oid], rounds: int) -> list[Binding]:
        found: list[Binding] = []
        room = _ROOM
        for _ in range(rounds):
            for place, name in enumerate(names):
                where = bisect_right(self._order, name)
                ended = where == len(self._order)
                binding = (name, END) if ended else (self._order[where], self.objects[self._order[where]])
                names[place] = binding[0]
                found.append(binding)
                room -= 3 * len(binding[0]) // 2 + len(binding[1][1]) + 6
            if room < 0 or all(content == END for _, content in found[-len(names) :]):
                break
        return found

    def below(self, prefix: Oid) -> list[Oid]:
        """The objects below `prefix`."""
        start = bisect_left(self._order, prefix)
        stop = bisect_left(self._order, (*prefix[:-1], prefix[-1] + 1))
        return self._order[start:stop]


Behave = Callable[[Asked], Iterable[bytes]]
"""The datagrams that a request is answered with."""


class _Server(asyncio.DatagramProtocol):
    def __init__(self, behave: Behave, delay_s: float) -> None:
        self._behave = behave
        self._delay_s = delay_s

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        try:
            asked = understand(data)
        except BerError:
            # A message of another version: `behave` decides.
            asked = Asked(0, 0, b"", 0, 0, ())
        for answer in self._behave(asked):
            if self._delay_s:
                asyncio.get_running_loop().call_later(self._delay_s, self._send, answer, addr)
            else:
                self._transport.sendto(answer, addr)

    def _send(self, answer: bytes, addr: tuple[str, int]) -> None:
        if not self._transport.is_closing():
            self._transport.sendto(answer, addr)


@contextlib.asynccontextmanager
async def serving(behave: Behave, *, delay_s: float = 0.0) -> AsyncIterator[int]:
    """A device on 127.0.0.1 with this behaviour; yields its UDP port."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: _Server(behave, delay_s), local_addr=("127.0.0.1", 0)
    )
    try:
        yield transport.get_extra_info("sockname")[1]
    finally:
        transport.close()


def honest(table: Table) -> Behave:
    """A device that responds correctly."""
    return lambda asked: [table.answer(asked)]


def switch() -> dict[Oid, Content]:
    """Two ports with an address and a neighbour each."""
    objects: dict[Oid, Content] = {
        ifmib.SYS_NAME: text("gw7.site.example"),
        ifmib.SYS_DESCR: text("Linux gw7 5.10.0 of gw7 at 10.77.1.1"),
        ifmib.SYS_UPTIME: number(900_000, ber.TICKS),
        (*ifmib.MIB2, 1, 6, 0): text("never asked for"),
    }
    for port in (1, 2):
        mac = bytes((0x0C, 0xC4, 0x7A, 9, 9, port))
        objects |= {
            (*ifmib.IF_DESCR, port): text(f"swp{port}"),
            (*ifmib.IF_TYPE, port): number(6),
            (*ifmib.IF_ADMIN, port): number(1),
            (*ifmib.IF_OPER, port): number(1),
            (*ifmib.IF_PHYS, port): (ber.OCTETS, mac),
            (*ifmib.IF_ALIAS, port): text(f"uplink to gw{port}"),
            (*ifmib.IF_HC_IN_OCTETS, port): number(5, ber.COUNTER64),
            (*ifmib.IF_NAME[:-1], 10, port): number(6, ber.COUNTER64),
            (*_HIGH_SPEED, port): number(1000, ber.GAUGE),
            (*ipmib.OLD_ADDRESS_IF, 10, 77, port, 1): number(port),
            (*ipmib.OLD_ADDRESS_MASK, 10, 77, port, 1): (ber.ADDRESS, b"\xff\xff\xff\0"),
            (*ipmib.MEDIA_MAC, port, 10, 77, port, 2): (ber.OCTETS, mac[:5] + b"\x77"),
            (*ipmib.MEDIA_TYPE, port, 10, 77, port, 2): number(3),
            (*LLDP_NAME, 0, port, 1): text(f"peer{port}.site.example"),
        }
    return objects


@dataclass
class Device:
    """Answers from its table, but not about what is below `silent_below`, and after `delay_s` each."""

    table: Table
    silent_below: Oid | None = None

    def __call__(self, asked: Asked) -> Iterable[bytes]:
        below = self.silent_below
        if below is not None and any(name[: len(below)] == below for name in asked.names):
            return []
        return [self.table.answer(asked)]


def source(port: int, device: str = "sw") -> SnmpSource:
    return SnmpSource(
        device=device,
        interval_s=1,
        address="127.0.0.1",
        port=port,
        timeout_s=0.2,
        retries=0,
        access=SnmpV2c(community="hidden-community"),
    )
