"""Health, growth rate and history of device metrics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np
import pytest

from backstay.core.model.device_metric import MetricReading, Past, in_bins, is_fresh, metric_state, per_second

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GROWN = MetricReading(30.0, None, 0, NOW, 30.0)
RESET, SATURATED = 2, 5


@dataclass(frozen=True)
class Meaning:
    kind: Literal["growth", "level", "state"]
    error: bool = False
    good: frozenset[str] = frozenset()


def test_errors_and_unhealthy_states_are_warnings() -> None:
    errors, card = Meaning("growth", error=True), Meaning("state", good=frozenset({"running"}))
    assert metric_state(GROWN, errors, fresh=True) == "warning"
    assert metric_state(replace(GROWN, number=0.0), errors, fresh=True) == "ok"
    assert metric_state(MetricReading(None, "panic", 0, NOW, None), card, fresh=True) == "warning"
    assert metric_state(MetricReading(None, "running", 0, NOW, None), card, fresh=True) == "ok"


def test_stale_or_unregistered_figures_are_unknown() -> None:
    errors = Meaning("growth", error=True)
    assert metric_state(GROWN, errors, fresh=False) == "unknown"
    assert metric_state(GROWN, None, fresh=True) == "unknown"
    assert metric_state(replace(GROWN, outcome=SATURATED), errors, fresh=True) == "unknown"


def test_rate_needs_growth_and_interval() -> None:
    assert per_second(GROWN) == 1.0
    assert per_second(replace(GROWN, outcome=RESET)) is None
    assert per_second(replace(GROWN, duration_s=None)) is None


def test_slow_collector_is_not_stale_between_polls() -> None:
    assert is_fresh(replace(GROWN, duration_s=300.0), NOW + timedelta(seconds=600), 30.0)
    assert is_fresh(GROWN, NOW + timedelta(seconds=120), 2.0)
    assert not is_fresh(GROWN, NOW + timedelta(seconds=160), 30.0)


def test_bins_preserve_the_sum_and_show_gaps() -> None:
    past = Past.of_reports(
        np.array([30.0, 60, 150]), np.array([30.0, 30, 30]), np.array([3.0, 0, np.nan]), growth=True
    )
    bins = in_bins(past, 0, 180, 30.0, growth=True)
    assert bins.mean == [0.1, 0.0, None, None, None, None]
    assert bins.max == bins.min == [0.1, 0.0, None, None, None, None]
    assert bins.coverage == pytest.approx(60 / 180, abs=1e-4)


def test_bins_hold_mean_and_extremes_of_levels() -> None:
    past = Past.of_reports(
        np.array([10.0, 20, 30]), np.full(3, np.nan), np.array([-20.0, 40, 70]), growth=False
    )
    bins = in_bins(past, 0, 60, 30.0, growth=False)
    assert (bins.mean, bins.min, bins.max) == ([30.0, None], [-20.0, None], [70.0, None])


def test_growth_without_an_interval_is_unknown() -> None:
    past = Past.of_reports(np.array([10.0, 20]), np.array([np.nan, 10]), np.array([7.0, 20]), growth=True)
    assert in_bins(past, 0, 20, 20.0, growth=True).mean == [2.0]


def test_bins_of_roll_ups_weigh_as_many_reports_as_they_have() -> None:
    one = Past.of_reports(np.array([100.0]), np.full(1, 50.0), np.array([10.0]), growth=False)
    bin_of_nine = Past(*(np.array([value]) for value in (300.0, 200.0, 20.0, 9.0, 15.0, 25.0)))
    bins = in_bins(one.joined(bin_of_nine), 0, 300, 300.0, growth=False)
    assert (bins.mean, bins.min, bins.max) == ([19.0], [10.0], [25.0])
    assert bins.coverage == pytest.approx(250 / 300, abs=1e-4)
