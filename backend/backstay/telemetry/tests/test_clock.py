"""How an agent's times become ours, whatever its clock says and however slow the way was."""

from __future__ import annotations

import pytest

from backstay.telemetry.ingest.clock import DAY, SECOND, Correction
from backstay_wire import ClockReading

NOW = 1_800_000_000 * SECOND


def _reported(offset_s: float, error_s: float) -> ClockReading:
    return ClockReading(offset_ns=int(offset_s * SECOND), error_ns=int(error_s * SECOND))


def test_a_request_that_took_nine_seconds_does_not_move_the_samples() -> None:
    correction = Correction.of(NOW - 9 * SECOND, NOW, _reported(0.01, 0.02))
    assert correction.ours(NOW - 10 * SECOND) == NOW - 10 * SECOND
    assert correction.offset_ms == pytest.approx(10)


def test_a_slow_first_request_says_nothing_of_the_clock() -> None:
    correction = Correction.of(NOW - 9 * SECOND, NOW)
    assert correction.offset_ms is None
    assert correction.shift_ns == 0


@pytest.mark.parametrize("ahead", [365 * DAY, -365 * DAY, 3600 * SECOND, -3600 * SECOND, 5 * SECOND])
def test_a_wrong_clock_is_taken_off_from_the_first_request_on(ahead: int) -> None:
    correction = Correction.of(NOW + ahead, NOW)
    assert correction.ours(NOW + ahead - SECOND) == NOW - SECOND


def test_a_clock_that_was_set_ahead_is_noticed_though_the_agent_does_not_know_yet() -> None:
    correction = Correction.of(NOW + 60 * SECOND, NOW, _reported(0, 0.01))
    assert correction.shift_ns == 60 * SECOND


def test_a_small_offset_is_left_alone() -> None:
    assert Correction.of(NOW, NOW, _reported(1.5, 0.01)).ours(NOW) == NOW


def test_a_bound_too_wide_to_tell_is_not_used() -> None:
    assert Correction.of(NOW - SECOND, NOW, _reported(4, 5)).offset_ns is None
