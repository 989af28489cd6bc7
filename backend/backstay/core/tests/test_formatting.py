"""Numbers and times as text: golden examples for all clients."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from backstay.core import formatting
from backstay.core.client_spec import client_spec

FUNCTIONS: dict[str, Callable[[Any], str]] = {
    "rate": formatting.rate,
    "bytes": formatting.byte_size,
    "share": formatting.share,
    "milliseconds": formatting.milliseconds,
    "duration": formatting.duration,
    "grouped": formatting.grouped,
    "listing": formatting.listing,
}
SPEC: Any = client_spec()


@pytest.mark.parametrize("kind", SPEC["formatting"]["examples"])
def test_golden_examples(kind: str) -> None:
    examples = SPEC["formatting"]["examples"][kind]
    assert [FUNCTIONS[kind](value) for value, _ in examples] == [text for _, text in examples]


def test_counts_agree_with_their_noun() -> None:
    assert formatting.count(1, "path") == "1 path"
    assert formatting.count(2, "path") == "2 paths"
    assert formatting.count(2, "item needs", "items need") == "2 items need"


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0 ms"),
        (0.2, "1 ms"),
        (131.4, "131 ms"),
        (999.7, "1 s"),
        (2041, "2.041 s"),
        (20_350, "20.35 s"),
        (60_000, "1 min"),
        (65_300.4, "1 min 5.3 s"),
        (7_265_300, "2 h 1 min"),
    ],
)
def test_measured_times_have_milliseconds(ms: float, text: str) -> None:
    assert formatting.precise(ms) == text


def test_client_spec_is_plain_json() -> None:
    assert json.loads(json.dumps(SPEC)) == SPEC


def test_a_time_of_day_is_in_utc_and_has_its_date_unless_it_is_today() -> None:
    at = datetime(2026, 11, 23, 0, 32, tzinfo=timezone(timedelta(hours=2)))
    assert formatting.clock_time(at) == "2026-11-22 22:32 UTC"
    assert formatting.clock_time(at, datetime(2026, 11, 22, 1, tzinfo=UTC)) == "22:32 UTC"
    assert formatting.clock_time(at, datetime(2026, 11, 23, 1, tzinfo=UTC)) == "2026-11-22 22:32 UTC"
