"""Bins of roll-ups of many ports as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from django.db import transaction
from numpy.typing import NDArray

from backstay.core.rollups.levels import LEVELS, Level
from backstay.telemetry.exports.sample_tables import Piece, by_layout, layouts_of, limit_statements, windows
from backstay.telemetry.exports.schema import COUNTERS, DIRECTIONS, OBSERVED, RATES, table_of
from backstay.telemetry.rollups.arrays import Field, Kind, decoded, fetch_columns, integers
from backstay.telemetry.rollups.store import KINDS, moment

_LEAST_S = 1e-6
_NO_VALUE = ("min", "max", "peak")
_READ = {name: kind for name, kind in KINDS.items() if not name.endswith("_min")}
_ROWS = """
    SELECT layout_id, (extract(epoch FROM at) * 1000000)::bigint, seconds, {columns}
    FROM {table} WHERE node_id = ANY (%(nodes)s) AND at >= %(start)s AND at < %(end)s
    ORDER BY node_id, layout_id, at
"""
_KEYS = ["port_id", "start"]


def rollup_tables(name: str, piece: Piece) -> Iterator[pa.Table]:
    """Bins that begin in the piece's time and were observed; one row for each port and bin."""
    level = next(level for level in LEVELS if level.name == name)
    with transaction.atomic():
        limit_statements()
        layouts = layouts_of(piece.batch)
        rate = max((len(ports) for ports in layouts.values()), default=0) * len(piece.batch.nodes)
        for start, end in windows(piece.start, piece.end, rate / level.width_s, level.row_s):
            tables = list(_tables(level, Piece(piece.batch, start, end), layouts))
            if tables:
                yield _merged(pa.concat_tables(tables))


def _tables(level: Level, piece: Piece, layouts: dict[int, NDArray[np.int64]]) -> Iterator[pa.Table]:
    values = {
        "nodes": list(piece.batch.nodes),
        "start": moment(piece.start // level.row_s * level.row_s),
        "end": moment(piece.end),
    }
    columns = fetch_columns(_ROWS.format(table=level.table, columns=", ".join(_READ)), values)
    for layout, rows in by_layout(columns[0]):
        ports = layouts.get(layout)
        if ports is None:
            continue
        slots = np.flatnonzero(np.isin(ports, piece.batch.ids))
        if len(slots):
            yield _of_layout(level, piece, ports, slots, [column[rows] for column in columns])


def _of_layout(
    level: Level,
    piece: Piece,
    ports: NDArray[np.int64],
    slots: NDArray[np.intp],
    columns: list[list[Field]],
) -> pa.Table:
    count, width = len(columns[0]), len(ports)
    begins = integers(columns[1])[:, None] + np.arange(level.bins) * level.width_s * 1_000_000
    seconds = decoded(columns[2], level.bins, "double", 0)
    is_kept = (seconds > _LEAST_S) & (begins >= piece.start * 1e6) & (begins < piece.end * 1e6)

    def values(name: str, kind: Kind, fields: list[Field]) -> NDArray[Any]:
        absent = np.nan if name.endswith(_NO_VALUE) else 0
        found = decoded(fields, width * level.bins, kind, absent).reshape(count, width, level.bins)
        return found[:, slots].transpose(1, 0, 2)[:, is_kept].ravel()

    read = {
        name: values(name, kind, fields)
        for (name, kind), fields in zip(_READ.items(), columns[3:], strict=True)
    }
    starts = np.tile(begins[is_kept], len(slots))
    whole = np.tile(seconds[is_kept], len(slots))
    result: dict[str, NDArray[Any]] = {
        "start": starts,
        "end": starts + level.width_s * 1_000_000,
        "resets": read["resets"],
    }
    for direction in DIRECTIONS:
        observed = np.maximum(whole - read[f"{direction}_missing"], 0.0)
        result[f"{direction}_observed_s"] = observed
        for name in ("octets", "packets", "errors", "discards"):
            known = read[f"{direction}_{name}"]
            result[f"{direction}_{name}"] = np.where(observed > _LEAST_S, known, -1)
        for name in ("max", "peak"):
            result[f"{direction}_{name}_bit_s"] = read[f"{direction}_{name}"]
    return table_of(piece.batch, level.name, np.repeat(ports[slots], int(is_kept.sum())), result)


def _merged(table: pa.Table) -> pa.Table:
    """A bin that several layouts of the device have, such as after a change of its ports, as one row."""
    number = len(table)
    if table.group_by(_KEYS).aggregate([]).num_rows == number:
        return table
    sums = [(name, "sum") for name in (*OBSERVED, *COUNTERS, "resets")]
    computed = {*_KEYS, *OBSERVED, *COUNTERS, *RATES, "resets"}
    same = [name for name in table.schema.names if name not in computed]
    plain = pa.table({name: _decoded(table[name]) for name in table.schema.names})
    found = plain.group_by(_KEYS, use_threads=False).aggregate(
        [*sums, *((name, "max") for name in RATES), *((name, "first") for name in same)]
    )
    renamed = found.rename_columns([_base(name) for name in found.schema.names])
    return renamed.select(table.schema.names).sort_by([("port_id", "ascending"), ("start", "ascending")])


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def _base(name: str) -> str:
    return name.removesuffix("_sum").removesuffix("_first").removesuffix("_max")
