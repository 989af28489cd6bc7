"""Incidents that come back: one incident instead of many, open until it was quiet for long enough.

An incident whose condition returns shortly after its end is reopened. From its sixth occurrence on it stays
open after the condition has ended, twice as long each time: a port that goes up and down a hundred times in
an hour is one incident that opens a few times.
"""

from __future__ import annotations

from datetime import datetime, timedelta

REOPENED_WITHIN = timedelta(seconds=60)
"""After its end an incident is reopened within this time, or within its last hold if that was longer."""
FIRST_HOLD = timedelta(seconds=60)
LONGEST_HOLD = timedelta(seconds=900)
HELD_AFTER = 5
"""Returns without a hold."""
STABLE = timedelta(seconds=1800)
"""A condition that lasted so long does not flap: its incident resolves with it."""


def hold(returns: int, lasted: timedelta) -> timedelta:
    """How long an incident stays open without its condition.

    `returns`: how often the condition came back; `lasted`: the length of its last occurrence.
    """
    if returns < HELD_AFTER or lasted >= STABLE:
        return timedelta()
    doublings: int = min(returns - HELD_AFTER, 16)
    return min(FIRST_HOLD * (1 << doublings), LONGEST_HOLD)


def is_return(resolved_at: datetime, returns: int, now: datetime) -> bool:
    """Whether a condition that begins now continues the incident that was resolved then."""
    return now - resolved_at <= max(REOPENED_WITHIN, hold(returns, timedelta()))
