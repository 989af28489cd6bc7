"""PostgreSQL's arrays in binary as numpy arrays, and back as fields of COPY.

`array_send` of arrayfuncs.c: dimensions, has-nulls, element type; length and lower bound of each dimension;
then each element with its own length. All big-endian. psycopg would make a Python object of each element.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
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


def fetch_columns(statement: str, values: Mapping[str, Any]) -> list[list[Field]]:
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


def encoded(values: NDArray[Any], kind: Kind) -> list[bytes]:
    """Each item of the first axis as a field of COPY: an array of the other axes."""
    oid, code = TYPES[kind]
    rows, *shape = values.shape
    items = np.empty((rows, int(np.prod(shape))), np.dtype([("length", ">i4"), ("value", code)]))
    items["length"] = np.dtype(code).itemsize
    items["value"] = values.reshape(rows, -1)
    step = items.shape[1] * items.dtype.itemsize
    sizes = [part for size in shape for part in (size, 1)]
    head = struct.pack(f">iiii{len(sizes)}i", 12 + 4 * len(sizes) + step, len(shape), 0, oid, *sizes)
    octets = items.tobytes()
    return [head + octets[row * step : (row + 1) * step] for row in range(rows)]
