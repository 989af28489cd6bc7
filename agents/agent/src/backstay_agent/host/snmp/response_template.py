"""Decodes a poll's responses by the positions of the previous ones.

For the same objects in the same order, a device returns the same octets except for the numbers, as long as no
number changes its length. So each response is first decoded in full, checked, and its layout kept: which
octets must be unchanged, and which ones make up the numbers. The next responses, concatenated, are compared
under a mask and their numbers are gathered, eight octets each, in three numpy calls for all of them. Any
difference, be it an error, another type or a longer number, does not match, and the response is decoded in
full again: the layout is only a cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.message import Answer, Variable

_LITTLE = np.dtype("<u8")
_SIGN = 0x80


@dataclass(frozen=True, slots=True)
class ResponseTemplate:
    """Positions of the numbers in one response, or in several concatenated ones."""

    mask: NDArray[np.uint8]
    """0 for the octets that may differ, 0xff for those that may not."""
    fixed: bytes
    """The octets under the mask."""
    places: NDArray[np.intp] | NDArray[np.uint16]
    """Eight positions for each variable, least significant octet first; missing ones refer to a zero
    octet."""
    present: NDArray[np.bool_]

    def fits(self, data: bytes) -> bool:
        """Whether `data` has this layout."""
        if len(data) != len(self.fixed):
            return False
        return (np.frombuffer(data, dtype=np.uint8) & self.mask).tobytes() == self.fixed

    def numbers(self, data: bytes) -> NDArray[np.uint64] | None:
        """One number per variable (0 if it has none), or None if `data` has another layout."""
        if not self.fits(data):
            return None
        return np.frombuffer(data, dtype=np.uint8).take(self.places).view(_LITTLE)


def end_to_end(layouts: Sequence[ResponseTemplate]) -> ResponseTemplate:
    """The layout of several concatenated responses."""
    starts = np.cumsum([0, *(len(layout.fixed) for layout in layouts[:-1])])
    return ResponseTemplate(
        mask=np.concatenate([layout.mask for layout in layouts]),
        fixed=b"".join(layout.fixed for layout in layouts),
        places=np.concatenate(
            [layout.places + start for layout, start in zip(layouts, starts, strict=True)], dtype=np.intp
        ),
        present=np.concatenate([layout.present for layout in layouts]),
    )


def first_look(data: bytes, names: Sequence[bytes]) -> Answer:
    """Decode a response to a GET of `names`. Raises BerError if it contains other names."""
    found = message.answer(data)
    if not found.status and [variable.name for variable in found.variables] != list(names):
        raise BerError("the answer is about other objects than were asked for")
    return found


def template_of(data: bytes, found: Answer) -> ResponseTemplate:
    """The layout of a response with status 0. Raises BerError for numbers wider than their type.

    Strings, negative integers and absent objects are not numbers; that is part of the layout.
    """
    mask = np.full(len(data), 0xFF, dtype=np.uint8)
    mask[found.number_end - 4 : found.number_end] = 0
    zero = found.number_end + 2
    """The error status's only octet: zero in every response of this layout."""
    places = np.full((len(found.variables), 8), zero, dtype=np.uint16)
    present = np.zeros(len(found.variables), dtype=np.bool_)
    for row, variable in enumerate(found.variables):
        present[row] = _is_number(data, variable)
        if present[row]:
            octets = range(max(variable.start, variable.end - 8), variable.end)
            places[row, : len(octets)] = octets[::-1]
            mask[octets.start : octets.stop] = 0
            if variable.tag == ber.INTEGER:
                mask[variable.start] = _SIGN
        elif variable.tag in (ber.OCTETS, ber.INTEGER, ber.OPAQUE, ber.ADDRESS, ber.OBJECT):
            mask[variable.start : variable.end] = 0
            if variable.tag == ber.INTEGER:
                mask[variable.start] = _SIGN
    octets_ = np.frombuffer(data, dtype=np.uint8)
    return ResponseTemplate(mask, (octets_ & mask).tobytes(), places.reshape(-1), present)


def _is_number(data: bytes, variable: Variable) -> bool:
    number = message.value(data, variable)
    return isinstance(number, int) and number >= 0
