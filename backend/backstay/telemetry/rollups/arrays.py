"""PostgreSQL's arrays in binary as numpy arrays, and back as fields of COPY.

`array_send` of arrayfuncs.c: dimensions, has-nulls, element type; length and lower bound of each dimension;
then each element with its own length. All big-endian. psycopg would make a Python object of each element.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import psycopg
from django.db import connection
from numpy.typing import NDArray

Kind = Literal["int2", "int4", "int8", "real", "double"]
Field = bytes | None
TYPES: Mapping[Kind, tuple[int, str]] = {
    "int2": (21, ">i2"),
    "int4": (23, ">i4"),
    "int8": (20, ">i8"),
    "real": (700, ">f4"),
    "double": (701, ">f8"),
}
"""Kind -> the type's OID, and its elements in binary."""


def fetch_columns(statement: str, values: Mapping[str, Any] | Sequence[Any]) -> list[list[Field]]:
    """Run a statement and return its columns, each a list of fields in binary."""
    with connection.wrap_database_errors:
        connection.ensure_connection()
        cursor = psycopg.Cursor(connection.connection)
        found = cursor.execute(statement, values, binary=True).pgresult
        assert found is not None
        return [
            [found.get_value(row, column) for row in range(found.ntuples)] for column in range(found.nfields)
        ]


def integers(fields: Sequence[Field]) -> NDArray[np.int64]:
    """A bigint column without NULL."""
    return np.frombuffer(b"".join(field or b"" for field in fields), ">i8").astype(np.int64)


def length(field: Field) -> int:
    """Elements of the first dimension; 0: NULL or empty."""
    return 0 if field is None or len(field) < 20 else int(struct.unpack_from(">i", field, 12)[0])


def decoded(fields: Sequence[Field], width: int, kind: Kind, absent: float) -> NDArray[Any]:
    """Arrays of `width` elements without NULL, one a row; `absent`: the value of a NULL row."""
    dtype = np.dtype(TYPES[kind][1])
    present = [field for field in fields if field is not None]
    found = np.full((len(fields), width), absent, dtype.newbyteorder("="))
    if present:
        head = 12 + 8 * int.from_bytes(present[0][:4], "big")
        items = np.dtype(
            [("head", f"V{head}"), ("items", np.dtype([("length", ">i4"), ("value", dtype)]), (width,))]
        )
        values = np.frombuffer(b"".join(present), items)["items"]["value"]
        if len(present) == len(fields):
            found[:] = values
        else:
            found[[field is not None for field in fields]] = values
    return found


def ragged(fields: Sequence[Field], sizes: NDArray[np.int64], kind: Kind, absent: float) -> NDArray[Any]:
    """Arrays without NULL of different sizes, one after the other; `absent`: the elements of a NULL row."""
    dtype = np.dtype(TYPES[kind][1])
    found = np.full(int(sizes.sum()), absent, dtype.newbyteorder("="))
    present = np.array([field is not None for field in fields], np.bool_)
    heads = ((field, 12 + 8 * int.from_bytes(field[:4], "big")) for field in fields if field is not None)
    items = np.dtype([("length", ">i4"), ("value", dtype)])
    found[np.repeat(present, sizes)] = np.frombuffer(b"".join(f[head:] for f, head in heads), items)["value"]
    return found


def encoded(values: NDArray[Any], kind: Kind) -> list[bytes]:
    """Each item of the first axis as a field of COPY: an array of the other axes."""
    rows, *shape = values.shape
    return _fields(values, kind, [shape] * rows)


def encoded_parts(values: NDArray[Any], kind: Kind, lengths: Sequence[int]) -> list[bytes]:
    """Consecutive parts of the first axis, `lengths` items each, as fields of COPY."""
    return _fields(values, kind, [[length, *values.shape[1:]] for length in lengths])


def _fields(values: NDArray[Any], kind: Kind, shapes: Sequence[Sequence[int]]) -> list[bytes]:
    """Arrays of these shapes, which `values` holds one after the other."""
    code = TYPES[kind][1]
    items = np.empty(values.size, np.dtype([("length", ">i4"), ("value", code)]))
    items["length"] = np.dtype(code).itemsize
    items["value"] = values.reshape(-1)
    octets, at = memoryview(items.tobytes()), 0
    found: list[bytes] = []
    for shape in shapes:
        size = math.prod(shape) * items.dtype.itemsize
        found.append(_head(kind, tuple(shape), size) + octets[at : at + size])
        at += size
    return found


@lru_cache(maxsize=256)
def _head(kind: Kind, shape: tuple[int, ...], size: int) -> bytes:
    """The field's length and the array's head; an array without elements has no dimensions."""
    dimensions = shape if size else ()
    sizes = [part for length in dimensions for part in (length, 1)]
    oid, _ = TYPES[kind]
    return struct.pack(f">iiii{len(sizes)}i", 12 + 4 * len(sizes) + size, len(dimensions), 0, oid, *sizes)
