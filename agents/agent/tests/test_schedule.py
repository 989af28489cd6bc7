"""Deadlines: on a grid, without drift, without pile-up."""

from hypothesis import given
from hypothesis import strategies as st

from backstay_agent.schedule import SECOND, first_run, next_run, phase

times = st.integers(min_value=0, max_value=10**18)
periods = st.integers(min_value=1, max_value=3600 * SECOND)


@given(times, periods, st.text())
def test_first_run_is_on_the_grid_within_one_period(now: int, period: int, key: str) -> None:
    shift = phase(key, period)
    due = first_run(now, period, shift)
    assert 0 <= shift < period
    assert 0 <= due - now < period
    assert (due - shift) % period == 0


@given(times, periods, st.integers(min_value=0, max_value=10**12))
def test_late_run_neither_shifts_later_runs_nor_is_repeated(due: int, period: int, late: int) -> None:
    following, missed = next_run(due, due + late, period)
    assert following > due + late
    assert (following - due) % period == 0
    assert missed == late // period


def test_jobs_of_equal_period_are_spread_evenly() -> None:
    shifts = {phase(f"node{number} linux", SECOND) * 10 // SECOND for number in range(200)}
    assert len(shifts) == 10
