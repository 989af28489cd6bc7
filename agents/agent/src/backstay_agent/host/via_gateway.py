"""ICMP echo through a given next hop, regardless of the routes: packet(7) out, icmp.py's sockets in.

A request is a whole IP packet passed to a port with the next hop's link address (AF_PACKET, SOCK_DGRAM: the
kernel writes the link header), from the port's own address, so that the reply returns to us and a router that
checks sources (rp_filter) accepts it. Supported:

- Ethernet, FDDI, bridges, veth: any number of gateways on a port.
- A port without link addresses (TUN, PPP, HIPPI over TUN): the port chooses, so one gateway per port.
- Link addresses of more than 8 octets (IPoIB's 20, RFC 4391): not with this socket, `send` returns False.

A gateway can also return a packet: one that is addressed to ourselves, like BFD's echo function (RFC 5880
section 6.4). It returns if the gateway forwards at all, whatever lies behind it and whatever the far end's
return path is. It is an echo reply, so nobody answers it; the kernel drops it because it comes from our own
address, so for IPv4 it is read on the link layer. Routers may forbid this (a packet that leaves where it
arrived), so it is evidence only for a gateway that has returned packets before.

Replies arrive by the return path of the far end. If the kernel would drop those that arrive on another port
(rp_filter 1, RFC 3704), they are read on the link layer. Time to live is the usual 64: a target is not
on-link.
"""

import errno
import socket
import struct
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from backstay_agent.host.icmp import Address, EchoSocket, Reply, checksum

_V4 = struct.Struct("!BBHHHBBH4s4s")
_V6 = struct.Struct("!IHBB16s16s")
_TTL = 64
_DONT_FRAGMENT = 0x4000
_ETH_P_IP, _ETH_P_IPV6 = 0x0800, 0x86DD
_ECHO_OCTETS = 36
_MOST_LINK_OCTETS = 8
_CONF = Path("/proc/sys/net/ipv4/conf")
_NEIGHBOUR = struct.Struct("=BxHiHBB")
_HEADER = struct.Struct("=IHHII")
_GETNEIGH, _NEWNEIGH = 30, 28
_NDA_DST, _NDA_LLADDR = 1, 2
_NUD_UNUSABLE = 0x01 | 0x20
"""NUD_INCOMPLETE, NUD_FAILED."""


@dataclass(frozen=True, slots=True)
class NextHopPath:
    """Source address, outgoing port, next hop."""

    source: Address
    port: str
    link_address: bytes
    """Empty for a port without link addresses."""


class ViaGatewaySocket:
    """Echo requests of one family through any next hop. Raises PermissionError without CAP_NET_RAW."""

    def __init__(self, version: int, *, strict: bool) -> None:
        """`strict`: the kernel drops replies that arrive on another port (`drops_detours`)."""
        self._version = version
        self._echo = EchoSocket(version, "tap" if strict else "raw")
        try:
            # Protocol 0: nothing is ever received here.
            self._out = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC, 0)
        except OSError:
            self._echo.close()
            raise
        self._out.setblocking(False)

    def send(self, next_hop: NextHopPath, target: str, slot: int, number: int, wall_ns: int) -> bool:
        """Send probe `number` of `slot`; False if the port refused it."""
        return self._put(next_hop, target, self._echo.request(slot, number, wall_ns))

    def loop(self, next_hop: NextHopPath, slot: int, number: int, wall_ns: int) -> bool:
        """Send probe `number` of `slot` to ourselves, for the gateway to return; IPv4 needs `strict`."""
        if not next_hop.link_address:
            return False  # the port itself would choose the destination
        message = self._echo.request(slot, number, wall_ns, answered=True)
        return self._put(next_hop, str(next_hop.source), message)

    def _put(self, next_hop: NextHopPath, target: str, message: bytes) -> bool:
        if len(next_hop.link_address) > _MOST_LINK_OCTETS:
            return False
        head = _head(next_hop.source, target)
        if self._version == 6:
            message = _with_checksum(head, message)
        kind = _ETH_P_IP if self._version == 4 else _ETH_P_IPV6
        try:
            self._out.sendto(head + message, (next_hop.port, kind, 0, 0, next_hop.link_address))
        except OSError:
            return False
        self._echo.expect()
        return True

    def replies(self) -> list[Reply]:
        """All waiting replies."""
        return self._echo.replies()

    def close(self) -> None:
        """Close the sockets."""
        self._echo.close()
        self._out.close()


@lru_cache(maxsize=1024)
def _head(source: Address, target: str) -> bytes:
    to = ip_address(target)
    if isinstance(source, IPv6Address):
        return _V6.pack(6 << 28, _ECHO_OCTETS, socket.IPPROTO_ICMPV6, _TTL, source.packed, to.packed)
    # Identification 0 with DF set (RFC 6864), so that the header is constant.
    head = (0x45, 0, _V4.size + _ECHO_OCTETS, 0, _DONT_FRAGMENT, _TTL, socket.IPPROTO_ICMP)
    total = checksum(_V4.pack(*head, 0, source.packed, to.packed))
    return _V4.pack(*head, total, source.packed, to.packed)


def _with_checksum(head: bytes, message: bytes) -> bytes:
    """RFC 4443 section 2.3: the checksum also covers the addresses, the length and the next header."""
    pseudo = head[8:40] + struct.pack("!II", len(message), socket.IPPROTO_ICMPV6)
    return message[:2] + struct.pack("!H", checksum(pseudo + message)) + message[4:]


def drops_detours(port: str) -> bool:
    """Whether the kernel drops IPv4 packets that arrive on another port than it would answer by."""
    values = []
    for name in ("all", port):
        try:
            values.append(int((_CONF / name / "rp_filter").read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return max(values, default=0) == 1


class Neighbours:
    """Link addresses of next hops, requested from the kernel one at a time (about 20 microseconds each)."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
        self._socket.bind((0, 0))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", 1, 0))
        self._sequence = 0

    def link_address(self, address: Address, index: int) -> bytes | None:
        """Of the neighbour `address` on the port with this index; None if unknown to the kernel."""
        family = socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6
        packed = address.packed
        body = _NEIGHBOUR.pack(family, 0, index, 0, 0, 0)
        body += struct.pack("=HH", 4 + len(packed), _NDA_DST) + packed
        self._sequence += 1
        header = _HEADER.pack(_HEADER.size + len(body), _GETNEIGH, 1, self._sequence, 0)
        try:
            self._socket.send(header + body)
            answer = self._socket.recv(4096)
        except OSError as error:
            if error.errno == errno.EAGAIN:
                return None
            raise
        return _link_address(answer)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def _link_address(answer: bytes) -> bytes | None:
    length, kind, _, _, _ = _HEADER.unpack_from(answer)
    if kind != _NEWNEIGH:
        return None
    _, _, _, state, _, _ = _NEIGHBOUR.unpack_from(answer, _HEADER.size)
    offset = _HEADER.size + _NEIGHBOUR.size
    while offset + 4 <= length:
        size, attribute = struct.unpack_from("=HH", answer, offset)
        if attribute == _NDA_LLADDR and not state & _NUD_UNUSABLE:
            return answer[offset + 4 : offset + size]
        offset += (max(size, 4) + 3) & ~3
    return None
