"""One metric's history over any range: reports where they are stored and needed, roll-ups elsewhere.

`core.rollups.levels.segments` chooses the levels, as for ports (`selectors.history`). A report counts where
it ends, so that segments join without cutting one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import numpy as np

from backstay.core.model.device_metric import (
    NO_PAST,
    MetricHistory,
    Past,
    five_minute_levels,
    in_bins,
)
from backstay.core.model.history import P95_BIN_S, Floats, exact_rank, five_minute_estimates
from backstay.core.rollups.levels import (
    FINE,
    LEVELS,
    DeviceMark,
    LevelSegment,
    Source,
    coarsest,
    segments,
    sources,
    step_of,
)
from backstay.core.rollups.metric_bins import HELD_S, covered_seconds
from backstay.inventory.sql import fetch_rows
from backstay.telemetry import partitions
from backstay.telemetry.rollup_models import MetricRollupMark
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.rollups.arrays import Kind, decoded, fetch_columns, integers
from backstay.telemetry.rollups.metric_store import KINDS, P95
from backstay.telemetry.rollups.store import moment

_SLOTS = """
    SELECT layout.id, slot.place FROM telemetry_metriclayout AS layout
    CROSS JOIN LATERAL (
        SELECT named.place FROM unnest(layout.subjects, layout.metrics)
            WITH ORDINALITY AS named (subject, metric, place)
        WHERE named.subject = %(subject)s AND named.metric = %(metric)s
    ) AS slot
    WHERE layout.node_id = %(node)s AND (%(collector)s::text IS NULL OR layout.collector = %(collector)s)
"""
_REPORTS = f"""
    SELECT past.layout_id, extract(epoch FROM past.ts)::float8, past.duration_ns / 1e9::float8,
           coalesce(past.numbers[array_position(past.places, slot.place::integer)], 0)
    FROM ({_SLOTS}) AS slot
    JOIN telemetry_metrichistory AS past ON past.layout_id = slot.id
    WHERE past.node_id = %(node)s AND past.ts > %(start)s AND past.ts <= %(end)s
    ORDER BY past.ts LIMIT %(most)s
"""  # noqa: S608 - only a constant of this module is put in
_ROWS = """
    SELECT (extract(epoch FROM past.at) * 1000000)::bigint, past.seconds, past.samples, {columns}
    FROM ({slots}) AS slot
    JOIN {table} AS past ON past.layout_id = slot.id
    CROSS JOIN LATERAL (SELECT array_position(past.places, slot.place::integer) AS number) AS found
    WHERE past.node_id = %(node)s AND past.at >= %(start)s AND past.at < %(end)s
    ORDER BY past.at
"""
MOST_ROWS = 500_000


@dataclass(frozen=True, slots=True)
class MetricKey:
    """One metric of a device; `collector` None: of all that report it."""

    node_id: int
    metric: str
    subject: str
    collector: str | None
    is_growth: bool
    """A counter: the history is its growth per second."""

    def values(self, start: datetime, end: datetime) -> dict[str, Any]:
        """For the statements."""
        return {
            "node": self.node_id,
            "metric": self.metric,
            "subject": self.subject,
            "collector": self.collector,
            "start": start,
            "end": end,
            "most": MOST_ROWS,
        }


def metric_history(
    key: MetricKey, start: datetime, end: datetime, *, points: int, interval_s: float
) -> MetricHistory:
    """The metric's history in at most `points` + 1 bins, across all layouts of its collectors."""
    since, until = start.timestamp(), end.timestamp()
    stored = _sources(key.node_id)
    found = segments(stored, since, until, points, interval_s)
    fine = next((source for source in stored if source.name == FINE.name), None)
    past, means = NO_PAST, []
    for segment in found:
        part, p95 = _part(key, segment)
        past = past.joined(part)
        means += _means(key, segment, part, p95, fine)
    step = step_of(found, since, until, points, interval_s)
    values = np.concatenate([np.empty(0), *(mean.values for mean in means)])
    weights = np.concatenate([np.empty(0), *(mean.weights for mean in means)])
    return MetricHistory(
        in_bins(past, since, until, step, growth=key.is_growth),
        exact_rank(values, weights),
        all(mean.is_exact for mean in means),
        coarsest(found),
    )


def _sources(node_id: int) -> list[Source]:
    mark = MetricRollupMark.objects.select_related("node__site").filter(node=node_id).first()
    if mark is None:
        return sources(float("-inf"), None, {})
    known = DeviceMark(mark.since.timestamp(), mark.fine_until.timestamp(), mark.coarse_until.timestamp())
    since = max(partitions.stored_from().timestamp(), known.since)
    return sources(since, known, rollup_partitions.kept_at(mark.node.site.retention))


def _part(key: MetricKey, segment: LevelSegment) -> tuple[Past, Floats]:
    """The segment's entries, and the p95 of those of coarser bins."""
    width = segment.source.width_s
    if not width:
        return _reports(key, segment.start, segment.end), np.empty(0)
    # Bins are whole: one that the range begins in is read as well.
    return _bins(key, segment.source.name, segment.start // width * width, segment.end)


def _reports(key: MetricKey, start: float, end: float) -> Past:
    """Reports that end after `start`; those shortly before say what the first ones cover."""
    rows = fetch_rows(_REPORTS, key.values(moment(start - HELD_S), moment(end)))
    table = np.array(
        [(layout, at, np.nan if seconds is None else seconds, value) for layout, at, seconds, value in rows],
        dtype=np.float64,
    ).reshape(len(rows), 4)
    at, seconds = table[:, 1], table[:, 2]
    past = Past.of_reports(at, seconds, table[:, 3], growth=key.is_growth)
    order = np.argsort(table[:, 0], kind="stable")
    covered = np.empty(len(rows))
    covered[order] = covered_seconds(table[order, 0].astype(np.int64), at[order], seconds[order])
    covered = np.where(np.isnan(past.values), np.nan, covered)
    inside = at > start
    columns = (at, covered, past.values, past.samples, past.min, past.max)
    return Past(*(column[inside] for column in columns))


def _bins(key: MetricKey, name: str, start: float, end: float) -> tuple[Past, Floats]:
    """Bins of a level that begin in the range; each as an entry at its end."""
    level = next(level for level in LEVELS if level.name == name)
    of_places: Mapping[str, Kind] = KINDS if level is FINE else {**KINDS, **P95}
    kinds: Mapping[str, Kind] = {"seconds": "double", "samples": "int4", **of_places}
    columns = ", ".join(f"past.{column}[found.number:found.number]" for column in of_places)
    statement = _ROWS.format(columns=columns, slots=_SLOTS, table=level.metric_table)
    values = key.values(moment(start // level.row_s * level.row_s), moment(end))
    found = fetch_columns(statement, values)
    bins, ends = level.bins, np.arange(1, level.bins + 1) * level.width_s
    at = (integers(found[0])[:, None] / 1e6 + ends).ravel()
    arrays = {
        name: decoded(column, bins, kinds[name], 0).ravel().astype(np.float64)
        for name, column in zip(kinds, found[1:], strict=True)
    }
    past = _past(key, at, arrays)
    inside = (at - level.width_s >= start) & (at - level.width_s < end) & (arrays["samples"] > 0)
    kept = Past(*(getattr(past, item.name)[inside] for item in fields(Past)))
    return kept, arrays["p95"][inside] if "p95" in arrays else np.empty(0)


def _past(key: MetricKey, at: Floats, arrays: Mapping[str, Floats]) -> Past:
    """Bins as entries; they are unknown if no report had a value."""
    samples, seconds = arrays["samples"] - arrays["unknown"], arrays["seconds"] - arrays["missing"]
    known = (samples > 0) & (seconds > 1e-6)
    total = arrays["total"] if key.is_growth else arrays["total"] / np.maximum(samples, 1)
    values, seconds = np.where(known, total, np.nan), np.where(known, seconds, np.nan)
    return Past(at, seconds, values, samples, arrays["min"], arrays["max"])


@dataclass(frozen=True, slots=True)
class _Means:
    """5-minute means, each counted `weights` times, or estimates of them."""

    values: Floats
    weights: Floats
    is_exact: bool


def _means(
    key: MetricKey, segment: LevelSegment, past: Past, p95: Floats, fine: Source | None
) -> list[_Means]:
    """Of one segment; estimates for the time of which no 5-minute bins are stored."""
    name, width = segment.source.name, segment.source.width_s
    if name in ("samples", FINE.name) or fine is None:
        return [_exact(key, past, segment.start, segment.end)]
    found: list[_Means] = []
    low = max(segment.start // P95_BIN_S * P95_BIN_S, fine.since)
    if fine.since > segment.start:
        is_older = past.at - width < low
        level = past.values / past.seconds if key.is_growth else past.values
        estimates = five_minute_estimates(level[is_older], p95[is_older], width, float("-inf"))
        found.append(_Means(*estimates, is_exact=False))
    if low < segment.end:
        found.append(_exact(key, _bins(key, FINE.name, low, segment.end)[0], low, segment.end))
    return found


def _exact(key: MetricKey, past: Past, start: float, end: float) -> _Means:
    values = five_minute_levels(past, start // P95_BIN_S * P95_BIN_S, end, growth=key.is_growth)
    return _Means(values, np.ones(len(values)), is_exact=True)
