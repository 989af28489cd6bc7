"""The bins of roll-ups, computed for the whole arrays of many devices at once. Pure.

A sample's octets are spread over the bins that it overlaps, in proportion to time and rounded at the bins'
edges, so that they add up exactly, whatever rows are computed together. What belongs to a moment counts where
the sample ends: its rate for minimum and maximum, its busiest second, a reset, and the sample itself.

A series is one device with one port layout. Arrays of rows have the shape (series, ports, bins); rates are
bit/s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.history import LEAST_COVERED, P95_BIN_S, Floats
from backstay.core.rollups.levels import FINE, LONGEST_S

Ints = NDArray[np.int64]
Values = NDArray[Any]

DIRECTIONS = ("in", "out")
SUMS = ("octets", "packets", "errors", "discards")
EXTREMES: Mapping[str, Callable[[Values, int], Values]] = {
    "min": lambda values, axis: np.fmin.reduce(values, axis=axis),
    "max": lambda values, axis: np.fmax.reduce(values, axis=axis),
    "peak": lambda values, axis: np.fmax.reduce(values, axis=axis),
}


@dataclass(frozen=True, slots=True)
class DeviceSamples:
    """Samples of several series with equally many ports, ascending by series and end."""

    series: Ints
    end: Floats
    """Unix seconds."""
    seconds: Floats
    counters: Mapping[str, Ints | None]
    """`in_octets` and so on -> growth, (samples, ports), -1: no value; None: zero, or a peak not measured."""
    resets: NDArray[np.bool_] | None


@dataclass(slots=True)
class Rows:
    """One row of each series; `arrays` are (series, ports, bins), None: zero, or not measured."""

    seconds: Floats
    """Observed time of each bin, (series, bins)."""
    samples: Ints
    """Samples that end in each bin, (series, bins)."""
    arrays: dict[str, Values | None] = field(default_factory=dict)

    def known_seconds(self, direction: str) -> Floats:
        """Observed time of each port's bins, (series, ports, bins)."""
        missing = self.arrays[f"{direction}_missing"]
        shape = self.array(f"{direction}_octets").shape
        seconds = np.broadcast_to(self.seconds[:, None, :], shape)
        return seconds if missing is None else np.maximum(seconds - missing, 0.0)

    def means(self, direction: str) -> Floats:
        """Mean rate of each port's bins; NaN without a value."""
        known = self.known_seconds(direction)
        octets = self.array(f"{direction}_octets")
        found: Floats = np.full(known.shape, np.nan)
        np.divide(octets * 8.0, known, out=found, where=known > 1e-6)
        return found

    def array(self, name: str) -> Values:
        """One that is always present."""
        found = self.arrays[name]
        assert found is not None, name
        return found


class _Pieces:
    """The parts of samples by the bin that they are in."""

    def __init__(self, samples: DeviceSamples, start: float, count: int) -> None:
        width, bins = FINE.width_s, FINE.bins
        begin = samples.end - samples.seconds
        first = np.floor((np.maximum(begin, samples.end - LONGEST_S) - start) / width).astype(np.int64)
        last = np.ceil((samples.end - start) / width).astype(np.int64) - 1
        first, last = np.clip(first, 0, bins), np.clip(last, -1, bins - 1)
        number = np.maximum(last - first + 1, 0)
        index = np.repeat(np.arange(len(number)), number)
        within = np.arange(len(index)) - np.repeat(np.cumsum(number) - number, number)
        place = first[index] + within
        group = samples.series[index] * bins + place
        order = np.argsort(group, kind="stable")
        self.index, self.group = index[order], group[order]
        edge = start + place[order] * width
        began, length = begin[self.index], samples.seconds[self.index]
        self.low = np.clip((edge - began) / length, 0.0, 1.0)
        self.high = np.clip((edge + width - began) / length, 0.0, 1.0)
        self.cut = (self.low > 0) | (self.high < 1)
        self.seconds = (self.high - self.low) * length
        self.groups, self.starts = np.unique(self.group, return_index=True)
        self._shape = (count, bins)

    def sums(self, values: Ints) -> Ints:
        """Of counters without missing values: (series, ports, bins)."""
        part = values[self.index]
        if self.cut.any():
            whole = part[self.cut].astype(np.float64)
            part[self.cut] = np.rint(whole * self.high[self.cut, None]) - np.rint(
                whole * self.low[self.cut, None]
            )
        return _by_series(np.add.reduceat(part, self.starts, axis=0), self.groups, self._shape, 0)

    def durations(self, known: NDArray[np.bool_] | None) -> Floats:
        """Observed time, (series, bins); with `known`, the time without a value, (series, ports, bins)."""
        if known is None:
            found = np.zeros(self._shape)
            found.ravel()[self.groups] = np.add.reduceat(self.seconds, self.starts)
            return found
        lost = np.where(known[self.index], 0.0, self.seconds[:, None])
        return _by_series(np.add.reduceat(lost, self.starts, axis=0), self.groups, self._shape, 0)


class _Ends:
    """The samples by the bin that they end in."""

    def __init__(self, samples: DeviceSamples, start: float, count: int) -> None:
        place = np.ceil((samples.end - start) / FINE.width_s).astype(np.int64) - 1
        self._inside = (place >= 0) & (place < FINE.bins)
        group = (samples.series * FINE.bins + place)[self._inside]
        self._groups, self._starts = np.unique(group, return_index=True)
        self._shape = (count, FINE.bins)
        self.counts = np.zeros(self._shape, np.int64)
        self.counts.ravel()[self._groups] = np.diff(np.append(self._starts, len(group)))

    def reduce(self, by: np.ufunc, values: Values, empty: float) -> Values:
        """(series, ports, bins) of values per sample and port."""
        if not len(self._groups):
            count, bins = self._shape
            return np.full((count, values.shape[1], bins), empty, values.dtype)
        found = by.reduceat(values[self._inside], self._starts, axis=0)
        return _by_series(found, self._groups, self._shape, empty)


def fine_rows(samples: DeviceSamples, start: float, count: int) -> Rows:
    """The hour's row from `start` of `count` series; each needs at least one sample that overlaps it."""
    pieces, ends = _Pieces(samples, start, count), _Ends(samples, start, count)
    rows = Rows(pieces.durations(None), ends.counts)
    for direction in DIRECTIONS:
        octets = samples.counters[f"{direction}_octets"]
        assert octets is not None
        known = octets >= 0
        is_whole = bool(known.all())
        rows.arrays[f"{direction}_missing"] = None if is_whole else pieces.durations(known)
        for name in SUMS:
            rows.arrays[f"{direction}_{name}"] = _sums(pieces, samples.counters[f"{direction}_{name}"])
        _put_extremes(rows, samples, ends, direction, None if is_whole else known)
    rows.arrays["resets"] = (
        None if samples.resets is None else ends.reduce(np.add, samples.resets.astype(np.int64), 0)
    )
    return rows


def _sums(pieces: _Pieces, values: Ints | None) -> Ints | None:
    return None if values is None else pieces.sums(np.maximum(values, 0))


def _put_extremes(
    rows: Rows, samples: DeviceSamples, ends: _Ends, direction: str, known: NDArray[np.bool_] | None
) -> None:
    octets = samples.counters[f"{direction}_octets"]
    assert octets is not None
    rates = octets * (8.0 / samples.seconds[:, None])
    if known is not None:
        rates[~known] = np.nan
    mean = rows.means(direction)
    rows.arrays[f"{direction}_min"] = np.fmin(ends.reduce(np.fmin, rates, np.nan), mean)
    rows.arrays[f"{direction}_max"] = np.fmax(ends.reduce(np.fmax, rates, np.nan), mean)
    peaks = samples.counters[f"{direction}_peak"]
    rows.arrays[f"{direction}_peak"] = (
        None if peaks is None else ends.reduce(np.fmax, np.where(peaks < 0, np.nan, peaks * 8.0), np.nan)
    )


def _by_series(found: Values, groups: Ints, shape: tuple[int, int], empty: float) -> Values:
    count, bins = shape
    spread = np.full((count * bins, found.shape[1]), empty, found.dtype)
    spread[groups] = found
    return spread.reshape(count, bins, -1).transpose(0, 2, 1)


def coarse_rows(fine: Rows, bins: int) -> Rows:
    """Rows of `bins` bins from 5-minute bins of the same time, with the nearest-rank p95 of their means."""
    rows = Rows(grouped(fine.seconds, bins).sum(axis=-1), grouped(fine.samples, bins).sum(axis=-1))
    for name, values in fine.arrays.items():
        by = EXTREMES.get(name.partition("_")[2], np.sum)
        rows.arrays[name] = None if values is None else by(grouped(values, bins), -1)
    for direction in DIRECTIONS:
        covered = fine.known_seconds(direction) >= LEAST_COVERED * P95_BIN_S
        means = np.where(covered, fine.means(direction), np.nan)
        rows.arrays[f"{direction}_p95"] = nearest_ranks(grouped(means, bins))
    return rows


def grouped(values: Values, bins: int) -> Values:
    """The last axis as `bins` groups of equally many."""
    return values.reshape(*values.shape[:-1], bins, values.shape[-1] // bins)


def nearest_ranks(values: Floats) -> Floats:
    """p95 over the last axis; NaN if nothing is known."""
    ordered = np.sort(values, axis=-1)  # NaN comes last.
    count = (~np.isnan(ordered)).sum(axis=-1)
    rank = np.maximum(np.ceil(0.95 * count - 1e-9).astype(np.int64) - 1, 0)
    return np.take_along_axis(ordered, rank[..., None], axis=-1)[..., 0]
