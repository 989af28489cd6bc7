"""How long an incident that comes back stays open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from backstay.core.alerting.flapping import LONGEST_HOLD, STABLE, hold, is_return

BRIEF = timedelta(seconds=5)
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


def test_hold_begins_with_the_sixth_occurrence_and_doubles_up_to_a_limit() -> None:
    held = [hold(returns, BRIEF).total_seconds() for returns in range(3, 12)]
    assert held == [0, 0, 60, 120, 240, 480, 900, 900, 900]


def test_condition_that_lasted_resolves_with_its_end() -> None:
    assert hold(8, STABLE) == timedelta()


def test_incident_is_reopened_within_a_minute_or_its_last_hold() -> None:
    after = timedelta(seconds=100)
    assert is_return(NOW - timedelta(seconds=60), 0, NOW)
    assert not is_return(NOW - after, 0, NOW)
    assert is_return(NOW - after, 6, NOW)


@given(st.integers(min_value=0, max_value=10_000))
def test_hold_never_shrinks_and_never_exceeds_its_limit(returns: int) -> None:
    assert hold(returns, BRIEF) <= hold(returns + 1, BRIEF) <= LONGEST_HOLD


def hundred_flaps() -> int:
    """Openings of a port that fails every 36 s for 10 s, for an hour."""
    openings, returns, resolved_at = 0, 0, None
    is_open = False
    for flap in range(100):
        begins = NOW + timedelta(seconds=36 * flap)
        if is_open:
            returns += 1
        else:
            returns = (
                returns + 1 if resolved_at is not None and is_return(resolved_at, returns, begins) else 0
            )
            openings, is_open = openings + 1, True
        over = begins + timedelta(seconds=10)
        if over + hold(returns, timedelta(seconds=10)) < begins + timedelta(seconds=36):
            is_open, resolved_at = False, over
    return openings


def test_hundred_flaps_in_an_hour_open_one_incident_six_times() -> None:
    assert hundred_flaps() == 6
