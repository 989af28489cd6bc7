"""Samples in bins: means, maxima, gaps, resets and the 95th percentile."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.history import RateChange, Samples, binned, capacity_over, in_bins, step_for

START = 1_772_366_400.0
NAN = math.nan


def samples(
    rates: list[float], *, seconds: float = 2.0, first: float = START, peaks: list[float] | None = None
) -> Samples:
    """Consecutive samples of these rates (bit/s) inward, half of it outward."""
    count = len(rates)
    octets = np.array(rates) * seconds / 8
    return Samples(
        end=np.array([first + seconds * number for number in range(1, count + 1)]),
        seconds=np.full(count, seconds),
        in_octets=octets,
        out_octets=octets / 2,
        in_peak=np.array(peaks if peaks is not None else [NAN] * count),
        out_peak=np.full(count, NAN),
        reset=np.zeros(count, dtype=np.bool_),
    )


def test_steady_rate_is_constant_in_all_bins() -> None:
    bins = binned(samples([8e6] * 30), START, START + 60, 30, 2.0)
    assert bins.step_s == 2.0
    assert bins.inward.mean == [8_000_000] * 30
    assert bins.outward.mean == [4_000_000] * 30
    assert bins.at[0] == START


def test_busiest_second_is_kept_in_wide_bins() -> None:
    peaks = [NAN] * 60
    peaks[17] = 5e6
    bins = binned(samples([8e6] * 60, peaks=peaks), START, START + 120, 4, 2.0)
    assert bins.step_s == 30.0
    assert max(top for top in bins.inward.max if top) == 40_000_000
    assert [top for top in bins.inward.max if top != 40_000_000] == [8_000_000] * 3


def test_gap_is_not_interpolated() -> None:
    reported = samples([8e6] * 30)
    kept = (np.arange(30) < 10) | (np.arange(30) >= 20)
    cut = Samples(
        end=reported.end[kept],
        seconds=reported.seconds[kept],
        in_octets=reported.in_octets[kept],
        out_octets=reported.out_octets[kept],
        in_peak=reported.in_peak[kept],
        out_peak=reported.out_peak[kept],
        reset=reported.reset[kept],
    )
    assert (
        binned(cut, START, START + 60, 30, 2.0).inward.mean
        == [8_000_000] * 10 + [None] * 10 + [8_000_000] * 10
    )


def test_newest_bin_is_shown_as_soon_as_its_part_of_the_range_is_observed() -> None:
    ten_minutes = samples([8e6] * 10, seconds=60.0)
    newest = in_bins(ten_minutes, START - 7200, START + 600, 3600.0).inward.mean
    assert newest == [None, None, 8_000_000]
    two = ten_minutes.where(np.arange(10) < 2)
    assert in_bins(two, START - 7200, START + 600, 3600.0).inward.mean[-1] is None


def test_reset_is_marked_without_a_value() -> None:
    reported = samples([8e6] * 5)
    reported.in_octets[2] = NAN
    reported.reset[2] = True
    bins = binned(reported, START, START + 10, 10, 2.0)
    assert bins.inward.mean == [8_000_000, 8_000_000, None, 8_000_000, 8_000_000]
    assert bins.resets == [START + 6.0]


def test_sampling_jitter_causes_no_gaps_or_ripple() -> None:
    reported = samples([8e6] * 300, first=START - 1.3)
    wobble = np.sin(np.arange(300)) * 0.2
    reported.end[:] += wobble
    reported.seconds[1:] += np.diff(wobble)
    reported.in_octets[:] = 1e6 * reported.seconds
    bins = binned(reported, START, START + 590, 300, 2.0)
    assert all(mean == pytest.approx(8e6, rel=0.03) for mean in bins.inward.mean)


def test_no_samples_give_only_gaps() -> None:
    bins = binned(samples([]), START, START + 60, 10, 2.0)
    assert (bins.inward.mean, bins.inward.p95) == ([None] * 10, None)


def test_p95_drops_the_top_5_percent_of_5_minute_means() -> None:
    rates = [float(1e6 * (1 + number // 150)) for number in range(150 * 40)]
    bins = binned(samples(rates), START, START + 12_000, 200, 2.0)
    assert bins.inward.p95 == 38_000_000


def test_bins_are_stable_across_refreshes() -> None:
    reported = samples([8e6] * 100)
    one = binned(reported, START + 0.0, START + 100.0, 10, 2.0)
    other = binned(reported, START + 3.7, START + 103.7, 10, 2.0)
    assert set(one.at[1:]) <= set(other.at)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.lists(st.floats(0, 1e9), min_size=1, max_size=200),
    st.integers(10, 300),
    st.floats(0.5, 30),
)
def test_sum_over_bins_equals_sum_over_samples(rates: list[float], points: int, seconds: float) -> None:
    reported = samples(rates, seconds=seconds)
    end = float(reported.end[-1])
    bins = binned(reported, START, end, points, seconds)
    step = bins.step_s
    edges = [*bins.at, bins.at[-1] + step]
    covered = [max(0.0, min(high, end) - max(low, START)) for low, high in itertools.pairwise(edges)]
    shown = sum((mean or 0) * held / 8 for mean, held in zip(bins.inward.mean, covered, strict=True))
    hidden = sum(held for mean, held in zip(bins.inward.mean, covered, strict=True) if mean is None)
    total = float(reported.in_octets.sum())
    assert shown <= total * 1.0001 + len(bins.at) * step
    assert shown >= total - hidden * max(rates) / 8 - len(bins.at) * step - total * 0.0001


def test_step_is_a_multiple_of_the_interval() -> None:
    assert step_for(0, 3600, 600, 2.0) == 6.0
    assert step_for(0, 60, 600, 2.0) == 2.0
    assert 86_400 / step_for(0, 86_400, 600, 2.0) <= 600


@pytest.mark.parametrize(
    ("changes", "steps"),
    [
        ([], [(100, 50)]),
        ([(40, 20)], [(100, 50)]),
        ([(150, 20)], [(100, 20), (150, 50)]),
        ([(40, 10), (150, 20), (160, 30)], [(100, 20), (150, 30), (160, 50)]),
        ([(150, 20), (150, 30)], [(100, 20), (150, 50)]),
        ([(150, 50), (160, 70)], [(100, 50), (150, 70), (160, 50)]),
        ([(250, 20)], [(100, 20)]),
    ],
)
def test_capacity_is_that_of_its_time(
    changes: list[tuple[float, int]], steps: list[tuple[float, int]]
) -> None:
    found = capacity_over(50, [RateChange(at, before) for at, before in changes], 100, 200)
    assert (found.now, [(step.start, step.usable_rate) for step in found.steps]) == (50, steps)
