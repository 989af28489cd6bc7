"""The recordings of site `zoo` on many UDP ports, answered fast enough for a thousand devices.

`python -m backstay_bench.devices.responder FIRST_PORT DEVICES` prints `ready`. Device N is of the Nth kind
that answers SNMPv2c, and the kinds repeat. snmpsim, whose answers are independent of our code, serves the
same recordings in the tests and in the demo, but takes 0.4 ms of processor time for each counter.
"""

from __future__ import annotations

import asyncio
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import cast

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.values import Oid
from backstay_lab.zoo.catalogue import zoo
from backstay_lab.zoo.device import ZooDevice
from backstay_lab.zoo.recording import Cell, recording
from backstay_testing.snmp_responder import Asked, understand

COMMUNITY = b"public"
HOST = "127.0.0.1"
MOST_OCTETS = 1_400
"""Of a GETBULK's response, as over Ethernet."""
_NO_INSTANCE, _END = b"\x81\x00", b"\x82\x00"


def v2c_kinds() -> list[ZooDevice]:
    """The devices that this responder can be."""
    return [device for device in zoo() if "v3" not in device.quirks]


class KindTable:
    """The objects of one kind, encoded once, except for counters."""

    def __init__(self, objects: dict[Oid, Cell], began: float) -> None:
        self._began = began
        self._order = list(objects)
        self._names = {oid: ber.encode(ber.OBJECT, ber.encode_oid(oid)) for oid in objects}
        self._fixed = {oid: _content(cell, 0.0) for oid, cell in objects.items() if not cell.rate}
        self._moving = {oid: cell for oid, cell in objects.items() if cell.rate}

    def answer(self, asked: Asked) -> bytes:
        """The response to a GET, GETNEXT or GETBULK (RFC 3416)."""
        if asked.kind == message.GET:
            variables = [self._variable(oid) for oid in asked.names]
        else:
            variables = list(self._successors(asked))
        head = b"".join(ber.encode_integer(part) for part in (asked.number, 0, 0))
        body = head + ber.encode(ber.SEQUENCE, b"".join(variables))
        parts = [ber.encode_integer(1), ber.encode(ber.OCTETS, COMMUNITY), ber.encode(message.ANSWER, body)]
        return ber.encode(ber.SEQUENCE, b"".join(parts))

    def _successors(self, asked: Asked) -> Iterator[bytes]:
        names, room = list(asked.names), MOST_OCTETS
        for _ in range(asked.second if asked.kind == message.BULK else 1):
            row, ended = [], 0
            for place, name in enumerate(names):
                where = bisect_right(self._order, name)
                if where == len(self._order):
                    ended += 1
                    row.append(_variable(ber.encode(ber.OBJECT, ber.encode_oid(name)), _END))
                else:
                    names[place] = self._order[where]
                    row.append(self._variable(self._order[where]))
            yield from row
            room -= sum(map(len, row))
            if room < 0 or ended == len(names):
                return

    def _variable(self, oid: Oid) -> bytes:
        if (content := self._fixed.get(oid)) is None:
            cell = self._moving.get(oid)
            content = _NO_INSTANCE if cell is None else _content(cell, time.monotonic() - self._began)
        return _variable(self._names.get(oid) or ber.encode(ber.OBJECT, ber.encode_oid(oid)), content)


def _variable(name: bytes, content: bytes) -> bytes:
    return ber.encode(ber.SEQUENCE, name + content)


def _content(cell: Cell, seconds: float) -> bytes:
    match cell.at(seconds):
        case bytes(octets):
            return ber.encode(cell.tag, octets)
        case int(number):
            return ber.encode(cell.tag, number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True))
        case parts:
            return ber.encode(cell.tag, ber.encode_oid(parts))


class _Endpoint(asyncio.DatagramProtocol):
    def __init__(self, table: KindTable) -> None:
        self._table = table

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        try:
            asked = understand(data)
        except BerError:
            return
        if asked.community == COMMUNITY:
            self._transport.sendto(self._table.answer(asked), addr)


async def serve(first_port: int, devices: int, tables: Sequence[KindTable]) -> None:
    """Answer until the process ends."""
    loop = asyncio.get_running_loop()
    for number in range(devices):
        table = tables[number % len(tables)]
        await loop.create_datagram_endpoint(
            lambda table=table: _Endpoint(table),  # type: ignore[misc]
            local_addr=(HOST, first_port + number),
        )
    print("ready", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Entry point."""
    began = time.monotonic()
    tables = [KindTable(recording(device), began) for device in v2c_kinds()]
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), tables))


if __name__ == "__main__":
    main()
