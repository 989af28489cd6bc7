"""rtnetlink(7) events that may mean another state of a port's ARP: of links, and of permanent entries.

On a busy fabric the kernel reports each learnt entry several times a minute, in a flood thousands of times
a second. No process wakes up for them: they wait in the socket until it is read, and then only their
fixed fields are read (1 microsecond each).
"""

import errno
import socket
import struct
from collections.abc import Collection

from backstay_agent.host.kernel.netlink import RTM_DELNEIGH, RTM_NEWNEIGH, attributes, split

_NDMSG = struct.Struct("=16xB3xiHBB")
"""Header and struct ndmsg."""
_GROUPS = 1 << 0 | 1 << 2
"""RTNLGRP_LINK, RTNLGRP_NEIGH."""
_NDA_DST = 1
_NUD_PERMANENT = 0x80
_BUFFER = 1024 * 1024
_READ = 65536

Key = tuple[int, bytes]
"""(port's index, address)."""


class NeighbourEvents:
    """One namespace's events from now on."""

    def __init__(self) -> None:
        self._socket = socket.socket(
            socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK, 0
        )
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        self._socket.bind((0, _GROUPS))

    def touched(self, permanent: Collection[Key]) -> bool:
        """Read all that waits: whether a port, or an entry that is or was permanent, may be another."""
        found = False
        while True:
            try:
                datagram = self._socket.recv(_READ)
            except BlockingIOError:
                return found
            except OSError as error:
                if error.errno != errno.ENOBUFS:
                    raise
                found = True  # Some were dropped: the table must be read.
                continue
            found = found or _concerns(datagram, permanent)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def _concerns(datagram: bytes, permanent: Collection[Key]) -> bool:
    return any(
        kind not in (RTM_NEWNEIGH, RTM_DELNEIGH) or _is_permanent(kind, raw, permanent)
        for kind, _, raw in split(datagram)
    )


def _is_permanent(kind: int, raw: bytes, permanent: Collection[Key]) -> bool:
    """The state of a deleted entry is meaningless."""
    _, index, state, _, _ = _NDMSG.unpack_from(raw)
    if kind == RTM_NEWNEIGH and state == _NUD_PERMANENT:
        return True
    return (index, attributes(raw[_NDMSG.size :]).get(_NDA_DST, b"")) in permanent
