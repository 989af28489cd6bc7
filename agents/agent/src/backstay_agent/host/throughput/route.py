"""The route from this host to a peer: local address, and the MTU known to the kernel."""

import socket
from dataclasses import dataclass

_IP_MTU, _IPV6_MTU = 14, 24
"""ip(7), ipv6(7): the known path MTU of a connected socket."""
_ANY_PORT = 9


@dataclass(frozen=True, slots=True)
class SocketRoute:
    """The route of a connected datagram socket; no packet is sent."""

    source: str
    mtu: int


def ask(peer: str, local: str) -> SocketRoute | None:
    """The route to `peer` from `local` (empty: the system's choice); None if there is none."""
    six = ":" in peer
    with socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            if local:
                probe.bind((local, 0))
            probe.connect((peer, _ANY_PORT))
            mtu = probe.getsockopt(
                *((socket.IPPROTO_IPV6, _IPV6_MTU) if six else (socket.IPPROTO_IP, _IP_MTU))
            )
            return SocketRoute(str(probe.getsockname()[0]), mtu)
        except OSError:
            return None
