"""What the archive reads of one day's partition: counts, sample arrays, sums, names of ports.

Each query reads the nodes of one part or of one row group. PostgreSQL sends the rows of a device as one array a
metric, which numpy takes without a Python object per value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import psycopg
from django.db import connection
from numpy.typing import NDArray
from psycopg.adapt import Loader
from psycopg.pq import Format

from backstay.inventory.sql import fetch_rows
from backstay.telemetry.archive.schema import COUNTERS, GROUP_ROWS, TOTALLED
from backstay.telemetry.ingest.copybinary import INT2_OID, INT8_OID
from backstay.telemetry.ingest.store import ALWAYS

Integers = NDArray[np.int64]
STATEMENT_S = 120
"""Longest statement of an archive run, seconds."""
SLICE_VALUES = 2_000_000
"""Most values of one metric in one reply, 24 MB; a larger device is read by slices of its ports."""
_ARRAY_TYPES = {1016: (INT8_OID, ">i8"), 1005: (INT2_OID, ">i2")}
"""Oid of the array's type -> oid and numpy type of its items (pg_type.dat)."""

_COUNTS = """
SELECT site.name, node.id, layout.id, cardinality(layout.ports), count(*)
FROM {table} AS sample
JOIN telemetry_portlayout AS layout ON layout.id = sample.layout_id
JOIN inventory_node AS node ON node.id = sample.node_id
JOIN inventory_site AS site ON site.id = node.site_id
WHERE site.name = coalesce(%(site)s, site.name) AND sample.node_id BETWEEN %(first)s AND %(last)s
GROUP BY site.name, node.id, layout.id ORDER BY site.name, node.id, layout.id
"""
_VARYING = tuple(name for name in (*COUNTERS, "outcome") if name not in ALWAYS)
_GROUPS = f"""
SELECT sample.node_id, layout.ports[%(low)s:%(high)s], array_agg((extract(epoch FROM ts) * 1000000)::int8),
    array_agg(duration_ns), array_agg(shift_ns),
    {", ".join(f"array_agg({name}{{slice}}) FILTER (WHERE {name} IS NOT NULL)" for name in (*COUNTERS, "outcome"))}
FROM {{table}} AS sample JOIN telemetry_portlayout AS layout ON layout.id = sample.layout_id
WHERE sample.node_id = ANY(%(nodes)s) AND cardinality(sample.in_octets) >= %(low)s
GROUP BY sample.node_id, layout.id, {", ".join(f"{name} IS NULL" for name in _VARYING)}
ORDER BY 1
"""
_TOTALS = f"""
SELECT count(*), {", ".join(f"coalesce(sum({name}) FILTER (WHERE {name} >= 0), 0)::text" for name in TOTALLED)}
FROM (
    SELECT {", ".join(f"unnest({name}) AS {name}" for name in (*COUNTERS, "outcome"))}, duration_ns
    FROM {{table}} WHERE node_id = ANY(%(nodes)s) AND layout_id = ANY(%(layouts)s)
) AS sample
"""
_PORTS = """
SELECT node.id, used.port, node.name, port.name, fabric.name, nullif(state.speed, 0)
FROM (SELECT DISTINCT node_id, unnest(ports) AS port FROM telemetry_portlayout WHERE id = ANY(%(layouts)s)) AS used
JOIN inventory_node AS node ON node.id = used.node_id
LEFT JOIN inventory_port AS port ON port.id = used.port
LEFT JOIN inventory_fabric AS fabric ON fabric.id = port.fabric_id
LEFT JOIN telemetry_portstate AS state ON state.port_id = port.id
ORDER BY node.id, used.port
"""


@dataclass(frozen=True, slots=True)
class SourceCount:
    """Rows of one layout of one node in the partition."""

    site: str
    node: int
    layout: int
    width: int
    """Number of ports."""
    rows: int

    @property
    def port_rows(self) -> int:
        return self.rows * self.width


@dataclass(frozen=True, slots=True)
class SampleGroup:
    """Samples of one node with one set of ports, in no order; arrays of n rows or of n rows x p ports."""

    node: int
    ports: Integers
    ends_us: Integers
    durations_ns: Integers
    shifts_ns: Integers
    metrics: Mapping[str, Integers | None]
    """Columns of COUNTERS and `outcome`; None: NULL in all rows."""


class _ArrayLoader(Loader):
    """An int8[] or int2[] as a numpy array of its dimensions (array_send in PostgreSQL's arrayfuncs.c)."""

    format = Format.BINARY

    def load(self, data: Any) -> Integers:
        dimensions, has_nulls, _ = np.frombuffer(data, ">i4", 3).tolist()
        oid, kind = _ARRAY_TYPES[self.oid]
        if has_nulls:
            raise ValueError(f"an array of type {oid} has NULL items")
        lengths = np.frombuffer(data, ">i4", 2 * dimensions, 12)[::2]
        items = np.frombuffer(data, [("length", ">i4"), ("value", kind)], offset=12 + 8 * dimensions)
        return items["value"].astype(np.int64).reshape(lengths)


def table_of(day: date) -> str:
    """The partition's name."""
    return f"telemetry_samples_{day:%Y%m%d}"


def limit_statements() -> None:
    """Limit the statements of this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = '{STATEMENT_S}s'")
        cursor.execute("SET LOCAL lock_timeout = '5s'")


def source_counts(
    day: date, site: str | None = None, first: int = 0, last: int = 2**62
) -> list[SourceCount]:
    """Rows by node and layout, ordered by site and node; rows without a layout are left out."""
    statement = _COUNTS.format(table=table_of(day))
    return [
        SourceCount(*row) for row in fetch_rows(statement, {"site": site, "first": first, "last": last})
    ]


def row_count(day: date) -> int:
    """All rows of the partition."""
    ((rows,),) = fetch_rows(f"SELECT count(*) FROM {table_of(day)}", [])  # noqa: S608 - a date
    return int(rows)


def totals(day: date, counts: list[SourceCount]) -> tuple[int, dict[str, int]]:
    """Port rows, and the sum of each column of TOTALLED, without missing values."""
    known = {
        "nodes": sorted({count.node for count in counts}),
        "layouts": sorted({count.layout for count in counts}),
    }
    ((rows, *sums),) = fetch_rows(_TOTALS.format(table=table_of(day)), known)
    return int(rows), dict(zip(TOTALLED, map(int, sums), strict=True))


def port_names(counts: list[SourceCount]) -> list[tuple[Any, ...]]:
    """Rows of schema.PORT_SCHEMA for the ports of these layouts."""
    return fetch_rows(_PORTS, {"layouts": sorted({count.layout for count in counts})})


def sample_groups(day: date, counts: list[SourceCount]) -> Iterator[list[SampleGroup]]:
    """The samples, in batches of about a row group: whole nodes, or slices of the ports of a large one."""
    with psycopg.Cursor(connection.connection) as cursor:
        for oid in _ARRAY_TYPES:
            cursor.adapters.register_loader(oid, _ArrayLoader)
        for nodes in _batches(counts):
            rows = sum(count.rows for count in nodes)
            width = max((count.width for count in nodes), default=0)
            step = width if rows * width <= SLICE_VALUES else max(1, SLICE_VALUES // rows)
            for low in range(1, width + 1, step):
                yield _read_groups(cursor, day, nodes, low, low + step - 1 if step < width else None)


def _batches(counts: list[SourceCount]) -> Iterator[list[SourceCount]]:
    """Whole nodes in order, at most GROUP_ROWS port rows unless one node has more."""
    batch: list[SourceCount] = []
    size = 0
    for count in counts:
        if batch and size + count.port_rows > GROUP_ROWS and count.node != batch[-1].node:
            yield batch
            batch, size = [], 0
        batch.append(count)
        size += count.port_rows
    if batch:
        yield batch


def _read_groups(
    cursor: psycopg.Cursor[Any], day: date, counts: list[SourceCount], low: int, high: int | None
) -> list[SampleGroup]:
    """Slots `low` to `high` of all ports; `high` None: all of them, without copying each array."""
    piece = "" if high is None else "[%(low)s:%(high)s]"
    known = {"nodes": sorted({count.node for count in counts}), "low": low, "high": high or 2**30}
    cursor.execute(_GROUPS.format(table=table_of(day), slice=piece).encode(), known, binary=True)
    return [_group(row) for row in cursor.fetchall()]


def _group(row: tuple[Any, ...]) -> SampleGroup:
    node, ports, ends, durations, shifts, *metrics = row
    named = dict(zip((*COUNTERS, "outcome"), metrics, strict=True))
    for name, values in named.items():
        if values is not None and values.shape != (len(ends), len(ports)):
            raise ValueError(f"node {node}: {name} has {values.shape[1]} values for {len(ports)} ports")
    return SampleGroup(node, ports, ends, durations, shifts, named)
