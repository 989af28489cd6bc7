"""How much disk the archive of samples takes, from what its days took."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

RECENT_DAYS = 28
"""Days from which the use of coming days is predicted: whole weeks."""
_LONGEST = timedelta(days=36_500)


def bytes_per_day(days: Sequence[int]) -> float:
    """Mean octets of the newest RECENT_DAYS; `days` in order of time. 0 if there are none."""
    recent = days[-RECENT_DAYS:]
    return sum(recent) / len(recent) if recent else 0.0


def full_at(
    now: datetime, free_bytes: int, daily_bytes: float, removed_bytes: float = 0.0
) -> datetime | None:
    """When a disk is full whose use grows by the difference each day; None: not within a century."""
    growth = daily_bytes - removed_bytes
    if growth <= 0 or free_bytes / growth >= _LONGEST.days:
        return None
    return now + timedelta(days=free_bytes / growth)
