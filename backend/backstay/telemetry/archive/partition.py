"""What the archive reads of one day's partition: counts, sample arrays, sums, names of ports.

Each query reads the nodes of one part or of one row group. PostgreSQL sends the rows of a device as one array
a metric, which numpy takes without a Python object per value.
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
from backstay.telemetry.ingest.copybinary import POSTGRES_EPOCH_US
from backstay.telemetry.ingest.store import ALWAYS

Integers = NDArray[np.int64]
STATEMENT_S = 120
"""Longest statement of an archive run, seconds."""
SLICE_VALUES = 2_000_000
"""Most values of one metric in one reply, 24 MB; a larger device is read by slices of its ports."""
METRIC_COLUMNS = (*COUNTERS, "outcome")
"""Columns of arrays."""
_ITEM_TYPES = {1016: ">i8", 1185: ">i8", 1005: ">i2"}
"""Oid of int8[], timestamptz[] (microseconds since 2000), int2[] (pg_type.dat) -> numpy type of an item."""

_COUNTS = """
SELECT site.name, node.id, layout.id, cardinality(layout.ports), count(*)
FROM {table} AS sample
JOIN telemetry_portlayout AS layout ON layout.id = sample.layout_id
JOIN inventory_node AS node ON node.id = sample.node_id
JOIN inventory_site AS site ON site.id = node.site_id
WHERE site.name = coalesce(%(site)s, site.name) AND sample.node_id BETWEEN %(first)s AND %(last)s
GROUP BY site.name, node.id, layout.id ORDER BY site.name, node.id, layout.id
"""
_PRESENT = f"""
SELECT count(*), coalesce(sum(cardinality(in_octets)), 0),
    coalesce(sum(duration_ns::numeric * cardinality(in_octets)), 0),
    {", ".join(f"coalesce(bool_or({name} IS NOT NULL), false)" for name in METRIC_COLUMNS)}
FROM {{table}} WHERE node_id = ANY(%(nodes)s) AND layout_id = ANY(%(layouts)s)
"""  # noqa: S608 - only constants of this module are put in
_GROUPS = """
SELECT sample.node_id, layout.ports[%(low)s:%(high)s], array_agg(ts), array_agg(duration_ns),
    array_agg(shift_ns){arrays}
FROM {table} AS sample JOIN telemetry_portlayout AS layout ON layout.id = sample.layout_id
WHERE sample.node_id = ANY(%(nodes)s) AND cardinality(sample.in_octets) >= %(low)s
GROUP BY sample.node_id, layout.id{nulls} ORDER BY 1
"""
_TOTALS = """
SELECT {sums} FROM (
    SELECT {items} FROM {table} WHERE node_id = ANY(%(nodes)s) AND layout_id = ANY(%(layouts)s)
) AS sample
"""
_PORTS = """
SELECT node.id, used.port, node.name, port.name, fabric.name, nullif(state.speed, 0)
FROM (
    SELECT DISTINCT node_id, unnest(ports) AS port FROM telemetry_portlayout
    WHERE node_id BETWEEN %(first)s AND %(last)s
) AS used
JOIN inventory_node AS node ON node.id = used.node_id
JOIN inventory_site AS site ON site.id = node.site_id AND site.name = %(site)s
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
    """METRIC_COLUMNS; None: NULL in all rows."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a part is made from."""

    day: date
    counts: list[SourceCount]
    rows: int
    """Rows of the partition."""
    port_rows: int
    port_durations_ns: int
    """Sum over the port rows."""
    present: tuple[str, ...]
    """METRIC_COLUMNS that are not NULL in all rows; the others are neither read nor added up."""


class _ArrayLoader(Loader):
    """An array of integers as a numpy array of its dimensions (array_send in PostgreSQL's arrayfuncs.c)."""

    format = Format.BINARY

    def load(self, data: Any) -> Integers:
        dimensions, has_nulls, _ = np.frombuffer(data, ">i4", 3).tolist()
        if has_nulls:
            raise ValueError("an array has NULL items")
        lengths = np.frombuffer(data, ">i4", 2 * dimensions, 12)[::2]
        items = np.frombuffer(
            data, [("length", ">i4"), ("value", _ITEM_TYPES[self.oid])], offset=12 + 8 * dimensions
        )
        return items["value"].astype(np.int64).reshape(lengths)


def table_of(day: date) -> str:
    """The partition's name."""
    return f"telemetry_samples_{day:%Y%m%d}"


def limit_statements() -> None:
    """Limit the statements of this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = '{STATEMENT_S}s'")
        cursor.execute("SET LOCAL lock_timeout = '5s'")


def source_counts(day: date, site: str | None = None, first: int = 0, last: int = 2**62) -> list[SourceCount]:
    """Rows by node and layout, ordered by site and node; rows without a layout are left out."""
    statement = _COUNTS.format(table=table_of(day))
    return [SourceCount(*row) for row in fetch_rows(statement, {"site": site, "first": first, "last": last})]


def row_count(day: date) -> int:
    """All rows of the partition."""
    ((rows,),) = fetch_rows(f"SELECT count(*) FROM {table_of(day)}", [])  # noqa: S608 - a date
    return int(rows)


def source(day: date, counts: list[SourceCount]) -> Source:
    """What is common to the queries of a part."""
    ((rows, port_rows, durations, *present),) = fetch_rows(
        _PRESENT.format(table=table_of(day)), _keys(counts)
    )
    names = tuple(name for name, found in zip(METRIC_COLUMNS, present, strict=True) if found)
    return Source(day, counts, int(rows), int(port_rows), int(durations), names)


def totals(of: Source) -> dict[str, int]:
    """The sum of each column of TOTALLED, without missing values, by PostgreSQL."""
    known = dict.fromkeys(TOTALLED, 0) | {"duration_ns": of.port_durations_ns}
    if of.present:
        sums = ", ".join(f"coalesce(sum({name}) FILTER (WHERE {name} >= 0), 0)" for name in of.present)
        items = ", ".join(f"unnest({name}) AS {name}" for name in of.present)
        statement = _TOTALS.format(sums=sums, items=items, table=table_of(of.day))
        (row,) = fetch_rows(statement, _keys(of.counts))
        known |= dict(zip(of.present, map(int, row), strict=True))
    return known


def _keys(counts: list[SourceCount]) -> dict[str, list[int]]:
    return {
        "nodes": sorted({count.node for count in counts}),
        "layouts": sorted({count.layout for count in counts}),
    }


def port_names(site: str, first: int, last: int) -> list[tuple[Any, ...]]:
    """Rows of schema.PORT_SCHEMA for all ports that a site's nodes from `first` to `last` have reported."""
    return fetch_rows(_PORTS, {"site": site, "first": first, "last": last})


def sample_groups(of: Source) -> Iterator[list[SampleGroup]]:
    """The samples, in batches of about a row group: whole nodes, or slices of the ports of a large one."""
    with psycopg.Cursor(connection.connection) as cursor:
        for oid in _ITEM_TYPES:
            cursor.adapters.register_loader(oid, _ArrayLoader)
        for nodes in _batches(of.counts):
            rows = sum(count.rows for count in nodes)
            width = max((count.width for count in nodes), default=0)
            step = width if rows * width <= SLICE_VALUES else max(1, SLICE_VALUES // rows)
            for low in range(1, width + 1, step):
                yield _read_groups(cursor, of, nodes, low, low + step - 1 if step < width else None)


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
    cursor: psycopg.Cursor[Any], of: Source, counts: list[SourceCount], low: int, high: int | None
) -> list[SampleGroup]:
    """Slots `low` to `high` of all ports; `high` None: all of them, without copying each array."""
    piece = "" if high is None else "[%(low)s:%(high)s]"
    varying = [name for name in of.present if name not in ALWAYS]
    statement = _GROUPS.format(
        table=table_of(of.day),
        arrays="".join(
            f", array_agg({name}{piece}) FILTER (WHERE {name} IS NOT NULL)" for name in of.present
        ),
        nulls="".join(f", {name} IS NULL" for name in varying),
    )
    known = {"nodes": sorted({count.node for count in counts}), "low": low, "high": high or 2**30}
    cursor.execute(statement.encode(), known, binary=True)
    return [_group(row, of.present) for row in cursor.fetchall()]


def _group(row: tuple[Any, ...], present: tuple[str, ...]) -> SampleGroup:
    node, ports, ends, durations, shifts, *metrics = row
    named = dict.fromkeys(METRIC_COLUMNS) | dict(zip(present, metrics, strict=True))
    for name, values in named.items():
        if values is not None and values.shape != (len(ends), len(ports)):
            raise ValueError(f"node {node}: {name} has {values.shape[1]} values for {len(ports)} ports")
    return SampleGroup(node, ports, ends + POSTGRES_EPOCH_US, durations, shifts, named)
