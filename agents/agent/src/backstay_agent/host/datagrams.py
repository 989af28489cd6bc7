"""A UDP port that passes on received datagrams: SNMP notifications and syslog."""

import asyncio
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from typing import cast

Receive = Callable[[bytes, str], bytes]
"""(datagram, sender's address) -> reply; empty: no reply."""


class _Port(asyncio.DatagramProtocol):
    def __init__(self, receive: Receive) -> None:
        self._receive = receive

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        answer = self._receive(data, addr[0])
        if answer:
            self._transport.sendto(answer, addr)


async def listen(address: IPv4Address | IPv6Address, port: int, receive: Receive) -> asyncio.BaseTransport:
    """Receive on a UDP port until the transport is closed. Raises OSError."""
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: _Port(receive), local_addr=(str(address), port)
    )
    return transport
