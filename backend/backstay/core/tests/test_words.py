"""Figures in words."""

from __future__ import annotations

import pytest

from backstay.core import words


@pytest.mark.parametrize(
    ("bps", "text"),
    [
        (0, "0 b/s"),
        (999, "999 b/s"),
        (1000, "1 kb/s"),
        (53_800_000, "53.8 Mb/s"),
        (134_500_000, "134 Mb/s"),
        (622_080_000, "622 Mb/s"),
        (999_999_999, "1 Gb/s"),
        (1.25e9, "1.25 Gb/s"),
        (12.4e9, "12.4 Gb/s"),
        (4e12, "4 Tb/s"),
    ],
)
def test_a_rate_has_three_figures_and_an_si_prefix(bps: float, text: str) -> None:
    assert words.rate(bps) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (0.25, "250 ms"),
        (40, "40 s"),
        (60, "1 min"),
        (125, "2 min 5 s"),
        (3600, "1 h"),
        (11_100, "3 h 5 min"),
        (273_600, "3 d 4 h"),
        (-3, "0 s"),
    ],
)
def test_a_duration_has_at_most_two_units(seconds: float, text: str) -> None:
    assert words.duration(seconds) == text


def test_an_outage_stays_in_milliseconds_up_to_ten_seconds() -> None:
    assert [words.milliseconds(value) for value in (0, 131.4, 9_999, 12_000)] == [
        "0 ms",
        "131 ms",
        "9999 ms",
        "12 s",
    ]


def test_a_listing_names_a_few_and_counts_the_rest() -> None:
    assert words.listing([]) == ""
    assert words.listing(["a"]) == "a"
    assert words.listing(["a", "b"]) == "a and b"
    assert words.listing(list("abcd")) == "a, b, c and d"
    assert words.listing(list("abcdef")) == "a, b, c, d and 2 more"


def test_counts_agree_with_their_noun() -> None:
    assert words.count(1, "path") == "1 path"
    assert words.count(2, "path") == "2 paths"
    assert words.count(2, "thing needs", "things need") == "2 things need"
