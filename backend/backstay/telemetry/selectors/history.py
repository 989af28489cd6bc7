"""One port's history over any range: samples where they are needed and stored, roll-ups elsewhere.

`core.rollups.levels.segments` chooses the levels. A bin of a roll-up is read as a sample of its width, so
that all levels are drawn by the same function. Samples are those of the database and of the archive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np
from django.conf import settings

from backstay.core.model.history import (
    P95_BIN_S,
    Bins,
    Floats,
    HistoryGap,
    PortHistory,
    Samples,
    Weighted,
    five_minute_means,
    in_bins,
    nearest_rank,
)
from backstay.core.model.topology import Port
from backstay.core.rollups.baselines import WEEK_S, Baseline, HourlyLoads, baseline, read_from
from backstay.core.rollups.levels import (
    DAY_S,
    FINE,
    HOURLY,
    DeviceMark,
    LevelSegment,
    Source,
    coarsest,
    segments,
    sources,
    step_of,
)
from backstay.inventory.sql import fetch_rows
from backstay.telemetry.rollup_models import RollupMark
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.rollups.store import moment
from backstay.telemetry.selectors.port_samples import joined, samples, samples_since
from backstay.telemetry.selectors.rollup_reads import PortRows, port_rows

_COUNTS = """
    SELECT port.id, count(*) FROM inventory_port AS port
    JOIN telemetry_samples AS sample ON sample.node_id = port.node_id
    JOIN telemetry_portlayout AS layout ON layout.id = sample.layout_id AND port.id = ANY(layout.ports)
    WHERE port.id = ANY(%s) AND sample.ts > %s AND sample.ts <= %s
    GROUP BY port.id
"""
_ROLLED_COUNTS = """
    SELECT port.id, sum((SELECT sum(number) FROM unnest(past.samples) AS number))
    FROM inventory_port AS port
    JOIN telemetry_rollup_{level} AS past ON past.node_id = port.node_id
    JOIN telemetry_portlayout AS layout ON layout.id = past.layout_id AND port.id = ANY(layout.ports)
    WHERE port.id = ANY(%s) AND past.at >= %s AND past.at < %s
    GROUP BY port.id
"""
COUNTED_SAMPLES, COUNTED_HOURS = timedelta(hours=6), timedelta(days=4)
"""Longest ranges of which samples, and rows of an hour, are counted to compare two ports."""


def port_history(
    port: Port,
    start: datetime,
    end: datetime,
    *,
    points: int,
    interval_s: float,
    stored: Sequence[Source] | None = None,
) -> PortHistory:
    """The port's history in at most `points` + 1 bins (they are aligned, so both edges may be cut).

    Fewer bins if the samples of a part are not stored any more: all bins have the width of its roll-ups, at
    least. `stored`: `stored_sources`, if known.
    """
    since, until = start.timestamp(), end.timestamp()
    stored = stored_sources(port) if stored is None else stored
    found = segments(stored, since, until, points, interval_s)
    step = step_of(found, since, until, points, interval_s)
    parts = [_part(port, segment, interval_s, is_first=segment is found[0]) for segment in found]
    bins = in_bins(joined([part.samples for part in parts]), since, until, step)
    fine = next((source for source in stored if source.name == FINE.name), None)
    means = [item for part in parts for item in _means(port, fine, part)]
    inward, outward = (_joined_means(means, direction) for direction in (0, 1))
    return PortHistory(
        bins=replace(
            bins,
            inward=replace(bins.inward, p95=nearest_rank(*inward)),
            outward=replace(bins.outward, p95=nearest_rank(*outward)),
            resets=[at for at in bins.resets if at <= until],
        ),
        level=coarsest(found),
        is_p95_exact=all(item.is_exact for item in means),
        five_minutes=(inward, outward),
        gaps=tuple(gap for part in parts for gap in part.gaps),
    )


def port_baselines(port: Port, bins: Bins) -> tuple[Baseline, Baseline]:
    """Usual load of a chart's bins by the hour of the week, in and out. One query."""
    starts: Floats = np.asarray(bins.at, np.float64)
    end = starts[-1] + bins.step_s - WEEK_S
    rows = port_rows(port, HOURLY.name, read_from(starts[0]), end, only_means=True)
    inward, outward = (
        baseline(HourlyLoads(rows.at, octets, seconds), starts, bins.step_s)
        for octets, seconds in zip(rows.octets, rows.seconds, strict=True)
    )
    return inward, outward


def best_measured(port_ids: list[int], start: datetime, end: datetime) -> int:
    """The port with the most samples in the range; the first if none has any."""
    counts: dict[int, int] = {}
    if end - start > COUNTED_SAMPLES:
        is_long = end - start > COUNTED_HOURS
        statement = _ROLLED_COUNTS.format(level="1h" if is_long else "5m")
        first = moment(start.timestamp() // DAY_S * DAY_S) if is_long else start
        counts = dict(fetch_rows(statement, [port_ids, first, end]))
    if not counts:
        counts = dict(fetch_rows(_COUNTS, [port_ids, start, end]))
    return max(port_ids, key=lambda port: counts.get(port, 0))


def stored_sources(port: Port) -> list[Source]:
    """What is stored of the port's device, from samples, also archived ones, to the coarsest level."""
    mark = RollupMark.objects.select_related("node__site").filter(node=port.node_id).first()
    if mark is None:
        return sources(float("-inf"), None, {})
    stored = samples_since(port).timestamp()
    known = DeviceMark(mark.since.timestamp(), mark.fine_until.timestamp(), mark.coarse_until.timestamp())
    # Samples from before the mark are rolled up by no level, and only the archive has them.
    since = stored if stored < known.since and settings.ARCHIVE else max(stored, known.since)
    return sources(since, known, rollup_partitions.kept_at(mark.node.site.retention))


@dataclass(frozen=True, slots=True)
class _Part:
    segment: LevelSegment
    samples: Samples
    rows: PortRows | None
    """None: it is read from samples."""
    gaps: Sequence[HistoryGap] = ()


def _part(port: Port, segment: LevelSegment, interval_s: float, *, is_first: bool) -> _Part:
    width = segment.source.width_s
    if not width:
        found, gaps = samples(port, moment(segment.start), moment(segment.end), interval_s)
        return _Part(segment, found if is_first else _from(found, segment.start), None, gaps)
    # Bins are whole: one that the range begins in is read as well.
    rows = port_rows(port, segment.source.name, segment.start // width * width, segment.end)
    return _Part(segment, rows.as_samples(), rows)


def _from(samples: Samples, start: float) -> Samples:
    """The part of each sample after `start`, up to which roll-ups contain it."""
    after = np.minimum(samples.seconds, samples.end - start)
    share = after / samples.seconds
    return replace(
        samples, seconds=after, in_octets=samples.in_octets * share, out_octets=samples.out_octets * share
    )


@dataclass(frozen=True, slots=True)
class _Means:
    """5-minute means of both directions with their weights, or estimates of them."""

    values: Sequence[tuple[Floats, Floats]]
    is_exact: bool


def _joined_means(parts: Sequence[_Means], at: int) -> Weighted:
    """One direction's 5-minute means with their weights."""
    found = [part.values[at] for part in parts]
    if not found:
        return np.empty(0), np.empty(0)
    return np.concatenate([values for values, _ in found]), np.concatenate([weights for _, weights in found])


def _means(port: Port, fine: Source | None, part: _Part) -> list[_Means]:
    """Of one segment; estimates for the time of which no 5-minute bins are stored."""
    segment = part.segment
    if part.rows is None:
        samples, around = part.samples, (segment.start, segment.end)
        found = [
            five_minute_means(samples.end, samples.seconds, octets, around)
            for octets in (samples.in_octets, samples.out_octets)
        ]
        return [_Means([(values, np.ones(len(values))) for values in found], is_exact=True)]
    if segment.source.name == FINE.name or fine is None:
        return [_Means(part.rows.five_minutes(), is_exact=True)]
    low = max(segment.start // P95_BIN_S * P95_BIN_S, fine.since)
    older = _Means(part.rows.before(low).estimates(), is_exact=fine.since <= segment.start)
    if low >= segment.end:
        return [older]
    newer = port_rows(port, FINE.name, low, segment.end, only_means=True)
    return [older, _Means(newer.five_minutes(), is_exact=True)]
