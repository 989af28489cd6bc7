"""The day on which a disk is full follows from growth that ends level by level."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.disk_forecast import (
    LONGEST_DAYS,
    RECENT_DAYS,
    LevelUse,
    bytes_per_day,
    daily_growth,
    full_at,
    full_in_days,
)

NOW = datetime(2031, 5, 1, tzinfo=UTC)
SIZE = st.floats(0, 1e12)
DAYS = st.floats(0, 4000)
LEVELS = st.lists(
    st.builds(
        LevelUse, bytes=SIZE, daily_bytes=st.floats(0, 1e9), stored_days=DAYS, kept_days=st.none() | DAYS
    ),
    max_size=6,
)


def level(daily: float, stored: float, kept: float | None, size: float = 0) -> LevelUse:
    return LevelUse(bytes=size, daily_bytes=daily, stored_days=stored, kept_days=kept)


def test_unlimited_level_fills_the_disk_at_its_rate() -> None:
    assert full_in_days([level(10, 100, None)], 250) == 25
    assert full_at(NOW, [level(10, 100, None)], 250) == NOW + timedelta(days=25)


def test_level_that_is_complete_adds_nothing() -> None:
    assert full_in_days([level(10, 100, 100)], 1) is None
    assert level(10, 100, 100, size=1000).predicted_bytes == 1000


def test_growth_slows_down_when_a_level_is_complete() -> None:
    levels = [level(10, 2, 7), level(1, 0, None)]
    assert full_in_days(levels, 54) == pytest.approx(54 / 11)
    assert full_in_days(levels, 56) == 6, "55 in five days, then one a day"


def test_disk_that_is_just_large_enough_is_never_full() -> None:
    assert full_in_days([level(10, 2, 7)], 50.1) is None
    assert full_in_days([level(10, 2, 7)], 50) == 5


def test_shorter_retention_shrinks_the_level() -> None:
    assert level(10, 100, 40, size=1000).predicted_bytes == 400
    assert level(10, 100, None).predicted_bytes is None
    assert level(0, 100, None, size=5).predicted_bytes == 5


def test_more_than_a_century_is_never() -> None:
    assert full_in_days([level(1, 0, None)], LONGEST_DAYS + 1) is None
    assert full_in_days([], 0) is None


def test_only_recent_days_count() -> None:
    assert bytes_per_day([10_000, *[100] * RECENT_DAYS]) == 100
    assert bytes_per_day([100, 200]) == 150
    assert bytes_per_day([]) == 0


def test_growth_of_nothing_is_zero() -> None:
    assert daily_growth([], 0) == 0
    assert daily_growth([10, 20], 3) == 10


@given(LEVELS, st.floats(1, 1e13))
def test_on_that_day_exactly_the_free_space_is_used(levels: list[LevelUse], free: float) -> None:
    days = full_in_days(levels, free)
    if days is None:
        assert sum(known.added_bytes(LONGEST_DAYS) for known in levels) < free * (1 + 1e-9)
    else:
        assert sum(known.added_bytes(days) for known in levels) == pytest.approx(free, rel=1e-6)
