"""One port's samples and roll-up bins as arrays, across all port layouts of its device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.history import (
    LEAST_COVERED,
    P95_BIN_S,
    Floats,
    Samples,
    five_minute_estimates,
)
from backstay.core.model.topology import Port
from backstay.core.rollups.levels import LEVELS, LONGEST_S, Level
from backstay.telemetry.rollups.arrays import Field, Kind, decoded, fetch_columns, integers, length
from backstay.telemetry.rollups.store import RESET_OUTCOME, moment

# The sample that contains the end may be long, after an outage: its own length decides.
_SAMPLES = """
    WITH layout AS (
        SELECT id, array_position(ports, %(port)s::bigint) AS slot
        FROM telemetry_portlayout WHERE node_id = %(node)s AND ports @> ARRAY[%(port)s::bigint]
    ), chosen AS (
        SELECT extract(epoch FROM sample.ts)::float8 AS ended, sample.duration_ns / 1e9::float8 AS seconds,
               sample.in_octets[slot] AS a, sample.out_octets[slot] AS b,
               coalesce(sample.in_peak[slot], -1) AS c, coalesce(sample.out_peak[slot], -1) AS d,
               coalesce(sample.outcome[slot], 0)::bigint AS e
        FROM telemetry_samples AS sample JOIN layout ON layout.id = sample.layout_id
        WHERE sample.node_id = %(node)s AND sample.ts > %(start)s AND sample.ts <= %(last)s
          AND sample.ts < %(end)s + sample.duration_ns / 1000.0 * interval '1 microsecond'
        ORDER BY sample.ts
    )
    SELECT array_agg(ended), array_agg(seconds), array_agg(a), array_agg(b), array_agg(c), array_agg(d),
           array_agg(e) FROM chosen
"""
_OF_PORT = """
    WITH layout AS (
        SELECT id, array_position(ports, %(port)s::bigint) AS slot
        FROM telemetry_portlayout WHERE node_id = %(node)s AND ports @> ARRAY[%(port)s::bigint]
    )
    SELECT (extract(epoch FROM past.at) * 1000000)::bigint, past.seconds, {columns}
    FROM {table} AS past JOIN layout ON layout.id = past.layout_id
    WHERE past.node_id = %(node)s AND past.at >= %(start)s AND past.at < %(end)s
    ORDER BY past.at
"""
_MEANS = ("in_missing", "in_octets", "out_missing", "out_octets")
_CHART = (*_MEANS, "in_max", "out_max", "in_peak", "out_peak", "resets")
_P95 = ("in_p95", "out_p95")
_DIRECTIONS = ("in", "out")


def hot_samples(port: Port, start: datetime, end: datetime) -> Samples:
    """The samples in the database that end after `start` and begin before `end`."""
    values = {
        "node": port.node_id,
        "port": port.id,
        "start": start,
        "end": end,
        "last": end + timedelta(seconds=LONGEST_S),
    }
    columns = fetch_columns(_SAMPLES, values)
    count = length(columns[0][0])
    kinds: list[Kind] = ["double", "double", "int8", "int8", "int8", "int8", "int8"]
    arrays = [
        decoded(column, count, kind, 0)[0].astype(np.float64)
        for column, kind in zip(columns, kinds, strict=True)
    ]
    known = [np.where(item < 0, np.nan, item) for item in arrays[2:6]]
    return Samples(
        end=arrays[0],
        seconds=arrays[1],
        in_octets=known[0],
        out_octets=known[1],
        in_peak=known[2],
        out_peak=known[3],
        reset=arrays[6] == RESET_OUTCOME,
    )


@dataclass(frozen=True, slots=True)
class PortRows:
    """One port's bins of one level, ascending; those of several layouts in one bin are added up.

    Of `in_` and `out_`: shape (2, bins). NaN: no value.
    """

    width_s: int
    at: Floats
    seconds: Floats
    octets: Floats
    top: Floats
    """The busiest second, or the highest mean of a sample, bit/s."""
    p95: Floats
    resets: NDArray[np.bool_]

    def before(self, at: float) -> PortRows:
        """Without later bins."""
        kept = self.at < at
        columns = {
            item.name: getattr(self, item.name)[..., kept] for item in fields(self) if item.name != "width_s"
        }
        return replace(self, **columns)

    def as_samples(self) -> Samples:
        """A bin as a sample that ends with it, and is not longer although two sources observed it at once."""
        octets = np.where(self.seconds > 1e-6, self.octets, np.nan)
        longest = np.maximum(self.seconds.max(axis=0, initial=0.0), 1e-6)
        # Both directions of a sample have one length: the other one keeps its rate.
        octets = octets * (np.minimum(longest, self.width_s) / np.maximum(self.seconds, 1e-6))
        return Samples(
            end=self.at + self.width_s,
            seconds=np.minimum(longest, self.width_s),
            in_octets=octets[0],
            out_octets=octets[1],
            in_peak=self.top[0] / 8,
            out_peak=self.top[1] / 8,
            reset=self.resets,
        )

    def means(self) -> Floats:
        """Mean rates, bit/s; NaN: less than a quarter of a 5-minute bin was observed."""
        enough = self.seconds >= LEAST_COVERED * P95_BIN_S
        return np.where(enough, self.octets * 8 / np.maximum(self.seconds, 1e-6), np.nan)

    def five_minutes(self) -> list[tuple[Floats, Floats]]:
        """Means of 5-minute bins of both directions, and their weights."""
        return [(means, np.ones(len(means))) for means in self.means()]

    def estimates(self) -> list[tuple[Floats, Floats]]:
        """As `five_minutes`, estimated from coarser bins."""
        return [
            five_minute_estimates(means, p95, self.width_s)
            for means, p95 in zip(self.means(), self.p95, strict=True)
        ]


def port_rows(port: Port, name: str, start: float, end: float, *, only_means: bool = False) -> PortRows:
    """The port's bins that begin in the range; `only_means`: without maxima and resets."""
    level = next(level for level in LEVELS if level.name == name)
    columns = _MEANS if only_means else (*_CHART, *(_P95 if level.width_s > P95_BIN_S else ()))
    statement = _OF_PORT.format(
        table=level.table, columns=", ".join(f"past.{column}[slot:slot]" for column in columns)
    )
    values = {
        "node": port.node_id,
        "port": port.id,
        "start": moment(start // level.row_s * level.row_s),
        "end": moment(end),
    }
    found = fetch_columns(statement, values)
    return _rows(level, columns, found, start, end)


def _rows(level: Level, names: Sequence[str], found: list[list[Field]], start: float, end: float) -> PortRows:
    count, bins = len(found[0]), level.bins
    at = (integers(found[0])[:, None] / 1e6 + np.arange(bins) * level.width_s).ravel()
    seconds = decoded(found[1], bins, "double", 0).ravel()
    given = dict(zip(names, found[2:], strict=True))

    def both(name: str, kind: Kind, absent: float) -> Floats:
        columns = [given.get(f"{direction}_{name}", [None] * count) for direction in _DIRECTIONS]
        return np.stack([decoded(column, bins, kind, absent).ravel() for column in columns]).astype(
            np.float64
        )

    known = np.maximum(seconds - both("missing", "real", 0), 0.0)
    peak = both("peak", "real", np.nan)
    rows = PortRows(
        level.width_s,
        at,
        known,
        both("octets", "int8", 0),
        np.where(np.isnan(peak), both("max", "real", np.nan), peak),
        both("p95", "real", np.nan),
        decoded(given.get("resets", [None] * count), bins, "int4", 0).ravel() > 0,
    )
    inside = (at >= start) & (at < end)
    columns = {item.name: getattr(rows, item.name)[..., inside] for item in fields(rows)[1:]}
    return _merged(replace(rows, **columns))


def _merged(rows: PortRows) -> PortRows:
    """Bins that several layouts of the device have, such as after a change of its ports, as one."""
    at, index = np.unique(rows.at, return_inverse=True)
    if len(at) == len(rows.at):
        return rows
    order = np.argsort(index, kind="stable")
    starts = np.searchsorted(index[order], np.arange(len(at)))

    def reduced(by: np.ufunc, values: Floats) -> Floats:
        return np.asarray(by.reduceat(values[..., order], starts, axis=-1))

    return PortRows(
        rows.width_s,
        at,
        reduced(np.add, rows.seconds),
        reduced(np.add, rows.octets),
        reduced(np.fmax, rows.top),
        reduced(np.fmax, rows.p95),
        np.asarray(np.logical_or.reduceat(rows.resets[order], starts)),
    )
