"""A poll's answers decoded by where things stood in the last one.

Asked for the same objects in the same order, a device answers with the same octets but for the numbers, as
long as no number changes its length. So an answer is first taken apart in full, checked, and its layout kept:
which octets must be as they were, and which ones make up the numbers. The next answer is compared under a
mask and its numbers are gathered, eight octets each, in three numpy calls. Whatever differs, be it an error,
another type or a longer number, does not match and is taken apart in full again: the layout is a memory,
never a belief.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.message import Answer, Variable

_BIG = np.dtype(">u8")
_SIGN = 0x80


@dataclass(frozen=True, slots=True)
class Layout:
    """Where one answer's numbers are."""

    length: int
    mask: NDArray[np.uint8]
    """0 for the octets that may differ, 0xff for those that may not."""
    fixed: bytes
    """The answer under the mask."""
    places: NDArray[np.intp]
    """Eight positions for each variable, most significant octet first; leading ones point at a zero octet."""
    present: NDArray[np.bool_]

    def numbers(self, data: bytes) -> NDArray[np.uint64] | None:
        """One number a variable (0 where it has none), or None when `data` has another layout."""
        if len(data) != self.length:
            return None
        octets = np.frombuffer(data, dtype=np.uint8)
        if (octets & self.mask).tobytes() != self.fixed:
            return None
        return octets.take(self.places).view(_BIG)


def first_look(data: bytes, names: Sequence[bytes]) -> Answer:
    """Take an answer to a GET of `names` apart. Raises BerError when it names others."""
    found = message.answer(data)
    if not found.status and [variable.name for variable in found.variables] != list(names):
        raise BerError("the answer is about other objects than were asked for")
    return found


def layout_of(data: bytes, found: Answer) -> Layout:
    """The layout of an answer of status 0. Raises BerError for numbers wider than their type.

    Strings, negative integers and absent objects are no numbers; that they are not is part of the layout.
    """
    mask = np.full(len(data), 0xFF, dtype=np.uint8)
    mask[found.number_end - 4 : found.number_end] = 0
    zero = found.number_end + 2
    """The error status's one octet: zero in every answer of this layout."""
    places = np.full((len(found.variables), 8), zero, dtype=np.intp)
    present = np.zeros(len(found.variables), dtype=np.bool_)
    for row, variable in enumerate(found.variables):
        present[row] = _is_number(data, variable)
        if present[row]:
            octets = range(max(variable.start, variable.end - 8), variable.end)
            places[row, 8 - len(octets) :] = octets
            mask[octets.start : octets.stop] = 0
            if variable.tag == ber.INTEGER:
                mask[variable.start] = _SIGN
        elif variable.tag in (ber.OCTETS, ber.INTEGER, ber.OPAQUE, ber.ADDRESS, ber.OBJECT):
            mask[variable.start : variable.end] = 0
            if variable.tag == ber.INTEGER:
                mask[variable.start] = _SIGN
    octets_ = np.frombuffer(data, dtype=np.uint8)
    return Layout(len(data), mask, (octets_ & mask).tobytes(), places.reshape(-1), present)


def _is_number(data: bytes, variable: Variable) -> bool:
    number = message.value(data, variable)
    return isinstance(number, int) and number >= 0
