"""What is rolled up: the samples of ports, and the metrics of devices, by one execution."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from backstay.core.rollups.bins import coarse_rows, fine_rows
from backstay.core.rollups.levels import COARSE, DAY_S, FINE, HOUR_S, LEAST_S, LONGEST_S
from backstay.core.rollups.metric_bins import coarse_metric_rows, fine_metric_rows
from backstay.telemetry.rollup_models import MetricRollupMark, RollupMark
from backstay.telemetry.rollups.metric_store import (
    SeriesMetricRows,
    read_fine_metrics,
    read_reports,
    replace_metric_rows,
)
from backstay.telemetry.rollups.store import SeriesRows, read_fine, read_samples, replace_rows


@dataclass(frozen=True, slots=True)
class RollupKind:
    """One kind of roll-ups, for `telemetry.rollups.execution`."""

    marks: type[RollupMark | MetricRollupMark]
    late: str
    """Table of the hours for which something came late."""
    source: str
    """Table of what is rolled up, and the SQL of a time in the first hour that a row of it counts in."""
    begin: str
    rows_per_interval: float
    """About how many of its rows a device has for each of its site's intervals."""
    write_hours: Callable[[Collection[int], float], None]
    """Replace one hour's rows of devices, in the caller's transaction."""
    write_days: Callable[[Collection[int], float], None]
    """Replace one day's rows of the coarser levels from its 5-minute rows, in the caller's transaction."""


def _write_port_hours(nodes: Collection[int], start: float) -> None:
    groups = [
        SeriesRows(series, fine_rows(samples, start, len(series)))
        for series, samples in read_samples(nodes, start, start + HOUR_S)
    ]
    replace_rows(FINE, nodes, start, groups)


def _write_port_days(nodes: Collection[int], start: float) -> None:
    fine = list(read_fine(nodes, start, start + DAY_S))
    for level in COARSE:
        groups = [SeriesRows(group.series, coarse_rows(group.rows, level.bins)) for group in fine]
        replace_rows(level, nodes, start, groups)


def _write_metric_hours(nodes: Collection[int], start: float) -> None:
    found = read_reports(nodes, start, start + HOUR_S)
    rows = fine_metric_rows(found.reports, start, len(found.series))
    replace_metric_rows(FINE, nodes, start, SeriesMetricRows(found.series, rows))


def _write_metric_days(nodes: Collection[int], start: float) -> None:
    fine = read_fine_metrics(nodes, start, start + DAY_S)
    for level in COARSE:
        rows = coarse_metric_rows(fine.rows, level.bins)
        replace_metric_rows(level, nodes, start, SeriesMetricRows(fine.series, rows))


PORTS = RollupKind(
    RollupMark,
    "telemetry_rolluplate",
    "telemetry_samples",
    f"ts - greatest(least(duration_ns / 1e9, {LONGEST_S}), {LEAST_S}) * interval '1 second'",
    1.0,
    _write_port_hours,
    _write_port_days,
)
METRICS = RollupKind(
    MetricRollupMark,
    "telemetry_metricrolluplate",
    "telemetry_metrichistory",
    "ts - interval '1 microsecond'",
    4.0,
    _write_metric_hours,
    _write_metric_days,
)
KINDS = (PORTS, METRICS)
