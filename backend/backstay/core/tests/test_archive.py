"""Prediction of the archive's disk use."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from backstay.core.archive import RECENT_DAYS, bytes_per_day, full_at

NOW = datetime(2031, 5, 1, tzinfo=UTC)


def test_only_recent_days_count() -> None:
    assert bytes_per_day([10_000, *[100] * RECENT_DAYS]) == 100
    assert bytes_per_day([100, 200]) == 150
    assert bytes_per_day([]) == 0


def test_disk_is_full_when_the_growth_has_used_it() -> None:
    assert full_at(NOW, 1000, 100) == NOW + timedelta(days=10)
    assert full_at(NOW, 1000, 100, removed_bytes=50) == NOW + timedelta(days=20)


def test_disk_that_does_not_grow_or_lasts_a_century_has_no_date() -> None:
    assert full_at(NOW, 1000, 0) is None
    assert full_at(NOW, 1000, 100, removed_bytes=100) is None
    assert full_at(NOW, 10**15, 1) is None
