"""How many ARP broadcasts come in by a port, and from whom: the kernel counts all, we read some.

One packet socket a port (packet(7)) with a filter for broadcasts and a small buffer that is only read on
demand. The kernel counts every frame that passes the filter, also those for which the buffer has no room
(PACKET_STATISTICS), so a flood costs this process no more than silence does. Needs CAP_NET_RAW.
"""

import ctypes
import socket
import struct
from collections import Counter
from dataclasses import dataclass, field

_ETH_P_ARP = 0x0806
_SOL_PACKET, _PACKET_STATISTICS = 263, 6
_SO_ATTACH_FILTER = 26
_BUFFER = 32 * 1024
"""Octets of frames that wait, with the kernel's own share some eighty."""
_FRAME = 64
_SOURCE = slice(6, 12)

# ldb [pkttype]; jeq PACKET_BROADCAST(1), accept; ret 0; ret 64 (linux/filter.h, SKF_AD_PKTTYPE).
_PKTTYPE = 0xFFFFF000 + 4
_FILTER = b"".join(
    struct.pack("=HBBI", *row)
    for row in ((0x30, 0, 0, _PKTTYPE), (0x15, 1, 0, 1), (0x06, 0, 0, 0), (0x06, 0, 0, _FRAME))
)


@dataclass(frozen=True, slots=True)
class BroadcastCount:
    """What came in since the last look."""

    frames: int
    sources: Counter[bytes] = field(default_factory=Counter)
    """Ethernet source -> frames, of those that were read."""


class ArpTap:
    """One port's broadcasts, from now on. Raises PermissionError, and OSError when the port is gone."""

    def __init__(self, port: str) -> None:
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
        try:
            self._socket.setblocking(False)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
            program = ctypes.create_string_buffer(_FILTER)
            code = struct.pack("HP", len(_FILTER) // 8, ctypes.addressof(program))
            self._socket.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, code)
            # Bound only now: nothing that the filter would refuse waits in the buffer.
            self._socket.bind((port, _ETH_P_ARP))
        except OSError:
            self._socket.close()
            raise

    def read(self) -> BroadcastCount:
        """What came since the last call. Raises OSError when the port is down or gone."""
        sources: Counter[bytes] = Counter()
        while frame := self._next():
            sources[frame[_SOURCE]] += 1
        statistics = self._socket.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8)
        frames, _ = struct.unpack("=II", statistics)
        return BroadcastCount(frames, sources)

    def _next(self) -> bytes:
        try:
            return self._socket.recv(_FRAME)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()
