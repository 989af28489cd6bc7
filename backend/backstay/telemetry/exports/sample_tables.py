"""Samples of many ports as tables, from the database and from the archive, in bounded pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from django.db import transaction
from numpy.typing import NDArray

from backstay.core.export_plan import STEP_ROWS
from backstay.inventory.sql import fetch_rows
from backstay.telemetry import partitions
from backstay.telemetry.archive.reader import ArchiveGap, part_tables, released_parts
from backstay.telemetry.exports.ports import PortBatch
from backstay.telemetry.exports.schema import COUNTERS, DIRECTIONS, table_of
from backstay.telemetry.ingest.store import ZERO_WHEN_ABSENT
from backstay.telemetry.rollups.arrays import Field, decoded, fetch_columns, integers
from backstay.telemetry.rollups.store import RESET_OUTCOME, moment

_ARRAYS = (*COUNTERS, "in_peak", "out_peak")
_SAMPLES = f"""
    SELECT layout_id, (extract(epoch FROM ts) * 1000000)::bigint, duration_ns, outcome, {", ".join(_ARRAYS)}
    FROM telemetry_samples
    WHERE node_id = ANY (%(nodes)s) AND ts > %(start)s AND ts <= %(end)s
    ORDER BY node_id, layout_id, ts
"""  # noqa: S608 - only constants of this module are put in
_LAYOUTS = "SELECT id, ports FROM telemetry_portlayout WHERE node_id = ANY (%s)"
STATEMENT_S = 30
"""Longest statement of an export, seconds."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is read in one go: these ports between these times, Unix seconds."""

    batch: PortBatch
    start: float
    end: float
    cut: float | None = None
    """A sample that begins before this counts from there only."""


def layouts_of(batch: PortBatch) -> dict[int, NDArray[np.int64]]:
    """Layout -> ids of the ports of its slots, of all layouts of the batch's devices."""
    return {ident: np.array(ports, np.int64) for ident, ports in fetch_rows(_LAYOUTS, [list(batch.nodes)])}


def windows(start: float, end: float, values_per_s: float, unit: float) -> Iterator[tuple[float, float]]:
    """Consecutive times of at most about STEP_ROWS values, in multiples of `unit`."""
    length = max(STEP_ROWS / max(values_per_s, 1e-9) // unit, 1) * unit
    at = start
    while at < end:
        following = min((at // length + 1) * length, end)
        yield at, following
        at = following


def sample_tables(site: str, piece: Piece, interval_s: float) -> Iterator[pa.Table | ArchiveGap]:
    """Samples that end in the piece's time, of a UTC day: from its partition and from its released files.

    In one transaction, a day that is dropped meanwhile is read once. Released files do not change, so they
    are read after it.
    """
    with transaction.atomic():
        limit_statements()
        layouts = layouts_of(piece.batch)
        rate = _slots(piece.batch) / interval_s
        for start, end in windows(piece.start, piece.end, rate, interval_s):
            yield from _hot_tables(Piece(piece.batch, start, end, piece.cut), layouts)
        parts = released_parts(site, moment(piece.start).date(), piece.batch.nodes[0], piece.batch.nodes[-1])
    for part in parts:
        ids = piece.batch.ids
        for found in part_tables(part, ids, moment(piece.start), moment(piece.end)):
            yield found if isinstance(found, ArchiveGap) else _archived(piece, found)


def is_stored(site: str, at: float) -> bool:
    """Whether the day of this time has a partition, or files of the site in the archive."""
    day = moment(at).date()
    return day in partitions.days() or bool(released_parts(site, day))


def limit_statements() -> None:
    """Limit the statements of this transaction."""
    fetch_rows("SELECT set_config('statement_timeout', %s, true)", [f"{STATEMENT_S}s"])


def _slots(batch: PortBatch) -> int:
    """Ports that a sample of all devices of the batch has, whether they are exported or not."""
    ((slots,),) = fetch_rows(
        "SELECT coalesce(sum(width), 0) FROM (SELECT max(cardinality(ports)) AS width"
        " FROM telemetry_portlayout WHERE node_id = ANY (%s) GROUP BY node_id) AS device",
        [list(batch.nodes)],
    )
    return int(slots)


def by_layout(fields: list[Field]) -> Iterator[tuple[int, slice]]:
    """Runs of rows with the same layout, from the column `layout_id` of rows in its order."""
    idents = integers(fields)
    edges = np.flatnonzero(np.diff(idents, prepend=-1, append=-1))
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        yield int(idents[low]), slice(low, high)


def _hot_tables(piece: Piece, layouts: dict[int, NDArray[np.int64]]) -> Iterator[pa.Table]:
    values = {"nodes": list(piece.batch.nodes), "start": moment(piece.start), "end": moment(piece.end)}
    columns = fetch_columns(_SAMPLES, values)
    for layout, rows in by_layout(columns[0]):
        ports = layouts.get(layout)
        if ports is None:
            continue
        slots = np.flatnonzero(np.isin(ports, piece.batch.ids))
        if len(slots):
            yield _of_layout(piece, ports[slots], len(ports), slots, [column[rows] for column in columns])


def _of_layout(
    piece: Piece, ports: NDArray[np.int64], width: int, slots: NDArray[np.intp], columns: list[list[Field]]
) -> pa.Table:
    ends, durations = integers(columns[1]), integers(columns[2])
    count = len(ends)
    arrays: dict[str, NDArray[Any]] = {
        name: decoded(fields, width, "int8", 0 if name in ZERO_WHEN_ABSENT else -1)[:, slots].T.ravel()
        for name, fields in zip(_ARRAYS, columns[4:], strict=True)
    }
    outcomes = decoded(columns[3], width, "int2", 0)[:, slots].T.ravel()
    tiled = len(slots)
    rows = _Rows(np.repeat(ports, count), np.tile(ends, tiled), np.tile(durations, tiled), arrays, outcomes)
    return _sample_table(piece, rows)


def _archived(piece: Piece, found: pa.Table) -> pa.Table:
    def column(name: str) -> NDArray[np.int64]:
        values = found[name].combine_chunks().cast(pa.int64())
        return np.asarray(values.fill_null(-1).to_numpy(zero_copy_only=False))

    arrays = {name: column(name) for name in _ARRAYS}
    rows = _Rows(column("port_id"), column("ts"), column("duration_ns"), arrays, column("outcome"))
    return _sample_table(piece, rows)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Samples of ports, one a row; negative values are unknown."""

    ports: NDArray[np.int64]
    ends: NDArray[np.int64]
    """Unix microseconds."""
    durations: NDArray[np.int64]
    """Nanoseconds."""
    arrays: dict[str, NDArray[Any]]
    """_ARRAYS."""
    outcomes: NDArray[Any]


def _sample_table(piece: Piece, rows: _Rows) -> pa.Table:
    ends, durations, arrays = rows.ends, rows.durations, rows.arrays
    seconds = np.maximum(durations / 1e9, 1e-3)
    starts = ends - durations // 1000
    values: dict[str, NDArray[Any]] = {
        "end": ends,
        "resets": (rows.outcomes == RESET_OUTCOME).astype(np.int64),
    }
    for direction in DIRECTIONS:
        octets, peak = arrays[f"{direction}_octets"], arrays[f"{direction}_peak"]
        values[f"{direction}_max_bit_s"] = np.where(octets < 0, -1, octets * 8 / seconds)
        values[f"{direction}_peak_bit_s"] = np.where(peak < 0, -1, peak * 8)
    if piece.cut is not None:
        edge = round(piece.cut * 1e6)
        share = np.minimum((ends - edge) * 1e3 / np.maximum(durations, 1), 1.0)
        starts, seconds = np.maximum(starts, edge), seconds * share
        arrays = {
            name: np.where(item < 0, -1, np.rint(item * share).astype(np.int64))
            if (share < 1).any()
            else item
            for name, item in arrays.items()
        }
    for direction in DIRECTIONS:
        known = arrays[f"{direction}_octets"] >= 0
        values[f"{direction}_observed_s"] = np.where(known, seconds, 0.0)
    counters = {name: arrays[name] for name in COUNTERS}
    return table_of(piece.batch, "samples", rows.ports, {**values, **counters, "start": starts})
