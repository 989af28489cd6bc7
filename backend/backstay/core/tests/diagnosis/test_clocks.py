"""Steps, drift and limits of clocks."""

from __future__ import annotations

import pytest

from backstay.core.diagnosis.clocks import (
    MOST_POINTS,
    Limits,
    Offset,
    at_reboot,
    chip,
    is_off,
    rate,
    remembered,
    reported_step,
    step,
)

DAY = 86_400.0


def test_a_clock_that_went_back_a_month_was_set() -> None:
    moved = step(Offset(0, 0.1, 0.5), Offset(60, -31 * DAY, 0.5))
    assert moved is not None
    assert moved == pytest.approx(-31 * DAY - 0.1)
    assert reported_step(moved, reboot=True) == "clock went back 31 d at its reboot"


def test_what_errors_explain_is_no_step() -> None:
    assert step(Offset(0, -1.0, 0.5), Offset(2, 1.9, 0.5)) is None
    assert step(Offset(0, -1.0, 0.5), Offset(2, 2.1, 0.5)) == pytest.approx(3.1)


def test_a_clock_that_drifted_while_nobody_looked_was_not_set() -> None:
    assert step(Offset(0, 0.0, 0.0), Offset(DAY, 40.0, 0.0)) is None
    assert step(Offset(0, 0.0, 0.0), Offset(DAY, 50.0, 0.0)) is not None


def test_a_clock_that_stands_still_is_not_set_each_time() -> None:
    assert step(Offset(0, -100.0, 0.5), Offset(60, -160.2, 0.5)) is None


def test_a_reboot_counts_only_between_the_two_looks() -> None:
    assert at_reboot(50, 0, 60)
    assert not at_reboot(-5, 0, 60)
    assert not at_reboot(None, 0, 60)


def test_an_offset_is_judged_by_what_is_certain_and_ends_later_than_it_began() -> None:
    limits = Limits(raise_s=10, clear_s=5)
    assert not is_off(Offset(0, 10.4, 0.5), limits, firing=False)
    assert is_off(Offset(0, -10.6, 0.5), limits, firing=False)
    assert is_off(Offset(0, 7.0, 0.5), limits, firing=True)
    assert not is_off(Offset(0, 5.4, 0.5), limits, firing=True)


def test_the_drift_is_the_slope_since_the_last_step() -> None:
    old = [Offset(t, 500.0, 0.0) for t in (0.0, 60.0, 120.0)]
    points = [*old, *(Offset(t, 50e-6 * t, 0.01) for t in range(200, 1400, 60))]
    found = rate(points, since=180)
    assert found is not None
    assert found.ppm == pytest.approx(50)
    assert found.error_ppm == pytest.approx(0.02 / 1140 * 1e6)
    assert rate(points[:6], since=180) is None


def test_the_past_stays_bounded_and_reaches_further_back_as_it_grows() -> None:
    points: list[Offset] = []
    for minute in range(1000):
        points = remembered(points, Offset(minute * 60.0, 0.0, 0.0))
    assert len(points) <= MOST_POINTS
    assert points[0].at == 0
    assert points[-1].at == 999 * 60
    assert [point.at for point in points] == sorted(point.at for point in points)


def test_a_chip_is_shown_only_for_what_is_certain() -> None:
    assert chip(Offset(0, 2.4, 0.5)) == ""
    assert chip(Offset(0, -31 * DAY, 0.5)) == "clock 31 d behind"
