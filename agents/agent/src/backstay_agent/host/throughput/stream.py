"""TCP for the request/acknowledge programs: sockets with the test's settings, complete reads and writes.

read(2) and write(2) rather than recv and send: the kernel counts their octets per process (/proc/PID/io),
which separates a test's own traffic from cross traffic.
"""

import os
import socket
import struct
from typing import Any

_TCP_INFO = struct.Struct("=8B24I4Q4I")
"""linux/tcp.h `struct tcp_info`, as far as tcpi_min_rtt."""
_SND_MSS, _SND_CWND, _TOTAL_RETRANS, _MIN_RTT = 8 + 2, 8 + 18, 8 + 23, 8 + 24 + 4 + 3


def make(address: str) -> socket.socket:
    """A TCP socket of the address's family."""
    return socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)


def prepare(one: socket.socket, asked: dict[str, Any]) -> None:
    """Apply the settings that must precede the connection. Raises OSError."""
    if asked["window"]:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, asked["window"])
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, asked["window"])


def write_all(handle: int, data: memoryview) -> None:
    """Write all of it. Raises OSError."""
    done = os.write(handle, data)
    while done < len(data):
        done += os.write(handle, data[done:])


def facts(one: socket.socket) -> dict[str, int]:
    """The kernel's data about the connection."""
    info = _TCP_INFO.unpack(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO.size))
    return {
        "mss": info[_SND_MSS],
        "window": info[_SND_CWND] * info[_SND_MSS],
        "retransmits": info[_TOTAL_RETRANS],
        "round_trip_us": info[_MIN_RTT],
        "send_buffer": one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
        "receive_buffer": one.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF),
    }
