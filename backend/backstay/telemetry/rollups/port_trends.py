"""Mean rates of many ports in the same bins, for trends in tables: two statements a level for any number.

Sources and rules are those of one port's chart (`selectors.history`), without peaks and without the archive.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db.models import Min
from numpy.typing import NDArray

from backstay.core.model.history import Floats, bin_edges, mean_rates, rounded
from backstay.core.rollups.levels import (
    LEVELS,
    LONGEST_S,
    DeviceMark,
    Level,
    LevelSegment,
    Source,
    SourceName,
    coarsest,
    segments,
    sources,
    step_of,
)
from backstay.inventory.models import Port, Site
from backstay.telemetry import partitions
from backstay.telemetry.rollup_models import RollupMark
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.rollups.arrays import Kind, decoded, fetch_columns, integers, length
from backstay.telemetry.rollups.store import moment

MOST_SAMPLES = 100_000
"""Samples of all ports of one response; older ones are read from roll-ups where these exist."""
_SLOTS = """
    WITH slot AS (
        SELECT port.id AS port_id, layout.node_id, layout.id AS layout_id,
               array_position(layout.ports, port.id) AS place
        FROM inventory_port AS port
        JOIN telemetry_portlayout AS layout
          ON layout.node_id = port.node_id AND layout.ports @> ARRAY[port.id]
        WHERE port.id = ANY(%(ports)s)
    )
"""
_SAMPLES = f"""
    {_SLOTS}
    SELECT array_agg(slot.port_id), array_agg(extract(epoch FROM sample.ts)::float8),
           array_agg(sample.duration_ns / 1e9::float8),
           array_agg(sample.in_octets[place]), array_agg(sample.out_octets[place])
    FROM slot JOIN telemetry_samples AS sample
      ON sample.node_id = slot.node_id AND sample.layout_id = slot.layout_id
    WHERE sample.ts > %(start)s AND sample.ts <= %(last)s
      AND sample.ts < %(end)s + sample.duration_ns / 1000.0 * interval '1 microsecond'
"""  # noqa: S608 - constants are put in
_ROLLED = """
    {slots}
    SELECT slot.port_id, (extract(epoch FROM past.at) * 1000000)::bigint, past.seconds,
           past.in_missing[place:place], past.out_missing[place:place],
           past.in_octets[place:place], past.out_octets[place:place]
    FROM slot JOIN {table} AS past ON past.node_id = slot.node_id AND past.layout_id = slot.layout_id
    WHERE past.at >= %(start)s AND past.at < %(end)s
"""
_SAMPLE_KINDS: Sequence[Kind] = ("int8", "double", "double", "int8", "int8")


@dataclass(frozen=True, slots=True)
class PortTrend:
    """Mean rates of one port, bit/s, an entry per bin; None is a gap."""

    port_id: int
    in_mean: list[int | None]
    out_mean: list[int | None]


@dataclass(frozen=True, slots=True)
class PortTrends:
    """Trends of several ports in the same bins."""

    at: list[float]
    """Starts, Unix seconds."""
    step_s: float
    level: SourceName
    ports: list[PortTrend]


@dataclass(frozen=True, slots=True)
class _Intervals:
    """Of all ports; of in and out: shape (2, intervals)."""

    port: NDArray[np.int64]
    end: Floats
    seconds: Floats
    """Observed."""
    octets: Floats
    """NaN: unknown."""

    def where(self, kept: NDArray[np.bool_]) -> _Intervals:
        """Those with True."""
        return _Intervals(self.port[kept], self.end[kept], self.seconds[:, kept], self.octets[:, kept])


def port_trends(
    site: Site, port_ids: Collection[int], start: datetime, end: datetime, *, points: int
) -> PortTrends:
    """Trends of those of the ports that are of the site, in at most `points` + 1 bins, ascending by id."""
    nodes = dict(Port.objects.filter(node__site=site, pk__in=port_ids).values_list("pk", "node_id"))
    since, until, interval_s = start.timestamp(), end.timestamp(), site.interval_s
    known = _sources(site, nodes, until)
    found = segments(known, since, until, points, interval_s)
    step = step_of(found, since, until, points, interval_s)
    edges = bin_edges(since, until, step)
    of_all = _joined([_read(sorted(nodes), segment) for segment in found])
    return PortTrends(
        at=[round(at, 6) for at in edges[:-1].tolist()],
        step_s=step,
        level=coarsest(found),
        ports=[_trend(port, of_all, edges, (since, until)) for port in sorted(nodes)],
    )


def _sources(site: Site, nodes: dict[int, int], until: float) -> list[Source]:
    """What is stored of all devices of the ports: port -> device."""
    stored = partitions.stored_from().timestamp()
    affordable_s = MOST_SAMPLES * site.interval_s / max(len(nodes), 1)
    samples_since = max(stored, until - affordable_s)
    marks = RollupMark.objects.filter(node__in=set(nodes.values())).aggregate(
        since=Min("since"), fine=Min("fine_until"), coarse=Min("coarse_until")
    )
    if marks["since"] is None:
        return sources(samples_since, None, {})
    mark = DeviceMark(*(marks[name].timestamp() for name in ("since", "fine", "coarse")))
    # No gap between the roll-ups and the samples, even if roll-ups are late.
    samples_since = max(stored, min(samples_since, mark.fine_until))
    return sources(samples_since, mark, rollup_partitions.kept_at(site.retention))


def _read(ports: Sequence[int], segment: LevelSegment) -> _Intervals:
    level = next((level for level in LEVELS if level.name == segment.source.name), None)
    values: dict[str, Any] = {"ports": list(ports), "end": moment(segment.end)}
    return _samples(values, segment) if level is None else _rolled(values, segment, level)


def _samples(values: dict[str, Any], segment: LevelSegment) -> _Intervals:
    values |= {
        "start": moment(segment.start),
        "last": moment(segment.end) + timedelta(seconds=LONGEST_S),
    }
    columns = fetch_columns(_SAMPLES, values)
    count = length(columns[0][0])
    port, end, seconds, *octets = (
        decoded(column, count, kind, 0)[0] for column, kind in zip(columns, _SAMPLE_KINDS, strict=True)
    )
    # Up to the segment's start, roll-ups contain the sample.
    after = np.minimum(seconds, end - segment.start)
    share = after / np.maximum(seconds, 1e-6)
    grown = np.stack([np.where(one < 0, np.nan, one * share) for one in octets])
    return _Intervals(port.astype(np.int64), end, np.tile(after, (2, 1)), grown)


def _rolled(values: dict[str, Any], segment: LevelSegment, level: Level) -> _Intervals:
    values["start"] = moment(segment.start // level.row_s * level.row_s)
    ports, times, observed, *fields = fetch_columns(_ROLLED.format(slots=_SLOTS, table=level.table), values)
    bins, width = level.bins, level.width_s
    end = (integers(times)[:, None] / 1e6 + width * np.arange(1, bins + 1)).ravel()
    seconds = decoded(observed, bins, "double", 0).ravel()
    missing = np.stack([decoded(column, bins, "real", 0).ravel() for column in fields[:2]])
    octets = np.stack([decoded(column, bins, "int8", 0).ravel() for column in fields[2:]])
    known = np.clip(seconds - missing, 0.0, width)
    port = np.repeat(integers(ports), bins)
    found = _Intervals(port, end, known, np.where(known > 0, octets, np.nan))
    return found.where((end > segment.start) & (end - width < segment.end))


def _joined(parts: Sequence[_Intervals]) -> _Intervals:
    """All intervals, by port and time."""
    nothing = np.empty((2, 0))
    port = np.concatenate([np.empty(0, np.int64), *(part.port for part in parts)])
    end = np.concatenate([np.empty(0), *(part.end for part in parts)])
    seconds = np.concatenate([nothing, *(part.seconds for part in parts)], axis=1)
    octets = np.concatenate([nothing, *(part.octets for part in parts)], axis=1)
    order = np.lexsort((end, port))
    return _Intervals(port[order], end[order], seconds[:, order], octets[:, order])


def _trend(port: int, of_all: _Intervals, edges: Floats, around: tuple[float, float]) -> PortTrend:
    first, last = np.searchsorted(of_all.port, [port, port + 1])
    means = []
    for seconds, octets in zip(of_all.seconds, of_all.octets, strict=True):
        end, own_s, grown = of_all.end[first:last], seconds[first:last], octets[first:last]
        known = ~np.isnan(grown) & (own_s > 0)
        means.append(rounded(mean_rates(end[known], own_s[known], grown[known], edges, around)))
    return PortTrend(port, means[0], means[1])
