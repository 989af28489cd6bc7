"""Levels of roll-ups: which of them a chart reads, and when a row is complete."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.rollups.levels import (
    DAY_S,
    FINE,
    GRACE_S,
    HOUR_S,
    LEVELS,
    MARGIN_S,
    MOST_SAMPLES,
    DeviceMark,
    closed_until,
    coarsest,
    late_before,
    parse_days,
    segments,
    sources,
    step_of,
)

NOW = 1_772_366_400.0 + 10 * HOUR_S
TODAY = math.floor(NOW / DAY_S) * DAY_S
MARK = DeviceMark(since=TODAY - 500 * DAY_S, fine_until=NOW - HOUR_S, coarse_until=TODAY)
KEPT = {"5m": TODAY - 60 * DAY_S, "1h": TODAY - 400 * DAY_S, "1d": TODAY - 3000 * DAY_S}
STORED = sources(TODAY - 7 * DAY_S, MARK, KEPT)


def chosen(start: float, end: float = NOW, points: int = 600, interval_s: float = 30.0) -> list[str]:
    return [item.source.name for item in segments(STORED, start, end, points, interval_s)]


def test_rows_of_a_level_are_whole_bins_and_its_parent_is_finer() -> None:
    names = ["samples", *(level.name for level in LEVELS)]
    for level in LEVELS:
        assert level.row_s % level.width_s == 0
        assert names.index(level.parent) < names.index(level.name)
    assert [one.days < other.days for one, other in pairwise(LEVELS)] == [True, True]


def test_level_follows_from_the_width_of_a_bin() -> None:
    assert chosen(NOW - 6 * HOUR_S) == ["samples"]
    assert chosen(NOW - DAY_S) == ["samples"]
    assert chosen(NOW - 7 * DAY_S) == ["5m", "samples"]
    assert chosen(NOW - 365 * DAY_S) == ["1h", "5m", "samples"]
    assert chosen(NOW - 500 * DAY_S) == ["1d", "1h", "5m", "samples"]


def test_a_short_range_beyond_the_samples_is_read_from_what_is_stored() -> None:
    start = TODAY - 30 * DAY_S
    assert chosen(start, start + HOUR_S) == ["5m"]
    found = segments(STORED, start, start + HOUR_S, 600, 30.0)
    assert step_of(found, start, start + HOUR_S, 600, 30.0) == FINE.width_s
    assert chosen(TODAY - 7 * DAY_S - HOUR_S, TODAY - 7 * DAY_S + HOUR_S) == ["5m", "samples"]


def test_more_samples_than_one_chart_may_read_are_replaced_by_a_level() -> None:
    start, interval_s = NOW - 5 * DAY_S, 5 * DAY_S / MOST_SAMPLES / 2
    assert chosen(start, points=5000, interval_s=30.0) == ["samples"]
    assert chosen(start, points=5000, interval_s=interval_s) == ["5m", "samples"]


def test_a_device_that_was_never_rolled_up_has_only_samples() -> None:
    found = segments(sources(-math.inf, None, {}), NOW - 7 * DAY_S, NOW, 600, 30.0)
    assert [item.source.name for item in found] == ["samples"]
    assert coarsest(found) == "samples"
    assert segments(sources(NOW, None, {}), NOW - DAY_S, NOW - HOUR_S, 600, 30.0) == []


def test_time_before_a_devices_first_hour_makes_no_chart_coarser() -> None:
    since = TODAY + 8 * HOUR_S
    mark = DeviceMark(since, NOW + DAY_S - HOUR_S, TODAY + DAY_S)
    known = sources(since, mark, dict.fromkeys(KEPT, 0.0))
    for start in (since - 60, since - HOUR_S, TODAY - DAY_S):
        found = segments(known, start, NOW + DAY_S, 2000, 30.0)
        assert [(item.source.name, item.start) for item in found] == [("samples", since)]
    (found_day,) = segments(known, TODAY - DAY_S, TODAY + DAY_S, 2, 30.0)
    assert (found_day.source.name, found_day.start) == ("1d", TODAY), "the first day's bin is whole"


@given(
    st.floats(0, 900 * DAY_S),
    st.floats(60, 900 * DAY_S),
    st.integers(10, 5000),
    st.sampled_from([2.0, 30.0, 299.5]),
)
def test_segments_are_consecutive_and_bins_are_whole(
    ago: float, length: float, points: int, interval_s: float
) -> None:
    end = NOW - ago
    start = end - length
    found = segments(STORED, start, end, points, interval_s)
    assert all(one.end == other.start for one, other in pairwise(found))
    assert all(item.start < item.end for item in found)
    if found:
        assert found[-1].end == end
        assert found[0].start == max(start, TODAY - 500 * DAY_S)
    step = step_of(found, start, end, points, interval_s)
    assert all(not item.source.width_s or step % item.source.width_s == 0 for item in found)
    assert (end - start) / step <= points * (1 + 1e-9)
    assert all(item.start % item.source.width_s == 0 for item in found[1:] if item.source.width_s)


def test_a_row_is_complete_after_its_grace() -> None:
    hour = math.floor(NOW / HOUR_S) * HOUR_S
    assert closed_until(hour + GRACE_S - 1, HOUR_S) == hour - HOUR_S
    assert closed_until(hour + GRACE_S, HOUR_S) == hour
    assert late_before(hour + GRACE_S - MARGIN_S) == hour, "what commits within the margin is recognised"


def test_days_of_levels_are_parsed() -> None:
    assert parse_days([], 7) == {"5m": 62, "1h": 400, "1d": 3650}
    assert parse_days(["5m=30", "1d=800"], 7) == {"5m": 30, "1h": 400, "1d": 800}


@pytest.mark.parametrize("part", ["5m", "5min=3", "5m=-1", "5m=8", "1h=61", "1d=399", "1d=99999"])
def test_days_that_cannot_apply_are_refused(part: str) -> None:
    with pytest.raises(ValueError, match=r"days"):
        parse_days([part], 7)
