"""Rates in equal steps from samples at any times; pure parts."""

from __future__ import annotations

import numpy as np
import pytest

from backstay.core.rollups.bins import DIRECTIONS, DeviceSamples
from backstay.telemetry.rollups.binned_rates import rates_of


def samples(end: list[float], seconds: list[float], octets: list[int]) -> DeviceSamples:
    """One series with one port, the same in both directions."""
    grown = np.array(octets, np.int64)[:, None]
    counters = {f"{direction}_octets": grown for direction in DIRECTIONS}
    return DeviceSamples(np.zeros(len(end), np.int64), np.array(end), np.array(seconds), counters, None)


def test_a_sample_counts_evenly_in_the_steps_that_it_covers() -> None:
    found = rates_of(samples([7, 17], [10, 10], [1000, 2000]), 0, 1, np.array([0.0, 10.0, 20.0]))
    assert found[0, :, 0] == pytest.approx([8 * (700 + 600) / 10, 8 * 1400 / 7])


def test_a_step_that_was_observed_for_less_than_half_is_unknown() -> None:
    found = rates_of(samples([4, 30], [4, 10], [400, 1000]), 0, 1, np.array([0.0, 10.0, 20.0, 30.0]))
    assert np.isnan(found[0, :2, 0]).all()
    assert found[0, 2, 0] == pytest.approx(800)


def test_a_sample_without_a_value_is_not_zero() -> None:
    found = rates_of(samples([10, 20], [10, 10], [-1, 1000]), 0, 1, np.array([0.0, 10.0, 20.0]))
    assert np.isnan(found[1, 0, 0])
    assert found[1, 1, 0] == pytest.approx(800)


def test_a_series_without_samples_is_unknown() -> None:
    assert np.isnan(rates_of(samples([], [], []), 0, 1, np.array([0.0, 10.0]))).all()
