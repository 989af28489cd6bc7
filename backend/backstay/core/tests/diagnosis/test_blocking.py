"""Cost of busy HIPPI destinations from a gateway's counters."""

from __future__ import annotations

import pytest

from backstay.core.diagnosis.blocking import (
    GatewayGrowth,
    blocking_factor_s,
    hold_time,
    is_blocked,
    waiting_share,
)


def test_mean_wait_is_independent_of_the_tick_unit() -> None:
    for ticks_a_second in (50_000, 500_000):
        clock = 60.0 * ticks_a_second
        grown = GatewayGrowth(60, clock, clock / 2, delivered=1500, given_up=0)
        assert waiting_share(grown) == 0.5
        assert blocking_factor_s(grown) == pytest.approx(0.02)


def test_discarded_packets_count_in_the_mean_wait() -> None:
    grown = GatewayGrowth(60, 1000, 1000, delivered=1000, given_up=2000)
    assert blocking_factor_s(grown) == pytest.approx(0.02)


def test_no_result_for_a_stopped_clock_or_without_packets() -> None:
    assert blocking_factor_s(GatewayGrowth(60, 0, 0, 10, 0)) is None
    assert blocking_factor_s(GatewayGrowth(60, 1000, 0, 0, 0)) is None


def test_hold_time_as_text() -> None:
    assert hold_time(500) == "500 ticks, 10 ms at 20 µs per tick"
    assert hold_time(0) == "unlimited"
    assert hold_time(None) == "not reported"


@pytest.mark.parametrize(
    ("busy", "given_up", "blocked"),
    [(1.0, 0, True), (0.6, 0, True), (0.2, 0, False), (0.02, 20, True), (0.02, 2, False)],
)
def test_blocked_by_time_or_by_packets_given_up(busy: float, given_up: int, *, blocked: bool) -> None:
    assert is_blocked(GatewayGrowth(60, 1000, 1000 * busy, 4, given_up), 0.5) is blocked
