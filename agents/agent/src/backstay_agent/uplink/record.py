"""The spool's record on disk: magic, ordinal, length, CRC, payload. Pure.

The ordinal counts the records of a segment from zero, so that a damaged stretch shows how many records it
contained; the CRC-32 covers ordinal, length and payload. Reading continues at the next whole record.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

_MAGIC = b"\xb5\x7aBS"
_FIELDS = struct.Struct("<II")
_CRC = struct.Struct("<I")
HEADER = len(_MAGIC) + _FIELDS.size + _CRC.size
MAX_PAYLOAD = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Place:
    """Position of one whole record's payload in its segment."""

    ordinal: int
    offset: int
    length: int


def encode(ordinal: int, payload: bytes) -> bytes:
    """One record."""
    fields = _FIELDS.pack(ordinal, len(payload))
    return _MAGIC + fields + _CRC.pack(crc32(payload, crc32(fields))) + payload


def check(data: bytes, ordinal: int) -> bytes | None:
    """The payload of the record that is all of `data`; None if it is damaged or a different one."""
    place = _at(data, 0)
    if place is None or place.ordinal != ordinal or place.offset + place.length != len(data):
        return None
    return data[place.offset :]


def scan(data: bytes) -> Iterator[Place]:
    """Every whole record in a segment's octets, in order; everything between them is damaged."""
    position = 0
    while (position := data.find(_MAGIC, position)) >= 0:
        place = _at(data, position)
        if place is None:
            position += 1
        else:
            yield place
            position = place.offset + place.length


def _at(data: bytes, position: int) -> Place | None:
    body = position + HEADER
    if body > len(data) or not data.startswith(_MAGIC, position):
        return None
    start = position + len(_MAGIC)
    ordinal, length = _FIELDS.unpack_from(data, start)
    (expected,) = _CRC.unpack_from(data, start + _FIELDS.size)
    if length > MAX_PAYLOAD or body + length > len(data):
        return None
    payload = memoryview(data)[body : body + length]
    if crc32(payload, crc32(data[start : start + _FIELDS.size])) != expected:
        return None
    return Place(ordinal, body, length)
