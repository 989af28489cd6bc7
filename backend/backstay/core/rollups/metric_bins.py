"""The bins of roll-ups of device metrics, computed for the reports of many devices at once. Pure.

A report counts as a whole in the bin in which its interval ends, as in `core.model.device_metric.in_bins`:
errors are rare, and a level belongs to a moment. A series is one device with one metric layout; a slot is one
metric of a series. Reports name only the values other than zero, and rows only the slots that have one in
their time. Arrays have the shape (slots, bins).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.device_metric import MISSED_INTERVALS, REPEAT_S
from backstay.core.model.history import Floats
from backstay.core.rollups.bins import Ints, grouped, nearest_ranks
from backstay.core.rollups.levels import FINE

HELD_S = MISSED_INTERVALS * REPEAT_S
"""A report without an interval covers the time since the one before, and at most this."""


@dataclass(frozen=True, slots=True)
class MetricReports:
    """Reports of several series, ascending by series and end, and their values other than zero.

    `report`, `place`, `value` and `is_growth` have an element a value.
    """

    series: Ints
    end: Floats
    """Unix seconds."""
    seconds: Floats
    """Covered time; `covered_seconds`."""
    report: Ints
    """Position of the value's report."""
    place: Ints
    """Slot in the layout, counted from 1."""
    value: Floats
    """NaN: unknown."""
    is_growth: NDArray[np.bool_]
    """Its extremes are per second."""


@dataclass(slots=True)
class MetricRows:
    """One row of each series, and its slots, ascending by series and place."""

    seconds: Floats
    """Time covered by the reports that end in each bin, (series, bins)."""
    samples: Ints
    """Reports that end in each bin, (series, bins)."""
    series: Ints
    """Of each slot."""
    place: Ints
    is_growth: NDArray[np.bool_]
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    """`total`: sum of the values; `unknown`, `missing`: reports and seconds without a value; `min`, `max`:
    of levels and of growths per second, NaN without a value; `p95` of coarser levels: of 5-minute means."""

    def known_samples(self) -> Ints:
        """Reports with a value, of each slot and bin."""
        return np.asarray(self.samples[self.series] - self.arrays["unknown"])

    def means(self) -> Floats:
        """Growth per second, or mean level, of each slot and bin; NaN without a value."""
        known = self.known_samples()
        seconds = np.maximum(self.seconds[self.series] - self.arrays["missing"], 0.0)
        by = np.where(self.is_growth[:, None], np.where(seconds > 1e-6, seconds, 0.0), known)
        found: Floats = np.full(known.shape, np.nan)
        np.divide(self.arrays["total"], by, out=found, where=(known > 0) & (by > 0))
        return found


def covered_seconds(series: Ints, end: Floats, seconds: Floats) -> Floats:
    """`seconds`, or for a report without (NaN) the time since the one before of its series."""
    since = np.full(len(end), HELD_S)
    same = series[1:] == series[:-1]
    since[1:][same] = np.minimum(np.diff(end)[same], HELD_S)
    return np.where(np.isnan(seconds), since, seconds)


def fine_metric_rows(reports: MetricReports, start: float, count: int) -> MetricRows:
    """The hour's row from `start` of `count` series; reports that end outside it do not count."""
    bins = FINE.bins
    at = np.ceil((reports.end - start) / FINE.width_s).astype(np.int64) - 1
    inside = (at >= 0) & (at < bins)
    cell = (reports.series * bins + at)[inside]
    covered = np.bincount(cell, reports.seconds[inside], count * bins).astype(np.float64)
    seconds = covered.reshape(count, bins)
    samples = np.bincount(cell, minlength=count * bins).reshape(count, bins)
    kept = inside[reports.report]
    report, value, is_growth = reports.report[kept], reports.value[kept], reports.is_growth[kept]
    keys = np.column_stack([reports.series[report], reports.place[kept]])
    slots, first, slot = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    rows = MetricRows(seconds, samples, slots[:, 0], slots[:, 1], is_growth[first])
    cells = slot.reshape(-1).astype(np.int64) * bins + at[report]
    _put_values(rows, cells, value, reports.seconds[report], is_growth)
    return rows


def _put_values(
    rows: MetricRows, cells: Ints, value: Floats, seconds: Floats, is_growth: NDArray[np.bool_]
) -> None:
    """The arrays from values other than zero; `cells`: slot and bin of each."""
    shape = (len(rows.place), rows.samples.shape[1])
    size = shape[0] * shape[1]
    known = ~np.isnan(value)
    lost = cells[~known]
    level = value[known]
    rate = np.divide(level, seconds[known], out=level.copy(), where=is_growth[known])
    # Zeros are not named: a bin has some if fewer values are than reports.
    present = np.bincount(cells, minlength=size).reshape(shape)
    has_zero = rows.samples[rows.series] > present
    rows.arrays["total"] = np.bincount(cells[known], level, size).reshape(shape)
    rows.arrays["unknown"] = np.bincount(lost, minlength=size).reshape(shape)
    rows.arrays["missing"] = np.bincount(lost, seconds[~known], size).reshape(shape)
    for name, by in (("min", np.fmin), ("max", np.fmax)):
        extreme = np.full(size, np.nan)
        by.at(extreme, cells[known], rate)
        extreme = extreme.reshape(shape)
        rows.arrays[name] = np.where(has_zero, by(extreme, 0.0), extreme)


def coarse_metric_rows(fine: MetricRows, bins: int) -> MetricRows:
    """Rows of `bins` bins from 5-minute bins of the same time, with the nearest-rank p95 of their means."""
    rows = MetricRows(
        grouped(fine.seconds, bins).sum(axis=-1),
        grouped(fine.samples, bins).sum(axis=-1),
        fine.series,
        fine.place,
        fine.is_growth,
    )
    for name in ("total", "unknown", "missing"):
        rows.arrays[name] = grouped(fine.arrays[name], bins).sum(axis=-1)
    rows.arrays["min"] = np.fmin.reduce(grouped(fine.arrays["min"], bins), axis=-1)
    rows.arrays["max"] = np.fmax.reduce(grouped(fine.arrays["max"], bins), axis=-1)
    rows.arrays["p95"] = nearest_ranks(grouped(fine.means(), bins))
    return rows
