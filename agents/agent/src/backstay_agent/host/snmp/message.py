"""SNMPv2c messages (RFC 1901, RFC 3416): requests as octets with a place for their number, responses as
values."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.values import Oid, Value

GET, ANSWER, BULK, INFORM, TRAP, REPORT = 0xA0, 0xA2, 0xA5, 0xA6, 0xA7, 0xA8
V2C = 1
_FOUR = bytes((ber.INTEGER, 4))
_NUMBERED = struct.Struct(">2sI")
_WIDEST_LENGTH = 5
"""Octets of the longest length field used by SNMP."""
FIRST_NUMBER, LAST_NUMBER = 1 << 30, (1 << 31) - 1
"""Request numbers between these have four octets in every encoding, so that they can be inserted in place."""


@dataclass(frozen=True, slots=True)
class Request:
    """A message without its number."""

    before: bytes
    after: bytes

    def numbered(self, number: int) -> bytes:
        """The octets to send; `number` is between FIRST_NUMBER and LAST_NUMBER."""
        return self.before + number.to_bytes(4, "big") + self.after


class Variable(NamedTuple):
    """One variable of a response: its name's octets, its type, and the position of its value."""

    name: bytes
    tag: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A response message."""

    number: int
    number_end: int
    """Where the number's four octets end in the message."""
    status: int
    index: int
    variables: list[Variable]


def request(kind: int, community: bytes, names: Sequence[bytes], first: int = 0, second: int = 0) -> Request:
    """A GET of objects by their encoded names, or a BULK with non-repeaters `first`, repetitions `second`."""
    null = bytes((ber.NULL, 0))
    bindings = b"".join(ber.encode(ber.SEQUENCE, ber.encode(ber.OBJECT, name) + null) for name in names)
    after = ber.encode_integer(first) + ber.encode_integer(second) + ber.encode(ber.SEQUENCE, bindings)
    pdu = bytes((kind,)) + ber.encode_length(len(_FOUR) + 4 + len(after)) + _FOUR
    head = ber.encode_integer(V2C) + ber.encode(ber.OCTETS, community) + pdu
    length = ber.encode_length(len(head) + 4 + len(after))
    return Request(bytes((ber.SEQUENCE,)) + length + head, after)


def pdu(data: bytes) -> tuple[int, bytes, int, int, int]:
    """(version, community, PDU type, start, end) of a v1 or v2c message. Raises BerError."""
    start, end = ber.expect(data, 0, len(data), ber.SEQUENCE)
    version, position = ber.integer(data, start, end)
    start, stop = ber.expect(data, position, end, ber.OCTETS)
    community = data[start:stop]
    kind, start, stop = ber.element(data, stop, end)
    return version, community, kind, start, stop


def answer_head(community: bytes) -> bytes:
    """The octets between the lengths of a response to `community`: version, community, type."""
    return ber.encode_integer(V2C) + ber.encode(ber.OCTETS, community) + bytes((ANSWER,))


def quick_number(data: bytes, head: bytes) -> int | None:
    """The number of the request that `data` seems to answer, read at its usual position; None if it is not
    there. Does not check that `data` is well formed."""
    start = data.find(head, 2, 1 + _WIDEST_LENGTH + len(head))
    position = start + len(head)
    if start < 0 or position >= len(data):
        return None
    position += 1 if data[position] < 0x80 else 1 + (data[position] & 0x7F)
    if position + _NUMBERED.size > len(data):
        return None
    kind, number = _NUMBERED.unpack_from(data, position)
    return number if kind == _FOUR else None


def number_of(data: bytes, community: bytes) -> int:
    """The number of the request that `data` answers. Raises BerError if it is not a response for
    `community`."""
    version, spoken, kind, start, end = pdu(data)
    if version != V2C or kind != ANSWER:
        raise BerError("no v2c response")
    if spoken != community:
        raise BerError("a response with another community")
    return ber.integer(data, start, end)[0]


def answer(data: bytes) -> Answer:
    """Decode a response. Raises BerError."""
    _, _, _, start, end = pdu(data)
    number, number_end = ber.integer(data, start, end)
    status, position = ber.integer(data, number_end, end)
    index, position = ber.integer(data, position, end)
    return Answer(number, number_end, status, index, variables(data, position, end))


def variables(data: bytes, position: int, end: int) -> list[Variable]:
    """The variable bindings at `position`. Raises BerError."""
    position, end = ber.expect(data, position, end, ber.SEQUENCE)
    found: list[Variable] = []
    while position < end:
        variable, position = _short_variable(data, position, end) or _variable(data, position, end)
        found.append(variable)
    return found


def _variable(data: bytes, position: int, end: int) -> tuple[Variable, int]:
    start, position = ber.expect(data, position, end, ber.SEQUENCE)
    name, name_end = ber.expect(data, start, position, ber.OBJECT)
    tag, value, stop = ber.element(data, name_end, position)
    return Variable(data[name:name_end], tag, value, stop), position


def _short_variable(data: bytes, position: int, end: int) -> tuple[Variable, int] | None:
    """A binding whose three lengths are one octet each, as in nearly all cases, and are consistent."""
    if position + 6 > end or data[position] != ber.SEQUENCE or data[position + 2] != ber.OBJECT:
        return None
    stop = position + 2 + data[position + 1]
    name_end = position + 4 + data[position + 3]
    if (
        stop > end
        or name_end + 2 > stop
        or name_end + 2 + data[name_end + 1] != stop
        or stop - position > 0x81
    ):
        return None
    return Variable(data[position + 4 : name_end], data[name_end], name_end + 2, stop), stop


def value(data: bytes, variable: Variable) -> Value | None:
    """A variable's value; None for noSuchObject and similar. Raises BerError."""
    tag, content = variable.tag, data[variable.start : variable.end]
    if tag in ber.UNSIGNED:
        return ber.unsigned(content, tag)
    if tag == ber.INTEGER:
        if not 1 <= len(content) <= 8:
            raise BerError("an integer of no or too many octets")
        return int.from_bytes(content, "big", signed=True)
    if tag in (ber.OCTETS, ber.ADDRESS, ber.OPAQUE):
        return content
    if tag == ber.OBJECT:
        return ber.decode_oid(content)
    if tag in ber.ABSENT or tag == ber.NULL:
        return None
    raise BerError(f"a value of the unknown type 0x{tag:02x}")


def name(variable: Variable) -> Oid:
    """A variable's name. Raises BerError."""
    return ber.decode_oid(variable.name)
