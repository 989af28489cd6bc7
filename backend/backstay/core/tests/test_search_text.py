"""What is an address, a hardware address, or a list of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.search_text import MOST_TERMS, parse


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("10.1.0.7", "10.1.0.7/32"),
        (" 10.1.0.7/24 ", "10.1.0.7/32"),
        ("10.1.0.0/24", "10.1.0.0/24"),
        ("10.1.", "10.1.0.0/16"),
        ("10.1.7", "10.1.7.0/24"),
        ("[2001:DB8:0::0007]", "2001:db8::7/128"),
        ("fe80::1%eth0", "fe80::1/128"),
        ("2001:db8::/32", "2001:db8::/32"),
    ],
)
def test_an_address_is_recognised_in_any_form(text: str, network: str) -> None:
    assert str(parse(text).network) == network


@pytest.mark.parametrize("text", ["", "10", "sp01", "sp01:css0", "10.300.1", "1.2.3.4.5", "#42"])
def test_anything_else_is_no_address(text: str) -> None:
    assert parse(text).network is None


@pytest.mark.parametrize(
    "text", ["02:00:5e:00:00:01", "2:0:5E:0:0:1", "0200.5e00.0001", "02-00-5E-00-00-01", "02005E000001"]
)
def test_a_hardware_address_is_recognised_in_any_notation(text: str) -> None:
    assert parse(text).mac == "02:00:5e:00:00:01"


def test_words_are_separated_by_spaces_and_colons() -> None:
    assert parse(" SP01:css0  up ").terms == ("sp01", "css0", "up")


def test_hardware_address_is_one_word() -> None:
    assert parse("00:BA:9a:8e:61:04").terms == ("00:ba:9a:8e:61:04",)
    assert parse("00:ba:9a").terms == ("00:ba:9a",)


@given(st.text(max_size=200))
def test_no_text_is_refused(text: str) -> None:
    found = parse(text)
    assert len(found.terms) <= MOST_TERMS
    assert all(term and term == term.casefold() for term in found.terms)
