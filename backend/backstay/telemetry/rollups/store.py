"""Reads port samples and rows of many devices as arrays, and replaces rows; their only writer.

The columns of `telemetry_rollup_5m`, `_1h` and `_1d`; an array of a port is [slot][bin]:

    node_id, at, layout_id   the device, the row's start, and the `PortLayout` of the slots
    seconds                  observed time of each bin; less `in_missing` for ports without a value
    samples                  number of samples that end in each bin
    resets                   of each port and bin; NULL: none
    in_octets ..             exact sums; `in_packets` to 24 bits
    in_errors, in_discards   exact sums; NULL: zero for every port
    in_min, in_max           of the samples' mean rates, bit/s; NaN without a value
    in_peak ..               the busiest second, bit/s; NULL: not measured
    in_p95 ..                1 h and 1 d: nearest rank over 5-minute means, bit/s
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import psycopg
from django.db import connection
from numpy.typing import NDArray

from backstay.core.rollups.bins import DIRECTIONS, SUMS, DeviceSamples, Rows
from backstay.core.rollups.levels import FINE, LEAST_S, LONGEST_S, Level
from backstay.telemetry.ingest import copybinary
from backstay.telemetry.rollups.arrays import Field, Kind, decoded, encoded, fetch_columns, integers, length

RESET_OUTCOME = 2
"""`backstay_wire.DeltaOutcome.RESET`."""
_OF_DIRECTION: Mapping[str, Kind] = {
    "missing": "real",
    "octets": "int8",
    "packets": "real",
    "errors": "int8",
    "discards": "int8",
    "min": "real",
    "max": "real",
    "peak": "real",
}
KINDS: Mapping[str, Kind] = {
    "resets": "int4",
    **{f"{direction}_{name}": kind for direction in DIRECTIONS for name, kind in _OF_DIRECTION.items()},
}
"""Array columns of ports -> element."""
P95: Mapping[str, Kind] = {f"{direction}_p95": "real" for direction in DIRECTIONS}
REQUIRED = {f"{direction}_{name}" for direction in DIRECTIONS for name in ("octets", "min", "max", "p95")}
_COUNTERS = [f"{direction}_{name}" for name in (*SUMS, "peak") for direction in DIRECTIONS]
_SAMPLES = """
    SELECT node_id, layout_id, (extract(epoch FROM ts) * 1000000)::bigint, duration_ns, outcome, {counters}
    FROM telemetry_samples
    WHERE node_id = ANY (%(nodes)s) AND ts > %(start)s AND ts <= %(last)s
      AND ts < %(end)s + greatest(duration_ns / 1e9, %(least)s) * interval '1 second'
    ORDER BY node_id, layout_id, ts
"""
_FINE = """
    SELECT node_id, layout_id, (extract(epoch FROM at) * 1000000)::bigint, seconds, samples, {columns}
    FROM telemetry_rollup_5m
    WHERE node_id = ANY (%(nodes)s) AND at >= %(start)s AND at < %(end)s
    ORDER BY node_id, layout_id, at
"""

Series = tuple[int, int]
"""(node id, layout id)"""


@dataclass(frozen=True, slots=True)
class SeriesRows:
    """Rows of devices with equally many ports, in the order of `series`."""

    series: Sequence[Series]
    rows: Rows


def moment(at: float) -> datetime:
    """The time of Unix seconds."""
    return datetime.fromtimestamp(at, UTC)


def read_samples(
    nodes: Collection[int], start: float, end: float, only: Collection[str] = _COUNTERS
) -> Iterator[tuple[list[Series], DeviceSamples]]:
    """The samples that overlap the range, in groups of series with equally many ports.

    `only`: the counters that are read, with both of octets; the others are None.
    """
    names = [name for name in _COUNTERS if name in only]
    values = {
        "nodes": list(nodes),
        "start": moment(start),
        "end": moment(end),
        "least": LEAST_S,
        "last": moment(end) + timedelta(seconds=LONGEST_S),
    }
    columns = fetch_columns(_SAMPLES.format(counters=", ".join(names)), values)
    for width, places in _by_width(columns[5]).items():
        series, number = numbered(columns[0], columns[1], places)
        chosen = [[column[place] for place in places] for column in columns]
        counters: dict[str, NDArray[np.int64] | None] = dict.fromkeys(_COUNTERS)
        counters |= {
            name: _counter(fields, width, -1 if name.endswith("peak") else 0)
            for name, fields in zip(names, chosen[5:], strict=True)
        }
        seconds = np.maximum(integers(chosen[3]) / 1e9, LEAST_S)
        outcomes = chosen[4]
        resets = (
            decoded(outcomes, width, "int2", 0) == RESET_OUTCOME if any(map(_present, outcomes)) else None
        )
        yield (
            series,
            DeviceSamples(number, integers(chosen[2]) / 1e6, seconds, counters, resets),
        )


def _present(field: Field) -> bool:
    return field is not None


def _counter(fields: list[Field], width: int, absent: int) -> NDArray[np.int64] | None:
    return decoded(fields, width, "int8", absent) if any(map(_present, fields)) else None


def _by_width(fields: Sequence[Field]) -> dict[int, list[int]]:
    """Number of ports -> positions; an empty layout has nothing to roll up."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, field in enumerate(fields):
        if width := length(field):
            places[width].append(place)
    return places


def numbered(
    nodes: list[Field], layouts: list[Field], places: Sequence[int]
) -> tuple[list[Series], NDArray[np.int64]]:
    """The series at these positions, ascending, and the number of each position's."""
    keys = np.column_stack([integers([column[place] for place in places]) for column in (nodes, layouts)])
    found, number = np.unique(keys, axis=0, return_inverse=True)
    return [(int(node), int(layout)) for node, layout in found], number.reshape(-1).astype(np.int64)


def read_fine(
    nodes: Collection[int], start: float, end: float, kinds: Mapping[str, Kind] = KINDS
) -> Iterator[SeriesRows]:
    """5-minute bins of the range, whole hours; hours without a row are empty.

    `kinds`: the arrays to read, with `in_octets`; default: all.
    """
    hours = round((end - start) / FINE.row_s)
    values = {"nodes": list(nodes), "start": moment(start), "end": moment(end)}
    columns = fetch_columns(_FINE.format(columns=", ".join(kinds)), values)
    octets = columns[5 + list(kinds).index("in_octets")]
    for width, places in _by_width(octets).items():
        series, number = numbered(columns[0], columns[1], places)
        chosen = [[column[place] for place in places] for column in columns]
        hour = np.round((integers(chosen[2]) / 1e6 - start) / FINE.row_s).astype(np.int64)
        place_hours = _Placed(len(series), width, hours, number, hour)
        rows = Rows(place_hours.bins(chosen[3], "double"), place_hours.bins(chosen[4], "int4"))
        for (name, kind), fields in zip(kinds.items(), chosen[5:], strict=True):
            rows.arrays[name] = place_hours.ports(name, fields, kind)
        yield SeriesRows(series, rows)


@dataclass(frozen=True, slots=True)
class _Placed:
    """Puts the rows of hours into arrays over the whole range."""

    count: int
    width: int
    hours: int
    number: NDArray[np.int64]
    hour: NDArray[np.int64]

    def bins(self, fields: list[Field], kind: Kind) -> NDArray[Any]:
        values = decoded(fields, FINE.bins, kind, 0)
        found = np.zeros((self.count, self.hours, FINE.bins), values.dtype)
        found[self.number, self.hour] = values
        return found.reshape(self.count, -1)

    def ports(self, name: str, fields: list[Field], kind: Kind) -> NDArray[Any] | None:
        if not any(map(_present, fields)):
            return None
        empty = np.nan if name.endswith(("min", "max", "peak")) else 0
        values = decoded(fields, self.width * FINE.bins, kind, empty)
        wide = np.float64 if kind == "real" else np.int64
        found = np.full((self.count, self.hours, self.width, FINE.bins), empty, wide)
        found[self.number, self.hour] = values.reshape(-1, self.width, FINE.bins)
        return found.transpose(0, 2, 1, 3).reshape(self.count, self.width, -1)


def replace_rows(level: Level, nodes: Collection[int], at: float, groups: Sequence[SeriesRows]) -> None:
    """Replace the rows of these devices that start at `at`, in the caller's transaction."""
    kinds = KINDS if level is FINE else {**KINDS, **P95}
    columns = ["seconds", "samples", *kinds]
    pieces = [piece for group in groups for piece in _copied(group, at, kinds)]
    replace_copied(level.table, columns, nodes, at, pieces)


def replace_copied(
    table: str, columns: Sequence[str], nodes: Collection[int], at: float, pieces: Sequence[bytes]
) -> None:
    """The same of any roll-up; `pieces`: rows in COPY format, `key` and the columns."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE node_id = ANY (%s) AND at = %s",  # noqa: S608
            [list(nodes), moment(at)],
        )
    if not pieces:
        return
    statement = f"COPY {table} (node_id, at, layout_id, {', '.join(columns)}) FROM STDIN (FORMAT binary)"
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection).copy(statement) as copy:
        copy.write(b"".join((copybinary.HEADER, *pieces, copybinary.TRAILER)))


def key(series: Series, at: float, columns: int) -> bytes:
    """The head of a row in COPY format, before its columns."""
    at_us = round(at * 1e6) - copybinary.POSTGRES_EPOCH_US
    return _KEY.pack(columns + 3, 8, series[0], 8, at_us, 8, series[1])


def _copied(group: SeriesRows, at: float, kinds: Mapping[str, Kind]) -> Iterator[bytes]:
    """A row each."""
    fields = [encoded(group.rows.seconds, "double"), encoded(group.rows.samples, "int4")]
    fields += [
        _fields(name, group.rows.arrays.get(name), kind, len(group.series)) for name, kind in kinds.items()
    ]
    for number, series in enumerate(group.series):
        yield b"".join([key(series, at, len(fields)), *(column[number] for column in fields)])


_KEY = struct.Struct(">h" + "iq" * 3)


def _fields(name: str, values: NDArray[Any] | None, kind: Kind, count: int) -> list[bytes]:
    """The column's fields; NULL if zero for every port, or not measured."""
    if values is None:
        return [copybinary.NULL] * count
    found = encoded(values, kind)
    if name in REQUIRED:
        return found
    present = ~np.isnan(values) if name.endswith("peak") else values != 0
    return [
        field if kept else copybinary.NULL
        for field, kept in zip(found, present.any(axis=(1, 2)), strict=True)
    ]
