"""Steps, drift and limits of clocks."""

from __future__ import annotations

import pytest

from backstay.core.diagnosis.clocks import (
    MOST_POINTS,
    Offset,
    OffsetLimits,
    at_reboot,
    chip,
    is_off,
    rate,
    remembered,
    reported_step,
    step,
)

DAY = 86_400.0


def test_clock_set_back_by_a_month_is_a_step() -> None:
    moved = step(Offset(0, 0.1, 0.5), Offset(60, -31 * DAY, 0.5))
    assert moved is not None
    assert moved == pytest.approx(-31 * DAY - 0.1)
    assert reported_step(moved, reboot=True) == "clock went back 31 d at its reboot"


def test_changes_within_the_error_bounds_are_not_steps() -> None:
    assert step(Offset(0, -1.0, 0.5), Offset(2, 1.9, 0.5)) is None
    assert step(Offset(0, -1.0, 0.5), Offset(2, 2.1, 0.5)) == pytest.approx(3.1)


def test_drift_between_readings_is_not_a_step() -> None:
    assert step(Offset(0, 0.0, 0.0), Offset(DAY, 40.0, 0.0)) is None
    assert step(Offset(0, 0.0, 0.0), Offset(DAY, 50.0, 0.0)) is not None


def test_stopped_clock_is_not_stepped_at_each_reading() -> None:
    assert step(Offset(0, -100.0, 0.5), Offset(60, -160.2, 0.5)) is None


def test_reboot_counts_only_between_the_two_readings() -> None:
    assert at_reboot(50, 0, 60)
    assert not at_reboot(-5, 0, 60)
    assert not at_reboot(None, 0, 60)


def test_offset_alert_uses_the_certain_offset_with_hysteresis() -> None:
    limits = OffsetLimits(raise_s=10, clear_s=5)
    assert not is_off(Offset(0, 10.4, 0.5), limits, firing=False)
    assert is_off(Offset(0, -10.6, 0.5), limits, firing=False)
    assert is_off(Offset(0, 7.0, 0.5), limits, firing=True)
    assert not is_off(Offset(0, 5.4, 0.5), limits, firing=True)


def test_drift_is_the_slope_since_the_last_step() -> None:
    old = [Offset(t, 500.0, 0.0) for t in (0.0, 60.0, 120.0)]
    points = [*old, *(Offset(t, 50e-6 * t, 0.01) for t in range(200, 1400, 60))]
    found = rate(points, since=180)
    assert found is not None
    assert found.ppm == pytest.approx(50)
    assert found.error_ppm == pytest.approx(0.02 / 1140 * 1e6)
    assert rate(points[:6], since=180) is None


def test_history_is_bounded_and_thinned_out() -> None:
    points: list[Offset] = []
    for minute in range(1000):
        points = remembered(points, Offset(minute * 60.0, 0.0, 0.0))
    assert len(points) <= MOST_POINTS
    assert points[0].at == 0
    assert points[-1].at == 999 * 60
    assert [point.at for point in points] == sorted(point.at for point in points)


def test_chip_is_shown_only_for_a_certain_offset() -> None:
    assert chip(Offset(0, 2.4, 0.5)) == ""
    assert chip(Offset(0, -31 * DAY, 0.5)) == "clock 31 d behind"
