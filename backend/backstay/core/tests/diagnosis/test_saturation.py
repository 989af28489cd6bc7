"""Saturation of a link direction."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.alerting.saturation import Count, Thresholds, judge
from backstay.core.model.load import Load

START = datetime(2026, 3, 1, tzinfo=UTC)
INTERVAL_S = 2.0
RULE = Thresholds()


def load(used: float, at_s: float, *, fresh: bool = True) -> Load:
    return Load(
        bps=round(used * 1e8),
        utilisation=used,
        peak_bps=None,
        at=START + timedelta(seconds=at_s),
        fresh=fresh,
    )


def after(used: list[float], count: Count | None = None, first_s: float = 0.0) -> list[bool]:
    """Whether it fires after each sample of a series at the normal interval."""
    count, fired = count or Count(), []
    for number, value in enumerate(used):
        count = judge(count, load(value, first_s + number * INTERVAL_S), RULE, INTERVAL_S)
        fired.append(count.firing)
    return fired


def test_three_consecutive_samples_raise() -> None:
    assert after([0.95, 0.95, 0.95, 0.95]) == [False, False, True, True]


def test_sample_below_the_mark_resets_the_count() -> None:
    assert after([0.95, 0.95, 0.89, 0.95, 0.95, 0.95]) == [False] * 5 + [True]


def test_samples_between_the_marks_change_nothing() -> None:
    assert after([0.95] * 3 + [0.80] * 20) == [False, False] + [True] * 21


def test_three_samples_below_the_lower_mark_clear() -> None:
    assert after([0.95] * 3 + [0.5, 0.5, 0.5]) == [False, False, True, True, True, False]


def test_a_short_dip_does_not_clear() -> None:
    assert after([0.95] * 3 + [0.1, 0.95, 0.1, 0.1, 0.95]) == [False, False] + [True] * 6


def test_sample_counts_once() -> None:
    count = Count()
    for _ in range(10):
        count = judge(count, load(1.0, 0), RULE, INTERVAL_S)
    assert count.bad == 1


def test_report_of_the_other_end_is_not_a_new_sample() -> None:
    count = judge(Count(), load(1.0, 0), RULE, INTERVAL_S)
    assert judge(count, load(1.0, 0.6), RULE, INTERVAL_S) == count


def test_stale_or_missing_data_changes_nothing() -> None:
    firing = Count(firing=True, judged_at=START)
    assert judge(firing, None, RULE, INTERVAL_S) == firing
    assert judge(firing, load(0.0, 60, fresh=False), RULE, INTERVAL_S) == firing
    assert judge(Count(), load(1.0, 60, fresh=False), RULE, INTERVAL_S) == Count()


def test_samples_across_a_gap_are_not_consecutive() -> None:
    count = Count()
    for at_s in (0, 2, 60):
        count = judge(count, load(1.0, at_s), RULE, INTERVAL_S)
    assert (count.firing, count.bad) == (False, 1)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.floats(0, 1.2), max_size=60))
def test_saturation_matches_its_definition(series: list[float]) -> None:
    firing, run, quiet, expected = False, 0, 0, []
    for used in series:
        run = run + 1 if used >= RULE.raise_at else 0
        quiet = quiet + 1 if used < RULE.clear_at else 0
        if not firing and run >= RULE.samples:
            firing, quiet = True, 0
        elif firing and quiet >= RULE.samples:
            firing, run = False, 0
        expected.append(firing)
    assert after(series) == expected


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.tuples(st.floats(0, 1.2), st.booleans()), max_size=40))
def test_repeated_evaluation_changes_nothing(series: list[tuple[float, bool]]) -> None:
    count = Count()
    for number, (used, fresh) in enumerate(series):
        sample = load(used, number * INTERVAL_S, fresh=fresh)
        count = judge(count, sample, RULE, INTERVAL_S)
        assert judge(count, sample, RULE, INTERVAL_S) == count or (not count.firing and not count.judged_at)
