"""ICMP echo with one socket per family: requests out, replies in, each with the kernel's own receive time.

Nothing wakes the process for a reply: replies wait in the socket until the prober's next tick, and the
kernel's timestamp (SO_TIMESTAMPNS) keeps the round-trip time exact. That halves the wake-ups. A ping socket
(icmp(7), SOCK_DGRAM) is used if `net.ipv4.ping_group_range` permits it, else a raw socket (CAP_NET_RAW) with
a filter in the kernel, so that other programs' pings cost nothing.
"""

import ctypes
import os
import socket
import struct
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Literal

Address = IPv4Address | IPv6Address

_PAYLOAD = struct.Struct("!8sIQQ")
_ECHO = struct.Struct("!BBHHH")
_MESSAGE = struct.Struct("!BBHHH8sIQQ")
"""Both in sequence."""
_SO_ATTACH_FILTER = 26
_SO_TIMESTAMPNS = 35
_SOL_RAW, _ICMP_FILTER = 255, 1
_SOL_ICMPV6, _ICMP6_FILTER = 58, 1
_BUFFER, _ANCILLARY = 512, 128
_MOST_EXPECTED = 100_000
_ETH_P_IP = 0x0800

Kind = Literal["any", "raw", "tap"]
"""Where replies are read: any permitted socket; a raw one; or, for IPv4, on the link layer, before the kernel
drops those that arrive on another port than it would answer by (rp_filter, RFC 3704)."""


@dataclass(frozen=True, slots=True)
class Family:
    """Differences between ICMP and ICMPv6."""

    domain: socket.AddressFamily
    protocol: int
    request: int
    reply: int


_FAMILIES = {
    4: Family(socket.AF_INET, socket.IPPROTO_ICMP, 8, 0),
    6: Family(socket.AF_INET6, socket.IPPROTO_ICMPV6, 128, 129),
}


@dataclass(frozen=True, slots=True)
class Reply:
    """An answered echo: its target, its probe number, its round trip."""

    slot: int
    number: int
    rtt_us: int


def checksum(data: bytes) -> int:
    """The Internet checksum (RFC 1071) of an even number of octets."""
    total: int = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


class EchoSocket:
    """Echo requests of one address family. Raises PermissionError if neither kind of socket is permitted."""

    def __init__(self, version: int, kind: Kind = "any") -> None:
        self._family = _FAMILIES[version]
        self._cookie = os.urandom(8)
        self._identifier = int.from_bytes(self._cookie[:2], "big")
        self._same = self._identifier + int.from_bytes(self._cookie, "big")
        """The constant part of a message's checksum."""
        self._socket, self._raw = _OPEN[kind](self._family)
        self._socket.setblocking(False)
        self._expected = 0
        """Requests that may still be answered: with none, the socket need not be read."""
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        if self._raw:
            _accept_only_replies(self._socket, self._family, self._identifier, tap=kind == "tap")

    def send_from(self, address: str) -> None:
        """Send from this local address. Raises OSError."""
        self._socket.bind((address, 0))

    def send(self, address: str, slot: int, number: int, wall_ns: int, filling: bytes = b"") -> bool:
        """Send probe `number` of target `slot`; False if the kernel refused it (no route, no neighbour).

        `filling`: zeros, which lengthen it and do not change its checksum.
        """
        try:
            self._socket.sendto(self.request(slot, number, wall_ns) + filling, (address, 0))
        except OSError:
            return False
        self.expect()
        return True

    def request(self, slot: int, number: int, wall_ns: int, *, answered: bool = False) -> bytes:
        """The ICMP message of a probe; a ping socket inserts its own identifier.

        `answered`: as a reply, for a packet that returns to us without an answer.
        """
        kind = self._family.reply if answered else self._family.request
        sequence, total = number & 0xFFFF, 0
        if self._family.domain == socket.AF_INET:
            # ICMPv6's checksum covers a pseudo-header and is computed by the kernel (RFC 3542). A number's
            # words add up to itself modulo 0xFFFF, because 0x10000 is 1 there (RFC 1071 section 2).
            total = 0xFFFF - ((kind << 8) + self._same + sequence + slot + number + wall_ns) % 0xFFFF
        return _MESSAGE.pack(kind, 0, total, self._identifier, sequence, self._cookie, slot, number, wall_ns)

    def expect(self) -> None:
        """One more request may be answered, whoever sent it."""
        self._expected = min(self._expected + 1, _MOST_EXPECTED)

    def replies(self) -> list[Reply]:
        """All waiting replies."""
        found: list[Reply] = []
        while self._expected > 0:
            try:
                data, ancillary, _, _ = self._socket.recvmsg(_BUFFER, _ANCILLARY)
            except BlockingIOError:
                break
            except OSError:
                # An ICMP error for an earlier probe, reported here: that probe counts as lost anyway.
                continue
            reply = self._parse(data, ancillary)
            if reply is not None:
                found.append(reply)
                self._expected -= 1
        return found

    def _parse(self, data: bytes, ancillary: list[tuple[int, int, bytes]]) -> Reply | None:
        # A raw IPv4 socket also delivers the IP header.
        start = (data[0] & 0x0F) * 4 if self._raw and self._family.domain == socket.AF_INET else 0
        if len(data) < start + _ECHO.size + _PAYLOAD.size or data[start] != self._family.reply:
            return None
        cookie, slot, number, sent_ns = _PAYLOAD.unpack_from(data, start + _ECHO.size)
        if cookie != self._cookie:
            return None
        received_ns = sent_ns
        for _, kind, value in ancillary:
            if kind == _SO_TIMESTAMPNS:
                seconds, nanoseconds = struct.unpack_from("@ll", value)
                received_ns = seconds * 1_000_000_000 + nanoseconds
        return Reply(slot, number, max(0, received_ns - sent_ns) // 1000)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def _open(family: Family) -> tuple[socket.socket, bool]:
    """(socket, whether it is a raw one)."""
    try:
        return socket.socket(family.domain, socket.SOCK_DGRAM, family.protocol), False
    except PermissionError:
        return _open_raw(family)


def _open_raw(family: Family) -> tuple[socket.socket, bool]:
    return socket.socket(family.domain, socket.SOCK_RAW, family.protocol), True


def _open_tap(family: Family) -> tuple[socket.socket, bool]:
    if family.domain != socket.AF_INET:
        return _open_raw(family)
    return socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ETH_P_IP)), True


_OPEN = {"any": _open, "raw": _open_raw, "tap": _open_tap}


def _accept_only_replies(raw: socket.socket, family: Family, identifier: int, *, tap: bool) -> None:
    """Have the kernel drop everything except echo replies to our own requests."""
    ours = [(0x15, 0, 1, identifier), (0x06, 0, 0, 0xFFFF), (0x06, 0, 0, 0)]
    if family.domain == socket.AF_INET and tap:
        # bpf: whole, ICMP, echo reply (a first octet of 0), then as below.
        whole = [(0x28, 0, 0, 6), (0x45, 8, 0, 0x1FFF), (0x30, 0, 0, 9), (0x15, 0, 6, family.protocol)]
        reply = [(0xB1, 0, 0, 0), (0x50, 0, 0, 0), (0x15, 0, 3, family.reply)]
        load = [*whole, *reply, (0x48, 0, 0, 4)]
    elif family.domain == socket.AF_INET:
        raw.setsockopt(_SOL_RAW, _ICMP_FILTER, struct.pack("=I", ~(1 << family.reply) & 0xFFFFFFFF))
        # bpf: X = IP header length; A = identifier at X+4; keep the packet if it is ours.
        load = [(0xB1, 0, 0, 0), (0x48, 0, 0, 4)]
    else:
        blocked = [0xFFFFFFFF] * 8
        blocked[family.reply >> 5] &= ~(1 << (family.reply & 31))
        raw.setsockopt(_SOL_ICMPV6, _ICMP6_FILTER, struct.pack("=8I", *blocked))
        load = [(0x28, 0, 0, 4)]
    program = [*load, *ours]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    raw.setsockopt(
        socket.SOL_SOCKET, _SO_ATTACH_FILTER, struct.pack("@HP", len(program), ctypes.addressof(code))
    )
