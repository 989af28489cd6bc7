"""The I-field: the word that asks a HIPPI switch for a connection (HIPPI-SC; RFC 2067, appendix)."""

from __future__ import annotations

from dataclasses import dataclass

SOURCE_ROUTE, FIRST_OF_LIST, ANY_OF_LIST = 0, 1, 3
"""Path selection (PS): output ports one hop after the other, or a logical address whose ports stand in the
switch's table: then only the first of them, or whichever is free. 2 is reserved."""
ADDRESS_BITS = 12
ADDRESS_MASK = (1 << ADDRESS_BITS) - 1
ROUTE_BITS = 5
"""Of one hop in a source route: enough for the 32 ports of the largest crossbar here."""


@dataclass(frozen=True, slots=True)
class IField:
    """What the lab uses of an I-field; the bits L, VU, W (64-bit data) and D stay zero."""

    address: int
    """Logical address of the destination (12 bits); with SOURCE_ROUTE the next hops, nearest lowest."""
    source: int = 0
    """Logical address of the source (12 bits)."""
    selection: int = ANY_OF_LIST
    camp_on: bool = True
    """Wait in the switch for a busy destination; otherwise a busy destination is a reject."""

    @property
    def value(self) -> int:
        """The 32 bits on the wire."""
        return self.selection << 25 | int(self.camp_on) << 24 | self.source << ADDRESS_BITS | self.address

    def next_hop(self) -> IField:
        """What remains of a source route behind this switch."""
        return parse(self.value & ~0xFFFFFF | (self.value & 0xFFFFFF) >> ROUTE_BITS)


def parse(value: int) -> IField:
    """The I-field of a 32-bit word; ValueError for one without a meaning to the switch."""
    selection = value >> 25 & 3
    if selection == 2 or not 0 <= value < 1 << 32:
        raise ValueError(f"no path can be selected by I-field {value:08x}")
    return IField(
        value & ADDRESS_MASK, value >> ADDRESS_BITS & ADDRESS_MASK, selection, bool(value >> 24 & 1)
    )
