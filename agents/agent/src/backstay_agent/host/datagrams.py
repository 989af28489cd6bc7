"""A UDP port that passes on received datagrams: SNMP notifications and syslog.

A storm of notifications outlasts the moments in which the agent is busy: the receive buffer holds several
seconds of a thousand datagrams per second. What the kernel drops all the same is counted.
"""

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from typing import cast

Receive = Callable[[bytes, str], bytes]
"""(datagram, sender's address) -> reply; empty: no reply."""

BUFFER_BYTES = 8 * 1024 * 1024
"""The kernel counts about 1 KiB for a datagram of a few hundred bytes, and doubles this value."""
_SO_RCVBUFFORCE = 33
"""Beyond net.core.rmem_max, with CAP_NET_ADMIN (socket(7))."""
_SO_MEMINFO = 55
_MEMINFO = struct.Struct("=9I")
_DROPS = 8
"""SK_MEMINFO_DROPS (linux/sock_diag.h): datagrams dropped because the buffer was full."""


class _Protocol(asyncio.DatagramProtocol):
    def __init__(self, receive: Receive) -> None:
        self._receive = receive

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        answer = self._receive(data, addr[0])
        if answer:
            self._transport.sendto(answer, addr)


class DatagramPort:
    """A UDP port that is open until `close`."""

    def __init__(self, transport: asyncio.DatagramTransport, sock: socket.socket) -> None:
        self._transport = transport
        self._socket = sock
        self.buffer_bytes = sock.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
        """As granted."""

    @property
    def dropped(self) -> int:
        """Datagrams that the kernel dropped since the port was opened."""
        data = self._socket.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, _MEMINFO.size)
        return int(_MEMINFO.unpack(data)[_DROPS])

    def close(self) -> None:
        self._transport.close()


async def listen(address: IPv4Address | IPv6Address, port: int, receive: Receive) -> DatagramPort:
    """Receive on a UDP port until it is closed. Raises OSError."""
    sock = _bound(address, port)
    try:
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Protocol(receive), sock=sock
        )
    except BaseException:
        sock.close()
        raise
    return DatagramPort(transport, sock)


def _bound(address: IPv4Address | IPv6Address, port: int) -> socket.socket:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    sock = socket.socket(family, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        with suppress(PermissionError):
            sock.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, BUFFER_BYTES)
        sock.bind((str(address), port))
    except BaseException:
        sock.close()
        raise
    return sock
