"""The subset of the basic encoding rules (X.690) used by SNMP (RFC 3417, section 8): definite lengths, short
tags.

Every length is checked against the actual data; nothing here recurses or allocates by a length field.
"""

from functools import lru_cache

from backstay_agent.host.snmp.values import Oid

INTEGER, OCTETS, NULL, OBJECT, SEQUENCE = 0x02, 0x04, 0x05, 0x06, 0x30
ADDRESS, COUNTER, GAUGE, TICKS, OPAQUE, COUNTER64 = 0x40, 0x41, 0x42, 0x43, 0x44, 0x46
ABSENT = frozenset((0x80, 0x81, 0x82))
"""noSuchObject, noSuchInstance, endOfMibView."""
UNSIGNED = frozenset((COUNTER, GAUGE, TICKS, COUNTER64))
_MOST_ARCS = 128
_MOST_ARC = 1 << 32
_KNOWN = 16_384
"""Object identifiers cached in either form: devices of one kind have the same ones, at each discovery."""


class BerError(Exception):
    """The octets are not an SNMP message."""


def encode_length(length: int) -> bytes:
    """A length's octets."""
    if length < 0x80:
        return bytes((length,))
    raw = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes((0x80 | len(raw),)) + raw


def encode(tag: int, content: bytes) -> bytes:
    """One element."""
    return bytes((tag,)) + encode_length(len(content)) + content


def encode_integer(value: int) -> bytes:
    """An INTEGER element in its shortest form."""
    return encode(INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


@lru_cache(_KNOWN)
def encode_oid(oid: Oid) -> bytes:
    """An OBJECT IDENTIFIER's content. `oid` has at least two parts."""
    out = bytearray()
    for part in (oid[0] * 40 + oid[1], *oid[2:]):
        if part < 0x80:
            out.append(part)
            continue
        groups = [part & 0x7F]
        while part := part >> 7:
            groups.append(part & 0x7F | 0x80)
        out.extend(reversed(groups))
    return bytes(out)


@lru_cache(_KNOWN)
def decode_oid(content: bytes) -> Oid:
    """An OBJECT IDENTIFIER's content; at most 128 parts of 32 bits (RFC 2578, section 3.5). Raises
    BerError."""
    if not content:
        return ()
    if content[-1] & 0x80:
        raise BerError("an object identifier ends in the middle of a part")
    parts: list[int] = []
    part = 0
    for octet in content:
        part = part << 7 | octet & 0x7F
        if part >= _MOST_ARC:
            raise BerError("an object identifier has a part of more than 32 bits")
        if octet < 0x80:
            parts.append(part)
            part = 0
    if len(parts) >= _MOST_ARCS:
        raise BerError("an object identifier has more than 128 parts")
    first = min(parts[0] // 40, 2)
    return (first, parts[0] - 40 * first, *parts[1:])


def element(data: bytes, position: int, end: int) -> tuple[int, int, int]:
    """(tag, start of the content, its end) of the element at `position`. Raises BerError."""
    if position + 2 > end:
        raise BerError("the message is cut off")
    length = data[position + 1]
    start = position + 2
    if length & 0x80:
        count = length & 0x7F
        if not 1 <= count <= 4 or start + count > end:
            raise BerError("a length is not one that SNMP uses")
        length = int.from_bytes(data[start : start + count], "big")
        start += count
    if start + length > end:
        raise BerError("the message is cut off")
    return data[position], start, start + length


def expect(data: bytes, position: int, end: int, tag: int) -> tuple[int, int]:
    """(start, end) of the content of the element at `position`, which has `tag`. Raises BerError."""
    found, start, stop = element(data, position, end)
    if found != tag:
        raise BerError(f"type 0x{found:02x} where 0x{tag:02x} belongs")
    return start, stop


def integer(data: bytes, position: int, end: int) -> tuple[int, int]:
    """(value, where it ends) of the INTEGER at `position`. Raises BerError."""
    start, stop = expect(data, position, end, INTEGER)
    if not 1 <= stop - start <= 8:
        raise BerError("an integer of no or too many octets")
    return int.from_bytes(data[start:stop], "big", signed=True), stop


def unsigned(content: bytes, tag: int) -> int:
    """A counter's, gauge's or tick's value. Raises BerError when it has more bits than its type.

    A leading zero octet is due where the top bit is set; many agents leave it out, and mean the same.
    """
    widest = 8 if tag == COUNTER64 else 4
    length = len(content)
    if not length or length > widest + 1 or (length == widest + 1 and content[0]):
        raise BerError(f"a number of {length} octets in a type of {widest}")
    return int.from_bytes(content, "big")
