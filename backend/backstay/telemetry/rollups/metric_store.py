"""Reads metric reports and rows of many devices as arrays, and replaces rows; their only writer.

The columns of `telemetry_metricrollup_5m`, `_1h` and `_1d`; an array of places is [place][bin]:

    node_id, at, layout_id   the device, the row's start, and the `MetricLayout` of the places
    seconds                  time covered by the reports that end in each bin
    samples                  number of reports that end in each bin
    places                   slots of the layout with a value other than zero; all others are zero
    total                    exact sums of growths, sums of levels; NULL: there are no places
    unknown, missing         reports and seconds without a value; NULL: none
    min, max                 of levels, and of growths per second; NaN without a value
    p95                      1 h and 1 d: nearest rank over 5-minute means
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.history import Floats
from backstay.core.rollups.bins import Ints
from backstay.core.rollups.levels import FINE, Level
from backstay.core.rollups.metric_bins import HELD_S, MetricReports, MetricRows, covered_seconds
from backstay.telemetry import catalogue
from backstay.telemetry.ingest import copybinary
from backstay.telemetry.models import MetricLayout
from backstay.telemetry.rollups.arrays import (
    Field,
    Kind,
    decoded,
    encoded,
    encoded_parts,
    fetch_columns,
    integers,
    length,
    ragged,
)
from backstay.telemetry.rollups.store import Series, key, moment, numbered, replace_copied

KINDS: Mapping[str, Kind] = {
    "total": "double",
    "unknown": "int4",
    "missing": "real",
    "min": "real",
    "max": "real",
}
"""Array columns of slots -> element."""
P95: Mapping[str, Kind] = {"p95": "real"}
NULL_IF_ZERO = {"unknown", "missing"}
_REPORTS = """
    SELECT node_id, layout_id, (extract(epoch FROM ts) * 1000000)::bigint, coalesce(duration_ns, 0), places,
           numbers
    FROM telemetry_metrichistory
    WHERE node_id = ANY (%(nodes)s) AND ts > %(start)s AND ts <= %(end)s
    ORDER BY node_id, layout_id, ts
"""
_FINE = f"""
    SELECT node_id, layout_id, (extract(epoch FROM at) * 1000000)::bigint, seconds, samples, places,
           {", ".join(KINDS)}
    FROM telemetry_metricrollup_5m
    WHERE node_id = ANY (%(nodes)s) AND at >= %(start)s AND at < %(end)s
    ORDER BY node_id, layout_id, at
"""  # noqa: S608 - only constants of this module are put in
_MOST_KNOWN = 20_000
_growths: dict[int, NDArray[np.bool_]] = {}
"""Layout -> whether each slot is a growth, from place 1 on; layouts never change."""


@dataclass(frozen=True, slots=True)
class SeriesReports:
    """Reports of devices; `series` in the order of their numbers."""

    series: Sequence[Series]
    reports: MetricReports


@dataclass(frozen=True, slots=True)
class SeriesMetricRows:
    """Rows of devices, in the order of `series`."""

    series: Sequence[Series]
    rows: MetricRows


def read_reports(nodes: Collection[int], start: float, end: float) -> SeriesReports:
    """The reports that end in the range, and those shortly before, which say what the first ones cover."""
    values = {"nodes": list(nodes), "start": moment(start) - timedelta(seconds=HELD_S), "end": moment(end)}
    columns = fetch_columns(_REPORTS, values)
    series, number = _series(columns)
    ends, durations = integers(columns[2]) / 1e6, integers(columns[3]) / 1e9
    seconds = np.where(durations > 0, durations, np.nan)
    sizes = np.array([length(field) for field in columns[4]], np.int64)
    report = np.repeat(np.arange(len(sizes)), sizes)
    place = ragged(columns[4], sizes, "int4", 0).astype(np.int64)
    value = ragged(columns[5], sizes, "double", 0)
    is_growth = _are_growths(series, number[report], place)
    value[is_growth & np.isnan(seconds[report])] = np.nan
    covered = covered_seconds(number, ends, seconds)
    return SeriesReports(series, MetricReports(number, ends, covered, report, place, value, is_growth))


def _series(columns: Sequence[list[Field]]) -> tuple[list[Series], Ints]:
    if not columns[0]:
        return [], np.empty(0, np.int64)
    return numbered(columns[0], columns[1], range(len(columns[0])))


def _are_growths(series: Sequence[Series], number: Ints, place: Ints) -> NDArray[np.bool_]:
    """Of values by the number of their series and their place; those of a removed layout are levels."""
    kinds = _layout_growths({layout for _, layout in series})
    sizes = np.array([len(kinds[layout]) for _, layout in series], np.int64)
    starts = np.cumsum(sizes) - sizes
    joined = np.concatenate([np.empty(0, np.bool_), *(kinds[layout] for _, layout in series)])
    found = np.zeros(len(place), np.bool_)
    inside = place <= sizes[number] if len(sizes) else np.zeros(0, np.bool_)
    found[inside] = joined[(starts[number] + place - 1)[inside]]
    return found


def _layout_growths(layouts: Collection[int]) -> dict[int, NDArray[np.bool_]]:
    if len(_growths) > _MOST_KNOWN:
        _growths.clear()
    missing = [layout for layout in layouts if layout not in _growths]
    if missing:
        names = {item.name for item in catalogue.metrics() if item.kind == "growth"}
        rows = MetricLayout.objects.filter(pk__in=missing).values_list("pk", "metrics")
        for layout, metrics in rows:
            _growths[layout] = np.array([metric in names for metric in metrics], np.bool_)
    return {layout: _growths.get(layout, np.empty(0, np.bool_)) for layout in layouts}


def read_fine_metrics(nodes: Collection[int], start: float, end: float) -> SeriesMetricRows:
    """5-minute bins of the range, whole hours; hours without a row are empty."""
    columns = fetch_columns(_FINE, {"nodes": list(nodes), "start": moment(start), "end": moment(end)})
    series, number = _series(columns)
    hours, bins = round((end - start) / FINE.row_s), FINE.bins
    hour = np.round((integers(columns[2]) / 1e6 - start) / FINE.row_s).astype(np.int64)
    seconds, samples = np.zeros((len(series), hours, bins)), np.zeros((len(series), hours, bins), np.int64)
    seconds[number, hour] = decoded(columns[3], bins, "double", 0)
    samples[number, hour] = decoded(columns[4], bins, "int4", 0)
    sizes = np.array([length(field) for field in columns[5]], np.int64)
    row = np.repeat(np.arange(len(sizes)), sizes)
    places = ragged(columns[5], sizes, "int4", 0).astype(np.int64)
    slots, slot = np.unique(np.column_stack([number[row], places]), axis=0, return_inverse=True)
    rows = MetricRows(
        seconds.reshape(len(series), hours * bins),
        samples.reshape(len(series), hours * bins),
        slots[:, 0],
        slots[:, 1],
        _are_growths(series, slots[:, 0], slots[:, 1]),
    )
    # In hours that do not name a slot, it is zero wherever there are reports.
    zero = np.where(rows.samples[rows.series] > 0, 0.0, np.nan)
    for (name, kind), fields in zip(KINDS.items(), columns[6:], strict=True):
        empty = zero if name in ("min", "max") else np.zeros(zero.shape)
        spread = empty.reshape(len(slots), hours, bins).copy()
        spread[slot.reshape(-1), hour[row]] = ragged(fields, sizes * bins, kind, 0).reshape(len(row), bins)
        rows.arrays[name] = spread.reshape(zero.shape)
    return SeriesMetricRows(series, rows)


def replace_metric_rows(level: Level, nodes: Collection[int], at: float, found: SeriesMetricRows) -> None:
    """Replace the rows of these devices that start at `at`, in the caller's transaction."""
    kinds = KINDS if level is FINE else {**KINDS, **P95}
    pieces = list(_copied(found, at, kinds))
    replace_copied(level.metric_table, ["seconds", "samples", "places", *kinds], nodes, at, pieces)


def _copied(found: SeriesMetricRows, at: float, kinds: Mapping[str, Kind]) -> Iterator[bytes]:
    """A row of each series that has a report."""
    rows, count = found.rows, len(found.series)
    sizes: list[int] = np.bincount(rows.series, minlength=count).tolist()
    fields = [encoded(rows.seconds, "double"), encoded(rows.samples, "int4")]
    fields.append(encoded_parts(rows.place, "int4", sizes))
    for name, kind in kinds.items():
        fields.append(_slot_fields(rows, name, kind, sizes))
    for number, series in enumerate(found.series):
        if rows.samples[number].any():
            yield b"".join([key(series, at, len(fields)), *(column[number] for column in fields)])


def _slot_fields(rows: MetricRows, name: str, kind: Kind, sizes: Sequence[int]) -> list[bytes]:
    values: Floats = rows.arrays[name]
    kept: NDArray[Any] = np.array(sizes) > 0
    if name in NULL_IF_ZERO:
        kept = np.bincount(rows.series, values.any(axis=1), len(sizes)) > 0
    found = encoded_parts(values, kind, sizes)
    return [field if present else copybinary.NULL for field, present in zip(found, kept, strict=True)]
