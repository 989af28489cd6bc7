"""Time expressions."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.errors import Invalid
from backstay.core.timerange import moment, span

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("now", NOW),
        ("now-1h", NOW - timedelta(hours=1)),
        ("now-15m", NOW - timedelta(minutes=15)),
        ("now+2d", NOW + timedelta(days=2)),
        ("2026-03-01T10:00:00Z", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("2026-03-01T10:00:00+02:00", datetime(2026, 3, 1, 8, tzinfo=UTC)),
        ("2026-03-01T10:00:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("today", datetime(2026, 3, 1, tzinfo=UTC)),
        ("now/d", datetime(2026, 3, 1, tzinfo=UTC)),
        ("yesterday", datetime(2026, 2, 28, tzinfo=UTC)),
        ("11:50", datetime(2026, 3, 1, 11, 50, tzinfo=UTC)),
        ("13:50", datetime(2026, 2, 28, 13, 50, tzinfo=UTC)),
        ("12:00:00", NOW),
        ("1772362800", datetime(2026, 3, 1, 11, tzinfo=UTC)),
    ],
)
def test_relative_absolute_and_unix_times_are_parsed(text: str, expected: datetime) -> None:
    assert moment(text, NOW, "start") == expected


CASES = json.loads(
    (Path(__file__).parents[4] / "frontend/src/util/timeCases.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("text", "seconds"), CASES["moments"].items())
def test_grammar_is_that_of_the_browser(text: str, seconds: float) -> None:
    now = datetime.fromtimestamp(CASES["now"], UTC)
    assert moment(text, now, "start").timestamp() == seconds


@pytest.mark.parametrize("text", CASES["invalid"])
def test_what_the_browser_refuses_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        moment(text, NOW, "start")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "24:00",
        "7:5",
        "now-1",
        "now-1h\n",
        "now-1h30",
        "-1",
        "1e9",
        "now-999999999y",
        "0001-01-01",
    ],
)
def test_invalid_time_is_refused_with_its_field(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        moment(text, NOW, "start")
    assert "start" in refused.value.fields


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.text(max_size=40))
def test_any_text_is_a_time_or_invalid(text: str) -> None:
    with contextlib.suppress(Invalid):
        assert moment(text, NOW, "end").tzinfo is not None


def test_range_start_precedes_its_end() -> None:
    assert span("now-1h", "now", NOW) == (NOW - timedelta(hours=1), NOW)
    with pytest.raises(Invalid):
        span("now", "now-1h", NOW)
