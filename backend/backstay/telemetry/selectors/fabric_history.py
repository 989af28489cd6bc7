"""A fabric's traffic over any range: the sum of its ports, device by device.

As `history`, but the newest part only is read from samples: those of hundreds of devices are many. A bin of
a roll-up is read as a sample of its width that all of the device's ports of the fabric share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Min
from numpy.typing import NDArray

from backstay.core.model.history import Floats, bin_edges, mean_rates, rounded
from backstay.core.rollups.levels import (
    LEVELS,
    LONGEST_S,
    DeviceMark,
    LevelSegment,
    Source,
    SourceName,
    coarsest,
    segments,
    sources,
    step_of,
)
from backstay.inventory.models import Fabric, Port
from backstay.telemetry.models import PortLayout
from backstay.telemetry.rollup_models import RollupMark
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.rollups.arrays import Field, decoded, fetch_columns, integers, length
from backstay.telemetry.rollups.store import moment

MOST_VALUES = 600 * 500
"""Bins times ports of one chart: a larger fabric has fewer bins, but at least `LEAST_POINTS`."""
LEAST_POINTS = 60
LONGEST_OF_SAMPLES_S = 86_400.0
"""At most so much of a range is read from samples, should roll-ups be late."""
_SAMPLES = """
    SELECT node_id, layout_id, (extract(epoch FROM ts) * 1000000)::bigint, duration_ns, in_octets, out_octets
    FROM telemetry_samples
    WHERE node_id = ANY (%(nodes)s) AND ts > %(start)s AND ts <= %(last)s
      AND ts < %(end)s + duration_ns / 1000.0 * interval '1 microsecond'
    ORDER BY node_id, ts
"""
_ROWS = """
    SELECT node_id, layout_id, (extract(epoch FROM at) * 1000000)::bigint, seconds, in_octets, out_octets
    FROM {table}
    WHERE node_id = ANY (%(nodes)s) AND at >= %(start)s AND at < %(end)s
    ORDER BY node_id, at
"""


@dataclass(frozen=True, slots=True)
class FabricHistory:
    """Parallel lists, an entry per bin; None: no device was observed."""

    at: list[float]
    """Starts, Unix seconds."""
    step_s: float
    in_mean: list[int | None]
    """Sum of what the fabric's ports received, bit/s."""
    out_mean: list[int | None]
    devices: list[int]
    """Devices with a value; the sums are without the others."""
    devices_total: int
    level: SourceName
    coverage: float
    """Observed fraction of the range, the mean of all devices."""


def fabric_history(
    fabric: Fabric, start: datetime, end: datetime, *, points: int, interval_s: float
) -> FabricHistory:
    """The fabric's traffic in at most `points` + 1 bins, a handful of queries for any number of ports."""
    since, until = start.timestamp(), end.timestamp()
    node_of = dict(Port.objects.filter(fabric=fabric).values_list("pk", "node_id"))
    ports, nodes = set(node_of), sorted(set(node_of.values()))
    points = min(points, max(MOST_VALUES // max(len(ports), 1), LEAST_POINTS))
    found = segments(_sources(fabric, nodes, until), since, until, points, interval_s)
    step = step_of(found, since, until, points, interval_s)
    slots = _slots(nodes, ports)
    parts: dict[int, list[_Part]] = {node: [] for node in nodes}
    for segment in found:
        for node, part in _read(nodes, slots, segment):
            parts[node].append(part)
    edges = bin_edges(since, until, step)
    rates = np.full((len(nodes), 2, len(edges) - 1), np.nan)
    observed_s = 0.0
    for number, of_device in enumerate(parts.values()):
        part = _joined(of_device)
        rates[number] = [
            mean_rates(part.end, part.seconds, octets, edges, (since, until)) for octets in part.octets
        ]
        inside = np.clip(part.end, since, until) - np.clip(part.end - part.seconds, since, until)
        observed_s += min(float(inside.sum()), until - since)
    known = ~np.isnan(rates[:, 0])
    sums = np.where(known.any(axis=0), np.nansum(rates, axis=0), np.nan)
    return FabricHistory(
        at=[round(at, 6) for at in edges[:-1].tolist()],
        step_s=step,
        in_mean=rounded(sums[0]),
        out_mean=rounded(sums[1]),
        devices=known.sum(axis=0).tolist(),
        devices_total=len(nodes),
        level=coarsest(found),
        coverage=round(observed_s / max(len(nodes), 1) / (until - since), 4),
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """Of one device in one segment: ends and lengths, s, and octets of the fabric's ports, in and out."""

    end: Floats
    seconds: Floats
    octets: Floats
    """(2, rows)"""


def _sources(fabric: Fabric, nodes: Collection[int], until: float) -> list[Source]:
    """What is stored of all devices: samples from where the first device's roll-ups end."""
    oldest = until - LONGEST_OF_SAMPLES_S
    marks = RollupMark.objects.filter(node__in=nodes).aggregate(
        since=Min("since"), fine=Min("fine_until"), coarse=Min("coarse_until")
    )
    if marks["since"] is None:
        return sources(oldest, None, {})
    mark = DeviceMark(*(marks[name].timestamp() for name in ("since", "fine", "coarse")))
    return sources(max(mark.fine_until, oldest), mark, rollup_partitions.kept_at(fabric.site.retention))


def _slots(nodes: Collection[int], ports: set[int]) -> Mapping[int, NDArray[np.bool_]]:
    """Layout -> which of its slots are ports of the fabric."""
    layouts = PortLayout.objects.filter(node__in=nodes).values_list("pk", "ports")
    return {pk: np.array([port in ports for port in of], np.bool_) for pk, of in layouts}


def _read(
    nodes: Collection[int], slots: Mapping[int, NDArray[np.bool_]], segment: LevelSegment
) -> Iterable[tuple[int, _Part]]:
    level = next((level for level in LEVELS if level.name == segment.source.name), None)
    values: dict[str, Any] = {"nodes": list(nodes), "end": moment(segment.end)}
    if level is None:
        values |= {"start": moment(segment.start), "last": moment(segment.end + LONGEST_S)}
        columns = fetch_columns(_SAMPLES, values)
    else:
        values["start"] = moment(segment.start // level.row_s * level.row_s)
        columns = fetch_columns(_ROWS.format(table=level.table), values)
    yield from _parts(columns, slots, segment, level.bins if level else 1, level.width_s if level else 0)


def _parts(
    columns: list[list[Field]],
    slots: Mapping[int, NDArray[np.bool_]],
    segment: LevelSegment,
    bins: int,
    width_s: int,
) -> Iterable[tuple[int, _Part]]:
    """Rows by device; `width_s` 0: they are samples, whose time is their end."""
    if not columns[0]:
        return
    node, layout = integers(columns[0]), integers(columns[1])
    octets = _octets(columns[4:6], layout, slots, bins)
    at = integers(columns[2]) / 1e6
    if width_s:
        ends = at[:, None] + width_s * np.arange(1, bins + 1)
        seconds = np.minimum(decoded(columns[3], bins, "double", 0), width_s)
    else:
        ends, seconds = at[:, None], integers(columns[3])[:, None] / 1e9
        # Up to the segment's start, roll-ups contain the sample.
        inside = np.minimum(seconds, ends - segment.start)
        octets, seconds = octets * (inside / seconds), inside
    first = np.flatnonzero(np.diff(node, prepend=-1))
    for start, stop in zip(first, [*first[1:], len(node)], strict=True):
        end, length_s = ends[start:stop].ravel(), seconds[start:stop].ravel()
        kept = (length_s > 0) & (end > segment.start)
        if width_s:
            kept &= end - width_s < segment.end
        of_device = octets[:, start:stop].reshape(2, -1)
        yield int(node[start]), _Part(end[kept], length_s[kept], of_device[:, kept])


def _octets(
    columns: list[list[Field]],
    layout: NDArray[np.int64],
    slots: Mapping[int, NDArray[np.bool_]],
    bins: int,
) -> Floats:
    """Of the fabric's ports: (2, rows, bins); a layout at a time, since their sizes differ."""
    found = np.zeros((2, len(layout), bins))
    for one in np.unique(layout):
        rows = np.flatnonzero(layout == one)
        mask = slots.get(int(one))
        if mask is None or not mask.any():
            continue
        for direction, column in enumerate(columns):
            fields = [column[row] for row in rows]
            width = max(map(length, fields))
            if width != len(mask):
                continue
            values = decoded(fields, width * bins, "int8", 0).reshape(len(rows), width, bins)
            found[direction, rows] = np.maximum(values[:, mask], 0).sum(axis=1)
    return found


def _joined(parts: Collection[_Part]) -> _Part:
    """One device's parts, ascending; rows of several layouts, each of a part of a bin, are added up."""
    ends = np.concatenate([np.empty(0), *(part.end for part in parts)])
    end, index = np.unique(ends, return_inverse=True)
    seconds, octets = np.zeros(len(end)), np.zeros((2, len(end)))
    if parts:
        np.add.at(seconds, index, np.concatenate([part.seconds for part in parts]))
        np.add.at(octets.T, index, np.concatenate([part.octets for part in parts], axis=1).T)
    return _Part(end, seconds, octets)
