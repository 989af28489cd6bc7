"""One HIPPI packet, and how it is cut into bursts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from backstay_lab.hippi.ifield import IField

WORD_BITS = 32
BURST_WORDS = 256
HEADERS = 40
"""Octets before an IP packet: HIPPI-FP 8, HIPPI-LE 24, LLC and SNAP 8 (RFC 2067, section 4)."""
NS = 1_000_000_000


@dataclass(slots=True)
class Packet:
    """An IP packet on its way; or, with `hold_ns`, a raw transfer that keeps a connection for that long."""

    data: bytes
    ifield: IField
    hold_ns: int = 0
    done: Callable[[int], None] | None = None
    """Told the time when the connection of a raw transfer has ended, however it ended."""

    @property
    def words(self) -> int:
        """32-bit words on the wire, headers included; a raw transfer's words are not counted."""
        return -(-(len(self.data) + HEADERS) // 4) if self.data else 0

    @property
    def bursts(self) -> int:
        """Full bursts of 256 words, and a short one for the rest."""
        return -(-self.words // BURST_WORDS)

    def wire_ns(self, rate: int) -> int:
        """How long the connection carries it at `rate` bit/s, nanoseconds."""
        return self.hold_ns or self.words * WORD_BITS * NS // rate
