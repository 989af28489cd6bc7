"""Rows of an export as lines of CSV or JSON, or as Arrow streams that become a Parquet file at the end.

Lines are put together by Arrow, column by column: a million rows take about a second. Names are few, so each
is encoded once.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from backstay.core.csv_text import LINE_END, field
from backstay.core.export_plan import ExportFormat
from backstay.telemetry.exports.schema import SCHEMA

SUFFIXES: Mapping[ExportFormat, str] = {"csv": "csv", "jsonl": "jsonl", "parquet": "parquet"}
CONTENT_TYPES: Mapping[ExportFormat, str] = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
}
MANIFEST = "backstay.export"
"""Key of the manifest in the metadata of a Parquet file, JSON."""
_IPC = pa.ipc.IpcWriteOptions(compression="zstd")
_GROUP_ROWS = 160_000


def head(kind: ExportFormat) -> bytes:
    """What the file begins with."""
    return (",".join(map(field, SCHEMA.names)) + LINE_END).encode() if kind == "csv" else b""


def encoded(kind: ExportFormat, table: pa.Table) -> bytes:
    """The rows of a table with SCHEMA's columns; strings may be dictionaries."""
    if kind == "parquet":
        return _stream(table)
    return _lines(_csv_pieces(table) if kind == "csv" else _json_pieces(table))


def write_parquet(source: Path, target: Path, manifest: Mapping[str, Any]) -> None:
    """The Arrow streams of a file, one after the other, as Parquet with a manifest."""
    schema = SCHEMA.with_metadata({MANIFEST: json.dumps(manifest)})
    options: dict[str, Any] = {"compression": "zstd", "write_page_checksum": True}
    with pq.ParquetWriter(target, schema, **options) as writer:
        for table in _grouped(_tables(source)):
            writer.write_table(table, row_group_size=_GROUP_ROWS)


def _tables(source: Path) -> Iterator[pa.Table]:
    size = source.stat().st_size
    with pa.OSFile(str(source)) as file:
        while file.tell() < size:
            with pa.ipc.open_stream(file) as reader:
                for batch in reader:
                    yield pa.Table.from_batches([batch])


def _grouped(tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Small tables together, so that a row group is worth reading."""
    waiting: list[pa.Table] = []
    rows = 0
    for table in tables:
        waiting.append(table)
        rows += len(table)
        if rows >= _GROUP_ROWS:
            yield pa.concat_tables(waiting)
            waiting, rows = [], 0
    if waiting:
        yield pa.concat_tables(waiting)


def _stream(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    plain = table.cast(SCHEMA)
    with pa.ipc.new_stream(sink, SCHEMA, options=_IPC) as writer:
        writer.write_table(plain)
    return sink.getvalue()


def _csv_pieces(table: pa.Table) -> list[Any]:
    pieces: list[Any] = []
    for number, name in enumerate(table.schema.names):
        pieces += [","] if number else []
        pieces.append(_text(table[name], field, ""))
    return [*pieces, LINE_END]


def _json_pieces(table: pa.Table) -> list[Any]:
    pieces: list[Any] = []
    for number, name in enumerate(table.schema.names):
        pieces += [f'{"," if number else "{"}"{name}":', _text(table[name], json.dumps, "null")]
    return [*pieces, "}\n"]


def _text(column: pa.ChunkedArray, encode: Callable[[str], str], missing: str) -> pa.Array:
    """A column as text; strings and times by `encode`, numbers as they are."""
    values = column.combine_chunks()
    if pa.types.is_timestamp(values.type):
        # Without a time zone, Arrow needs no database of zones.
        plain = values.cast(pa.timestamp("us")).cast(pa.string())
        text = pc.binary_join_element_wise(pc.replace_substring(plain, " ", "T"), "Z", "")
        if encode is json.dumps:
            text = pc.binary_join_element_wise('"', text, '"', "")
    elif pa.types.is_dictionary(values.type) or pa.types.is_string(values.type):
        names = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
        texts = [None if name is None else encode(name) for name in names.dictionary.to_pylist()]
        text = pa.array(texts, pa.string()).take(names.indices)
    else:
        text = values.cast(pa.string())
    return text.fill_null(missing)


def _lines(pieces: list[Any]) -> bytes:
    lines = pc.binary_join_element_wise(*pieces, "")
    content = pa.array(lines, pa.string()) if not isinstance(lines, pa.Array) else lines
    return b"".join(_buffers(content))


def _buffers(lines: pa.Array) -> Iterator[bytes]:
    """The bytes of all strings, which Arrow stores one after the other."""
    offsets = lines.buffers()[1].slice(4 * lines.offset, 4 * (len(lines) + 1))
    first, last = (int.from_bytes(offsets.to_pybytes()[at : at + 4], "little") for at in (0, 4 * len(lines)))
    yield lines.buffers()[2].slice(first, last - first).to_pybytes()
