"""The I-field: the word that requests a connection from a HIPPI switch (HIPPI-SC; RFC 2067, appendix)."""

from __future__ import annotations

from dataclasses import dataclass

SOURCE_ROUTE, FIRST_OF_LIST, ANY_OF_LIST = 0, 1, 3
"""Path selection (PS): a source route of output ports, or a logical address in the switch's table:
only its first port, or any free one. 2 is reserved."""
ADDRESS_BITS = 12
ADDRESS_MASK = (1 << ADDRESS_BITS) - 1
ROUTE_BITS = 5
"""Bits per hop in a source route: enough for the lab's largest crossbar, 32 ports."""


@dataclass(frozen=True, slots=True)
class IField:
    """The I-field's parts that the lab uses; the bits L, VU, W (64-bit data) and D are zero."""

    address: int
    """Logical address of the destination (12 bits); with SOURCE_ROUTE the next hops, nearest lowest."""
    source: int = 0
    """Logical address of the source (12 bits)."""
    selection: int = ANY_OF_LIST
    camp_on: bool = True
    """Camp-on: wait in the switch for a busy destination instead of a reject."""

    @property
    def value(self) -> int:
        """The 32 bits on the wire."""
        return self.selection << 25 | int(self.camp_on) << 24 | self.source << ADDRESS_BITS | self.address

    def next_hop(self) -> IField:
        """The source route after this switch."""
        return parse(self.value & ~0xFFFFFF | (self.value & 0xFFFFFF) >> ROUTE_BITS)


def parse(value: int) -> IField:
    """The I-field of a 32-bit word; ValueError for an invalid path selection."""
    selection = value >> 25 & 3
    if selection == 2 or not 0 <= value < 1 << 32:
        raise ValueError(f"no path can be selected by I-field {value:08x}")
    return IField(
        value & ADDRESS_MASK, value >> ADDRESS_BITS & ADDRESS_MASK, selection, bool(value >> 24 & 1)
    )
