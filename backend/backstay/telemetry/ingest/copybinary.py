"""PostgreSQL's binary COPY format for sample rows: bytes built by numpy, without text conversion.

Layout: PostgreSQL manual, COPY, "Binary Format"; a field is a 32-bit length and its octets. An array
(array_send in arrayfuncs.c) is: dimensions, has-nulls, element type; then length and lower bound; then each
element with its own length. All big-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
TRAILER = b"\xff\xff"
NULL = b"\xff\xff\xff\xff"
INT8_OID, INT2_OID = 20, 21
POSTGRES_EPOCH_US = 946_684_800_000_000
"""2000-01-01, the epoch of PostgreSQL's timestamps, in microseconds since the Unix epoch."""

_ARRAY = struct.Struct(">iiiiii")
_INT8_ITEM = np.dtype([("length", ">i4"), ("value", ">i8")])
_INT2_ITEM = np.dtype([("length", ">i4"), ("value", ">i2")])
_SCALARS = struct.Struct(">h" + "iq" * 5)


def scalars(fields: int, *, node: int, at_us: int, duration_ns: int, shift_ns: int, layout: int) -> bytes:
    """The start of a row with `fields` fields: five scalar columns of eight octets."""
    return _SCALARS.pack(
        fields, 8, node, 8, at_us - POSTGRES_EPOCH_US, 8, duration_ns, 8, shift_ns, 8, layout
    )


def int8_arrays(columns: Sequence[Sequence[int]]) -> list[bytes]:
    """Each column as a bigint[] field. Columns of equal length share one numpy call to save its overhead."""
    fields: dict[int, bytes] = {}
    for width, places in _by_width(columns).items():
        values = struct.Struct(f">{width}q")  # Faster than numpy at reading Python's integers.
        items = np.empty(len(places) * width, _INT8_ITEM)
        items["length"] = 8
        items["value"] = np.frombuffer(b"".join([values.pack(*columns[place]) for place in places]), ">i8")
        octets, step = items.tobytes(), width * _INT8_ITEM.itemsize
        head = _array_head(width, INT8_OID, _INT8_ITEM.itemsize)
        for number, place in enumerate(places):
            fields[place] = head + octets[number * step : (number + 1) * step]
    return [fields[place] for place in range(len(columns))]


def _by_width(columns: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """Length -> positions of the columns of that length."""
    places: dict[int, list[int]] = {}
    for place, column in enumerate(columns):
        places.setdefault(len(column), []).append(place)
    return places


def int2_array(column: Sequence[int]) -> bytes:
    """One column as a smallint[] field."""
    items = np.empty(len(column), _INT2_ITEM)
    items["length"] = 2
    items["value"] = column
    return _array_head(len(column), INT2_OID, _INT2_ITEM.itemsize) + items.tobytes()


def _array_head(width: int, oid: int, item_octets: int) -> bytes:
    return _ARRAY.pack(20 + width * item_octets, 1, 0, oid, width, 1)
