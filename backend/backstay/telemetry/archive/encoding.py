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
    COUNTERS,
    GROUP_ROWS,
    PORT_SCHEMA,
    PORTS,
    SAMPLE_SCHEMA,
    SAMPLES,
    TOTALLED,
    WRITER_OPTIONS,
)
from backstay.telemetry.ingest.store import ZERO_WHEN_ABSENT

_LOW_BITS = 32


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
            sums[name] += exact_sum(table[name].combine_chunks().fill_null(0).to_numpy(zero_copy_only=False))
    return rows, sums


def exact_sum(values: Integers) -> int:
    """The sum of non-negative integers, which may exceed 64 bits; at most 2^31 values."""
    wide = values.astype(np.int64, copy=False)
    high, low = wide >> _LOW_BITS, wide & (2**_LOW_BITS - 1)
    return (int(high.sum()) << _LOW_BITS) + int(low.sum())


def _table(groups: list[SampleGroup]) -> pa.Table:
    """The groups' samples in order. A node usually has one group, which only needs to be transposed."""
    nodes = np.array([group.node for group in groups], np.int64)
    pieces = [_columns(group) for group in groups]
    arrays = []
    order = None
    if len(np.unique(nodes)) < len(nodes):
        keys = [np.concatenate([piece[name] for piece in pieces]) for name in ("ts", "port_id", "node_id")]
        order = np.lexsort(keys)
    for field in SAMPLE_SCHEMA:
        values = np.concatenate([piece[field.name] for piece in pieces]) if pieces else np.empty(0, np.int64)
        values = values if order is None else values[order]
        missing = values < 0 if field.nullable else None
        arrays.append(pa.array(values, pa.int64(), mask=missing).cast(field.type))
    return pa.table(arrays, schema=SAMPLE_SCHEMA)


def _columns(group: SampleGroup) -> dict[str, Integers]:
    """One group's columns, sorted by port and time; negative: no value."""
    by_time = np.argsort(group.ends_us, kind="stable")
    by_port = np.argsort(group.ports, kind="stable")
    rows, ports = len(by_time), len(by_port)
    columns = {
        "node_id": np.full(rows * ports, group.node, np.int64),
        "port_id": np.repeat(group.ports[by_port], rows),
        "ts": np.tile(group.ends_us[by_time], ports),
        "duration_ns": np.tile(group.durations_ns[by_time], ports),
        "shift_ns": np.tile(group.shifts_ns[by_time], ports),
    }
    pick = np.ix_(by_time, by_port)
    for name in (*COUNTERS, "outcome"):
        values = group.metrics[name]
        if values is None:
            zero = name in ZERO_WHEN_ABSENT or name == "outcome"
            columns[name] = np.full(rows * ports, 0 if zero else -1, np.int64)
        else:
            columns[name] = values[pick].T.ravel()
    return columns
