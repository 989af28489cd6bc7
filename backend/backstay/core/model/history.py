"""History of one port in a few hundred bins: mean, busiest second, gaps, resets, p95.

Exact for any sampling jitter: the bytes of each interval are spread over the bins that it overlaps, so the
sum over bins equals the sum over samples. A bin with less than a quarter of its time observed, as far as it
is in the range, is a gap; nothing is interpolated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from backstay.core.rollups.levels import SourceName

Floats = NDArray[np.float64]

LEAST_COVERED = 0.25
"""Minimum observed fraction of a bin; less is a gap."""
P95_BIN_S = 300.0
TENTHS = 10
"""Bars of a histogram of utilisation."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples of one port, ascending by end: parallel arrays, NaN for missing values."""

    end: Floats
    """Unix seconds."""
    seconds: Floats
    """Length of each interval, s."""
    in_octets: Floats
    out_octets: Floats
    in_peak: Floats
    """Bytes in the busiest second; NaN if not measured."""
    out_peak: Floats
    reset: NDArray[np.bool_]

    def where(self, chosen: NDArray[np.bool_]) -> Samples:
        """Some of them."""
        return Samples(*(getattr(self, column.name)[chosen] for column in fields(self)))


@dataclass(frozen=True, slots=True)
class Series:
    """One direction in bins, bit/s; None is a gap."""

    mean: list[int | None]
    max: list[int | None]
    p95: int | None


@dataclass(frozen=True, slots=True)
class Bins:
    """Equal bins over a range; `at` holds their starts."""

    at: list[float]
    step_s: float
    inward: Series
    outward: Series
    resets: list[float]
    coverage: float
    """Observed fraction of the range."""


@dataclass(frozen=True, slots=True)
class HistoryGap:
    """Time of which stored data cannot be read."""

    start: float
    end: float
    text: str
    """Which file, and why, as a sentence."""


Weighted = tuple[Floats, Floats]
"""Values and how often each counts; NaN: unknown."""


@dataclass(frozen=True, slots=True)
class PortHistory:
    """A chart, and what it was made from."""

    bins: Bins
    level: SourceName
    """The coarsest one used."""
    is_p95_exact: bool
    """False: some of it is estimated from hourly or daily bins, because no 5-minute bins are stored."""
    five_minutes: tuple[Weighted, Weighted] = field(compare=False)
    """The 5-minute means behind p95, bit/s, in and out."""
    gaps: tuple[HistoryGap, ...] = ()


@dataclass(frozen=True, slots=True)
class RateChange:
    """A usable rate that was replaced: until `at`, Unix seconds, it was `before`, bit/s."""

    at: float
    before: int


@dataclass(frozen=True, slots=True)
class CapacityStep:
    """The usable rate, bit/s, from `start`, Unix seconds, to the next step."""

    start: float
    usable_rate: int


@dataclass(frozen=True, slots=True)
class Capacity:
    """The usable rate of a link now, and as it was in a range: the first step begins with the range."""

    now: int
    steps: Sequence[CapacityStep]


def capacity_over(current: int, changes: Sequence[RateChange], start: float, end: float) -> Capacity:
    """The usable rate in a range, from its replaced values in order of time."""
    rates = [*(change.before for change in changes), current]
    starts = [start, *(max(change.at, start) for change in changes)]
    found: list[CapacityStep] = []
    for at, usable_rate in zip(starts, rates, strict=True):
        if at >= end:
            break
        if found and found[-1].start == at:
            found.pop()
        if not found or found[-1].usable_rate != usable_rate:
            found.append(CapacityStep(at, usable_rate))
    return Capacity(current, found)


def step_for(start: float, end: float, points: int, interval_s: float) -> float:
    """Bin width in seconds: whole sampling intervals, so that at most `points` bins cover the range."""
    intervals = math.ceil((end - start) / points / interval_s - 1e-9)
    return max(intervals, 1) * interval_s


def binned(samples: Samples, start: float, end: float, points: int, interval_s: float) -> Bins:
    """In at most `points` + 1 bins of whole sampling intervals."""
    return in_bins(samples, start, end, step_for(start, end, points, interval_s))


def bin_edges(start: float, end: float, step: float) -> Floats:
    """Bins are aligned to multiples of the step, so that a refresh does not move them."""
    first = math.floor(start / step) * step
    return np.asarray([first + step * n for n in range(math.ceil((end - first) / step - 1e-9) + 1)])


def mean_rates(
    stop: Floats, seconds: Floats, octets: Floats, edges: Floats, around: tuple[float, float]
) -> Floats:
    """Mean bit/s per bin of samples, ascending by end; NaN is a gap. `around`: the range shown."""
    if not len(stop):
        return np.full(len(edges) - 1, np.nan)
    # Of a bin at an edge of the range, the newest above all, only the part in the range can be observed.
    return _means(_begins(stop, seconds), stop, octets, edges, np.diff(np.clip(edges, *around)))


def in_bins(samples: Samples, start: float, end: float, step: float) -> Bins:
    """In bins of the step, over the range."""
    edges = bin_edges(start, end, step)
    return Bins(
        at=[round(float(edge), 6) for edge in edges[:-1]],
        step_s=step,
        inward=_series(samples, samples.in_octets, samples.in_peak, edges, (start, end)),
        outward=_series(samples, samples.out_octets, samples.out_peak, edges, (start, end)),
        resets=[float(at) for at in samples.end[samples.reset]],
        coverage=_coverage(samples, start, end),
    )


def _coverage(samples: Samples, start: float, end: float) -> float:
    """In the direction that is observed for longer."""
    known = [~np.isnan(octets) for octets in (samples.in_octets, samples.out_octets)]
    best = max(known, key=np.count_nonzero)
    stop = samples.end[best]
    if not len(stop):
        return 0.0
    begin = _begins(stop, samples.seconds[best])
    observed = np.clip(stop, start, end) - np.clip(begin, start, end)
    return round(min(float(observed.sum()) / (end - start), 1.0), 4)


def _series(
    samples: Samples, octets: Floats, peaks: Floats, edges: Floats, around: tuple[float, float]
) -> Series:
    known = ~np.isnan(octets)
    stop, seconds, grown = samples.end[known], samples.seconds[known], octets[known]
    if not len(stop):
        nothing: list[int | None] = [None] * (len(edges) - 1)
        return Series(nothing, list(nothing), None)
    begin = _begins(stop, seconds)
    mean = mean_rates(stop, seconds, grown, edges, around)
    busiest = np.where(np.isnan(peaks[known]), grown / seconds, peaks[known]) * 8
    return Series(
        rounded(mean), rounded(_maxima(stop, busiest, mean, edges)), _p95(begin, stop, grown, around)
    )


def _begins(stop: Floats, seconds: Floats) -> Floats:
    """Starts of the intervals; small overlaps caused by different clocks are removed."""
    begin = stop - seconds
    begin[1:] = np.minimum(np.maximum(begin[1:], stop[:-1]), stop[1:])
    return begin


def _means(
    begin: Floats, stop: Floats, octets: Floats, edges: Floats, widths: Floats | None = None
) -> Floats:
    """Mean bit/s per bin: bytes and observed seconds are piecewise linear and differenced at the
    bin edges. `widths`: of which `LEAST_COVERED` is needed, s; None: the bins'.
    """
    at = np.column_stack([begin, stop]).ravel()
    grown = np.cumsum(np.column_stack([np.zeros_like(octets), octets]).ravel())
    seen = np.cumsum(np.column_stack([np.zeros_like(stop), stop - begin]).ravel())
    bits = np.diff(np.interp(edges, at, grown)) * 8
    covered = np.diff(np.interp(edges, at, seen))
    enough = covered >= np.maximum(LEAST_COVERED * (np.diff(edges) if widths is None else widths), 1e-6)
    return np.where(enough, bits / np.where(enough, covered, 1.0), np.nan)


def _maxima(stop: Floats, busiest: Floats, mean: Floats, edges: Floats) -> Floats:
    top = np.full(len(edges) - 1, -np.inf)
    index = np.searchsorted(edges, stop, side="left") - 1
    inside = (index >= 0) & (index < len(top))
    np.maximum.at(top, index[inside], busiest[inside])
    return np.where(np.isnan(mean), np.nan, np.maximum(top, np.nan_to_num(mean)))


def _p95(begin: Floats, stop: Floats, octets: Floats, around: tuple[float, float]) -> int | None:
    """Nearest rank over 5-minute means, as in transit billing: the top 5 % are dropped."""
    start, end = around
    edges = np.arange(math.floor(start / P95_BIN_S), math.ceil(end / P95_BIN_S) + 1) * P95_BIN_S
    return nearest_rank(_means(begin, stop, octets, np.clip(edges, start, end)))


def five_minute_means(end: Floats, seconds: Floats, octets: Floats, around: tuple[float, float]) -> Floats:
    """Bit/s of one direction's samples in 5-minute bins; without those that are not observed."""
    known = ~np.isnan(octets)
    if not known.any():
        return np.empty(0)
    start, stop = around
    edges = np.arange(math.floor(start / P95_BIN_S), math.ceil(stop / P95_BIN_S) + 1) * P95_BIN_S
    begin = _begins(end[known], seconds[known])
    means = _means(begin, end[known], octets[known], np.clip(edges, start, stop))
    return means[~np.isnan(means)]


def nearest_rank(values: Floats, weights: Floats | None = None) -> int | None:
    """p95 of the values that are known, each counted `weights` times, as an integer; None: none is."""
    found = exact_rank(values, weights)
    return None if found is None else round(found)


def exact_rank(values: Floats, weights: Floats | None = None) -> float | None:
    """As `nearest_rank`, not rounded."""
    known = ~np.isnan(values)
    order = np.argsort(values[known], kind="stable")
    ordered = values[known][order]
    if not len(ordered):
        return None
    count = np.cumsum(np.ones(len(ordered)) if weights is None else weights[known][order])
    rank = math.ceil(0.95 * float(count[-1]) - 1e-6)
    return float(ordered[np.searchsorted(count, rank - 1e-6)])


def utilisation_shares(found: Weighted, usable_rate: int) -> list[float]:
    """Share of the known 5-minute means, 0..1, in each tenth of the usable rate (bit/s).

    The last tenth includes everything above. Empty if nothing or no rate is known.
    """
    values, weights = found
    known = ~np.isnan(values)
    total = float(weights[known].sum())
    if not total or usable_rate <= 0:
        return []
    tenths = np.clip(np.floor(values[known] / usable_rate * TENTHS), 0, TENTHS - 1).astype(np.int64)
    counted = np.bincount(tenths, weights[known], TENTHS)
    return [round(float(value), 4) for value in counted / total]


def five_minute_estimates(
    means: Floats, p95: Floats, width_s: float, least: float = 0.0
) -> tuple[Floats, Floats]:
    """5-minute values with the mean and the p95 of bins of `width_s`, and how many of each there are.

    The nearest rank leaves `top` of `number` values at p95 or above; the others have what remains of the
    mean, but at least `least`.
    """
    number = round(width_s / P95_BIN_S)
    top = number - math.ceil(0.95 * number - 1e-9) + 1
    rest = np.maximum((means * number - p95 * top) / (number - top), least)
    weights = np.repeat([float(number - top), float(top)], len(means))
    return np.concatenate([rest, p95]), weights


def rounded(values: Floats) -> list[int | None]:
    """To integers; NaN is None."""
    return [None if math.isnan(value) else round(value) for value in values.tolist()]
