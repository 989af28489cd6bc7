"""Conversion of an agent's times to ours, for any clock offset and delay."""

from __future__ import annotations

import pytest

from backstay.telemetry.ingest.clock import DAY, SECOND, Correction
from backstay_wire import ClockReading

NOW = 1_800_000_000 * SECOND


def _reported(offset_s: float, error_s: float) -> ClockReading:
    return ClockReading(offset_ns=int(offset_s * SECOND), error_ns=int(error_s * SECOND))


def test_request_of_9_s_does_not_shift_sample_times() -> None:
    correction = Correction.of(NOW - 9 * SECOND, NOW, _reported(0.01, 0.02))
    assert correction.ours(NOW - 10 * SECOND) == NOW - 10 * SECOND
    assert correction.offset_ms == pytest.approx(10)


def test_slow_first_request_gives_no_clock_offset() -> None:
    correction = Correction.of(NOW - 9 * SECOND, NOW)
    assert correction.offset_ms is None
    assert correction.shift_ns == 0


@pytest.mark.parametrize("ahead", [365 * DAY, -365 * DAY, 3600 * SECOND, -3600 * SECOND, 5 * SECOND])
def test_wrong_clock_is_corrected_from_the_first_request(ahead: int) -> None:
    correction = Correction.of(NOW + ahead, NOW)
    assert correction.ours(NOW + ahead - SECOND) == NOW - SECOND


def test_forward_clock_step_is_detected_before_the_agent_reports_it() -> None:
    correction = Correction.of(NOW + 60 * SECOND, NOW, _reported(0, 0.01))
    assert correction.shift_ns == 60 * SECOND


def test_small_offset_is_not_corrected() -> None:
    assert Correction.of(NOW, NOW, _reported(1.5, 0.01)).ours(NOW) == NOW


def test_offset_with_a_large_error_is_not_used() -> None:
    assert Correction.of(NOW - SECOND, NOW, _reported(4, 5)).offset_ns is None
