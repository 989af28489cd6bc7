"""HIPPI packets and their bursts."""

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
    """An IP packet; or, with `hold_ns`, a raw transfer that keeps a connection for that time."""

    data: bytes
    ifield: IField
    hold_ns: int = 0
    done: Callable[[int], None] | None = None
    """Receives the time at which a raw transfer's connection ended."""

    @property
    def words(self) -> int:
        """32-bit words on the wire, headers included; a raw transfer's words are not counted."""
        return -(-(len(self.data) + HEADERS) // 4) if self.data else 0

    @property
    def bursts(self) -> int:
        """Full bursts of 256 words, and a short one for the rest."""
        return -(-self.words // BURST_WORDS)

    def wire_ns(self, rate: int) -> int:
        """Transmission time at `rate` bit/s, nanoseconds."""
        return self.hold_ns or self.words * WORD_BITS * NS // rate
