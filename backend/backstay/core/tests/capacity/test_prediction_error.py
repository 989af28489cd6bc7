"""Errors of predicted loads: signs, shares, and what is unknown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.planning.whatif.prediction_error import (
    PredictedLoad,
    load_errors,
    summarise,
    unmoved,
)

LOADS = st.integers(min_value=0, max_value=10**12)


def predicted(link: int, bps: int, usable: int | None = 100, *, is_measured: bool = True) -> PredictedLoad:
    return PredictedLoad((link, False), bps, usable, is_measured)


def test_an_error_is_a_share_of_the_rate_and_of_the_prediction() -> None:
    (error,) = load_errors([predicted(1, 40)], {(1, False): 50, (1, True): 7})
    assert error.share == pytest.approx(0.1)
    assert error.relative == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("item", "measured"),
    [
        (predicted(1, 40), None),
        (predicted(1, 40, None), 50),
        (predicted(1, 40, is_measured=False), 50),
    ],
)
def test_what_is_unknown_has_no_share_and_spoils_the_summary(
    item: PredictedLoad, measured: int | None
) -> None:
    errors = load_errors([item, predicted(2, 10)], {(1, False): measured, (2, False): 10})
    assert errors[0].share is None
    assert summarise(errors) is None


def test_nothing_predicted_has_no_summary() -> None:
    assert summarise([]) is None


@given(st.lists(st.tuples(LOADS, LOADS), min_size=1, max_size=20))
def test_the_worst_is_at_least_the_median_and_zero_only_if_all_is_right(pairs: list[tuple[int, int]]) -> None:
    items = [predicted(link, bps, 10**9) for link, (bps, _) in enumerate(pairs)]
    found = summarise(load_errors(items, {(link, False): real for link, (_, real) in enumerate(pairs)}))
    assert found is not None
    assert found.worst >= found.median >= 0
    assert (found.worst == 0) == all(bps == real for bps, real in pairs)


def test_missing_nodes_are_counted_by_policy() -> None:
    assert unmoved({"a": 3, "b": 2}, {"a": 4, "b": 1}) == 1
    assert unmoved({"a": 3}, {}) == 3
