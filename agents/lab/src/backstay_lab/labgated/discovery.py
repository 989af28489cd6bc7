"""ICMP router discovery client (RFC 1256): advertisements and known routers. Pure."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from ipaddress import IPv4Address

ADVERTISEMENT, SOLICITATION = 9, 10
GROUP_OF_ROUTERS = "224.0.0.2"
_INELIGIBLE = -(2**31)
_HEAD = struct.Struct(">BBHBBH")


class BadAdvertisementError(ValueError):
    """An invalid advertisement."""


def checksum(octets: bytes) -> int:
    """The Internet checksum (RFC 1071); 0 over a message that carries its own."""
    padded = octets + bytes(len(octets) % 2)
    total: int = sum(struct.unpack(f">{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def solicitation() -> bytes:
    """A request to the link's routers to advertise themselves."""
    bare = struct.pack(">BBHI", SOLICITATION, 0, 0, 0)
    return struct.pack(">BBHI", SOLICITATION, 0, checksum(bare), 0)


def advertisement(octets: bytes) -> tuple[int, list[tuple[IPv4Address, int]]]:
    """(lifetime in seconds, [(router, preference level)]) of an ICMP message; else BadAdvertisementError."""
    if len(octets) < _HEAD.size or checksum(octets):
        raise BadAdvertisementError("too short or wrong checksum")
    kind, code, _, count, size, lifetime = _HEAD.unpack_from(octets)
    if (kind, code) != (ADVERTISEMENT, 0) or count < 1 or size < 2 or len(octets) < 8 + count * size * 4:
        raise BadAdvertisementError("not an advertisement (RFC 1256, 5.2)")
    rows = [struct.unpack_from(">Ii", octets, 8 + place * size * 4) for place in range(count)]
    return lifetime, [(IPv4Address(address), level) for address, level in rows]


@dataclass
class Routers:
    """Advertised routers, until their lifetime ends."""

    scale: float = 1.0
    _known: dict[IPv4Address, tuple[int, float, float]] = field(default_factory=dict)
    """(level, since, end)."""

    def receive(self, router: IPv4Address, level: int, lifetime: int, now: float) -> None:
        """Add one advertised address; a lifetime of 0 removes it."""
        since = self._known.pop(router, (0, now, 0.0))[1]
        if lifetime and level != _INELIGIBLE:
            self._known[router] = level, since, now + lifetime * self.scale

    def tick(self, now: float) -> None:
        """Remove routers whose lifetime has ended."""
        self._known = {router: item for router, item in self._known.items() if item[2] > now}

    def next_tick(self) -> float | None:
        """Time at which the next lifetime ends."""
        return min((end for _, _, end in self._known.values()), default=None)

    def best(self) -> dict[IPv4Address, float]:
        """The routers of the highest level, and since when they are known."""
        top = max((level for level, _, _ in self._known.values()), default=0)
        return {router: since for router, (level, since, _) in self._known.items() if level == top}

    def clear(self) -> None:
        """Remove all routers: the client was switched off."""
        self._known.clear()
