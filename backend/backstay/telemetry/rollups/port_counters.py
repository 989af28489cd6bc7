"""One port's packets, errors and discards per second over any range, in the bins of its chart.

Samples of the database where a chart reads samples, roll-ups elsewhere. Days of which only the archive has
samples are read from roll-ups: one statement a level instead of files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from backstay.core.model.history import Bins, Floats, mean_rates
from backstay.core.model.topology import Port
from backstay.core.rollups.levels import LEVELS, LONGEST_S, LevelSegment, Source, segments
from backstay.telemetry import partitions
from backstay.telemetry.rollups.arrays import Kind, decoded, fetch_columns, integers, length
from backstay.telemetry.rollups.store import moment

COUNTERS = ("in_packets", "out_packets", "in_errors", "out_errors", "in_discards", "out_discards")
_LAYOUT = """
    WITH layout AS (
        SELECT id, array_position(ports, %(port)s::bigint) AS slot
        FROM telemetry_portlayout WHERE node_id = %(node)s AND ports @> ARRAY[%(port)s::bigint]
    )
"""
# An array of errors or discards that is NULL is zero for every port; -1 is no value.
_SAMPLES = """
    {layout}, chosen AS (
        SELECT extract(epoch FROM sample.ts)::float8 AS ended, sample.duration_ns / 1e9::float8 AS seconds,
               {columns}
        FROM telemetry_samples AS sample JOIN layout ON layout.id = sample.layout_id
        WHERE sample.node_id = %(node)s AND sample.ts > %(start)s AND sample.ts <= %(last)s
          AND sample.ts < %(end)s + sample.duration_ns / 1000.0 * interval '1 microsecond'
        ORDER BY sample.ts
    )
    SELECT array_agg(ended), array_agg(seconds), {arrays} FROM chosen
"""
_OF_SAMPLE = "CASE WHEN sample.{0} IS NULL THEN 0 ELSE coalesce(sample.{0}[slot], -1) END::bigint AS {0}"
_ROLLED = """
    {layout}
    SELECT (extract(epoch FROM past.at) * 1000000)::bigint, past.seconds,
           past.in_missing[slot:slot], past.out_missing[slot:slot], {columns}
    FROM {table} AS past JOIN layout ON layout.id = past.layout_id
    WHERE past.node_id = %(node)s AND past.at >= %(start)s AND past.at < %(end)s
    ORDER BY past.at
"""


@dataclass(frozen=True, slots=True)
class _Counts:
    """Intervals, ascending by end, and the growth of each counter in them; NaN: no value."""

    end: Floats
    seconds: Floats
    """Observed time; shape (counters, intervals)."""
    grown: Floats
    """Shape (counters, intervals)."""


def port_counters(
    port: Port,
    stored: Sequence[Source],
    bins: Bins,
    start: datetime,
    end: datetime,
    *,
    points: int,
    interval_s: float,
) -> dict[str, list[float | None]]:
    """Counter -> per second in each bin of the chart; None is a gap. One statement a level that is read."""
    since, until = start.timestamp(), end.timestamp()
    found = segments(_in_database(stored), since, until, points, interval_s)
    parts = [_read(port, segment) for segment in found]
    edges = np.asarray([*bins.at, bins.at[-1] + bins.step_s])
    return {name: _per_second(parts, number, edges, (since, until)) for number, name in enumerate(COUNTERS)}


def _in_database(stored: Sequence[Source]) -> list[Source]:
    samples, *levels = stored
    return [replace(samples, since=max(samples.since, partitions.stored_from().timestamp())), *levels]


def _per_second(
    parts: Sequence[_Counts], number: int, edges: Floats, around: tuple[float, float]
) -> list[float | None]:
    if not parts:
        return [None] * (len(edges) - 1)
    end = np.concatenate([part.end for part in parts])
    seconds = np.concatenate([part.seconds[number] for part in parts])
    grown = np.concatenate([part.grown[number] for part in parts])
    known = ~np.isnan(grown) & (seconds > 0)
    # Of bits, as rates are: eight of them a byte.
    rates = mean_rates(end[known], seconds[known], grown[known], edges, around) / 8
    return [None if np.isnan(rate) else round(rate, 3) for rate in rates.tolist()]


def _read(port: Port, segment: LevelSegment) -> _Counts:
    return _from_rollups(port, segment) if segment.source.width_s else _from_samples(port, segment)


def _from_samples(port: Port, segment: LevelSegment) -> _Counts:
    values = {
        "node": port.node_id,
        "port": port.id,
        "start": moment(segment.start),
        "end": moment(segment.end),
        "last": moment(segment.end) + timedelta(seconds=LONGEST_S),
    }
    statement = _SAMPLES.format(
        layout=_LAYOUT,
        columns=", ".join(_OF_SAMPLE.format(name) for name in COUNTERS),
        arrays=", ".join(f"array_agg({name})" for name in COUNTERS),
    )
    columns = fetch_columns(statement, values)
    count = length(columns[0][0])
    counted: list[Kind] = ["int8"] * len(COUNTERS)
    kinds: list[Kind] = ["double", "double", *counted]
    end, seconds, *grown = (
        decoded(column, count, kind, 0)[0].astype(np.float64)
        for column, kind in zip(columns, kinds, strict=True)
    )
    # Roll-ups contain the part of the first sample before the segment.
    after = np.minimum(seconds, end - segment.start)
    share = after / np.maximum(seconds, 1e-6)
    counts = np.stack([np.where(item < 0, np.nan, item) for item in grown])
    return _Counts(end, np.tile(after, (len(COUNTERS), 1)), counts * share)


def _from_rollups(port: Port, segment: LevelSegment) -> _Counts:
    level = next(level for level in LEVELS if level.name == segment.source.name)
    statement = _ROLLED.format(
        layout=_LAYOUT,
        table=level.table,
        columns=", ".join(f"past.{name}[slot:slot]" for name in COUNTERS),
    )
    values = {
        "node": port.node_id,
        "port": port.id,
        "start": moment(segment.start // level.row_s * level.row_s),
        "end": moment(segment.end),
    }
    times, observed, *fields = fetch_columns(statement, values)
    bins = level.bins
    at = (integers(times)[:, None] / 1e6 + np.arange(bins) * level.width_s).ravel()
    seconds = decoded(observed, bins, "double", 0).ravel()
    missing = {
        name: decoded(column, bins, "real", 0).ravel()
        for name, column in zip(("in", "out"), fields[:2], strict=True)
    }
    grown = [
        decoded(column, bins, _KINDS[name], 0).ravel().astype(np.float64)
        for name, column in zip(COUNTERS, fields[2:], strict=True)
    ]
    known = np.stack([np.maximum(seconds - missing[name.split("_")[0]], 0.0) for name in COUNTERS])
    inside = (at + level.width_s > segment.start) & (at < segment.end) & (seconds > 0)
    return _Counts(at[inside] + level.width_s, known[:, inside], np.stack(grown)[:, inside])


_KINDS: Mapping[str, Kind] = {name: "real" if name.endswith("packets") else "int8" for name in COUNTERS}
