"""Sample groups to Parquet, and Parquet back to sums: pure, on values and buffers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from backstay.telemetry.archive.partition import Integers, SampleGroup
from backstay.telemetry.archive.schema import (
    GROUP_ROWS,
    PORT_SCHEMA,
    PORTS,
    SAMPLE_SCHEMA,
    SAMPLES,
    TOTALLED,
    WRITER_OPTIONS,
)
from backstay.telemetry.ingest.store import ZERO_WHEN_ABSENT

_LOW_BITS, _LIMIT = 32, 2**63


def samples_file(batches: Iterable[list[SampleGroup]]) -> pa.Buffer:
    """A part's file: sorted by node, port and time within each batch, in row groups of at most GROUP_ROWS."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, SAMPLE_SCHEMA, **WRITER_OPTIONS[SAMPLES]) as writer:
        for batch in batches:
            table = _table(batch)
            groups = -(-len(table) // GROUP_ROWS)
            if groups:
                writer.write_table(table, row_group_size=-(-len(table) // groups))
    return sink.getvalue()


def ports_file(rows: list[tuple[Any, ...]]) -> pa.Buffer:
    """The file of a part's port names, from rows in the order of PORT_SCHEMA."""
    columns = list(zip(*rows, strict=True)) or [()] * len(PORT_SCHEMA)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, PORT_SCHEMA, strict=True)]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays, schema=PORT_SCHEMA), sink, **WRITER_OPTIONS[PORTS])
    return sink.getvalue()


def sha256(content: pa.Buffer) -> str:
    """The checksum of a file, hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def file_totals(content: pa.Buffer, columns: Iterable[str] = TOTALLED) -> tuple[int, dict[str, int]]:
    """Rows of a Parquet file and the exact sums of its columns. Raises pa.ArrowException, OSError."""
    wanted = list(columns)
    sums = dict.fromkeys(wanted, 0)
    rows = 0
    file = pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
    for group in range(file.metadata.num_row_groups):
        table = file.read_row_group(group)  # All columns: a damaged one that has no sum is noticed too.
        rows += len(table)
        for name in wanted:
            sums[name] += _column_sum(table[name])
    return rows, sums


def _column_sum(column: pa.ChunkedArray) -> int:
    if column.null_count == len(column):
        return 0
    values = column.combine_chunks()
    values = values.fill_null(0) if values.null_count else values
    return exact_sum(values.to_numpy(zero_copy_only=False))


def exact_sum(values: Integers) -> int:
    """The sum of non-negative integers, which may exceed 64 bits; at most 2^31 values."""
    wide = values.astype(np.int64, copy=False)
    if not len(wide) or int(wide.max()) * len(wide) < _LIMIT:
        return int(wide.sum())
    return (int((wide >> _LOW_BITS).sum()) << _LOW_BITS) + int((wide & (2**_LOW_BITS - 1)).sum())


def _table(groups: list[SampleGroup]) -> pa.Table:
    """The groups' samples in order. A node usually has one group, which only needs to be transposed."""
    pieces = [_columns(group) for group in groups]
    order = None
    if len({group.node for group in groups}) < len(groups):
        keys = [np.concatenate([piece[name] for piece in pieces]) for name in ("ts", "port_id", "node_id")]
        order = np.lexsort(keys)
    arrays = []
    for field in SAMPLE_SCHEMA:
        if all(field.name in group.metrics and group.metrics[field.name] is None for group in groups):
            arrays.append(_constant(field, sum(len(piece["ts"]) for piece in pieces)))
            continue
        values = np.concatenate([_values(piece, field.name) for piece in pieces])
        arrays.append(_array(values if order is None else values[order], field))
    return pa.table(arrays, schema=SAMPLE_SCHEMA)


def _array(values: Integers, field: pa.Field) -> pa.Array:
    missing = values < 0 if field.nullable and int(values.min(initial=0)) < 0 else None
    array = pa.array(values, pa.int64(), mask=missing)
    return array if field.type == pa.int64() else array.cast(field.type)


def _is_zero_when_absent(name: str) -> bool:
    return name in ZERO_WHEN_ABSENT or name == "outcome"


def _constant(field: pa.Field, rows: int) -> pa.Array:
    """A column that no row has."""
    if _is_zero_when_absent(field.name):
        return pa.repeat(pa.scalar(0, field.type), rows)
    return pa.nulls(rows, field.type)


def _values(piece: dict[str, Integers], name: str) -> Integers:
    """A column of one group, which may lack it; negative: no value."""
    if name in piece:
        return piece[name]
    return np.full(len(piece["ts"]), 0 if _is_zero_when_absent(name) else -1, np.int64)


def _columns(group: SampleGroup) -> dict[str, Integers]:
    """One group's columns, sorted by port and time, without those that are NULL; negative: no value."""
    by_time, by_port = _order(group.ends_us), _order(group.ports)
    rows, ports = len(group.ends_us), len(group.ports)
    columns = {
        "node_id": np.full(rows * ports, group.node, np.int64),
        "port_id": np.repeat(group.ports[by_port], rows),
        "ts": np.tile(group.ends_us[by_time], ports),
        "duration_ns": np.tile(group.durations_ns[by_time], ports),
        "shift_ns": np.tile(group.shifts_ns[by_time], ports),
    }
    for name, values in group.metrics.items():
        if values is not None:
            columns[name] = values[by_time][:, by_port].T.ravel()
    return columns


def _order(keys: Integers) -> Any:
    """An index that sorts; if they are sorted, one that copies nothing."""
    return slice(None) if (keys[1:] >= keys[:-1]).all() else np.argsort(keys, kind="stable")
