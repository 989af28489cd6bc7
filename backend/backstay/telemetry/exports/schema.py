"""Columns of an export, the same for all levels and formats; docs/exports.md describes them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from backstay.telemetry.exports.ports import NAMES, PortBatch

GAP = "gap"
"""`level` of a row that names time without data, in `note`."""
DIRECTIONS = ("in", "out")
COUNTERS = tuple(
    f"{direction}_{name}" for name in ("octets", "packets", "errors", "discards") for direction in DIRECTIONS
)
RATES = tuple(f"{direction}_{name}_bit_s" for name in ("max", "peak") for direction in DIRECTIONS)
OBSERVED = tuple(f"{direction}_observed_s" for direction in DIRECTIONS)
_TIME = pa.timestamp("us", tz="UTC")
SCHEMA = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in NAMES),
        pa.field("node_id", pa.int64()),
        pa.field("port_id", pa.int64()),
        pa.field("level", pa.string()),
        pa.field("start", _TIME),
        pa.field("end", _TIME),
        *(pa.field(name, pa.float64()) for name in OBSERVED),
        *(pa.field(name, pa.int64()) for name in (*COUNTERS, *RATES)),
        pa.field("resets", pa.int64()),
        pa.field("note", pa.string()),
    ]
)
Values = Mapping[str, NDArray[Any]]


def table_of(batch: PortBatch, level: str, ports: NDArray[np.int64], values: Values) -> pa.Table:
    """Rows of one level. `values`: `start` and `end` in Unix microseconds; negative or NaN: no value."""
    known = batch.columns(ports)
    arrays = []
    for field in SCHEMA:
        if field.name in known:
            arrays.append(known[field.name])
        elif field.name == "level":
            arrays.append(pa.repeat(pa.scalar(level), len(ports)).dictionary_encode())
        elif field.name == "note":
            arrays.append(pa.nulls(len(ports), pa.string()).dictionary_encode())
        else:
            arrays.append(_array(values[field.name], field.type))
    return pa.table(arrays, names=SCHEMA.names)


def _array(values: NDArray[Any], kind: pa.DataType) -> pa.Array:
    if kind == _TIME:
        return pa.array(values.astype("datetime64[us]"), _TIME)
    missing = ~(values >= 0)  # NaN as well.
    if values.dtype.kind == "f" and kind == pa.int64():
        values = np.rint(np.where(missing, 0, values)).astype(np.int64)
    return pa.array(values, kind, mask=missing if missing.any() else None)


def gap_table(start: float, end: float, text: str) -> pa.Table:
    """One row that names time without data; Unix seconds."""
    row = {
        "level": GAP,
        "start": datetime.fromtimestamp(start, UTC),
        "end": datetime.fromtimestamp(end, UTC),
        "note": text,
    }
    return pa.Table.from_pylist([row], schema=SCHEMA)
