"""The address rule of a switch without ARP: violations, numbers and run time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.planning.arp.rule import AddressRule, rule
from backstay.core.tests.planning.arp_sites import FABRIC, Complex


def judged(site: Complex) -> AddressRule:
    return rule(site.site().members[FABRIC])


def test_consecutive_nodes_obey_the_rule() -> None:
    checked = judged(Complex(5))
    assert checked.constant == 1
    assert checked.broken == ()


def test_wrong_address_names_the_numbers_of_both_nodes() -> None:
    (line,) = judged(Complex(4, addresses={"sp02": ("10.1.0.77/16",)})).broken
    assert line.verdict == "breaks"
    assert "sp02 has host part 77 (10.1.0.77) and switch node number 1: the difference is 76" in line.text
    assert "1 for the others, as grf1 has host part 254 (10.1.0.254) and switch node number 253" in line.text
    assert "Its host part must be 2." in line.text


def test_duplicate_number_names_both_nodes() -> None:
    (line,) = judged(Complex(3, numbers={"sp03": 0})).broken
    assert line.verdict == "twice"
    assert "sp03 and sp01 both have switch node number 0" in line.text


def test_node_without_number_or_address_is_reported() -> None:
    lines = judged(Complex(3, numbers={"sp01": None}, addresses={"sp02": ("fd00::2/64",)})).broken
    assert [(line.member.name, line.verdict) for line in lines] == [
        ("sp01", "no_number"),
        ("sp02", "no_address"),
    ]


def test_rule_applies_to_extension_nodes() -> None:
    (line,) = judged(Complex(3, addresses={"grf1": ("10.1.3.9/16",)})).broken
    assert line.member.extension
    assert line.difference == 3 * 256 + 9 - 253


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 150), st.sets(st.integers(0, 90), min_size=3, max_size=20), st.data())
def test_any_constant_is_found_and_any_shift_breaks_it(
    constant: int, numbers: set[int], data: st.DataObject
) -> None:
    own = {f"sp{place:02}": number for place, number in enumerate(sorted(numbers), start=1)}
    site = Complex(len(own), with_grf=False, numbers=dict(own))
    site.addresses = {name: (f"10.1.0.{constant + number}/16",) for name, number in own.items()}
    assert judged(site).constant == constant
    assert not judged(site).broken
    moved = data.draw(st.sampled_from(sorted(own)))
    step = data.draw(st.integers(1, 200))
    site.addresses[moved] = (f"10.1.{1 + step}.{constant + own[moved]}/16",)
    assert [line.member.name for line in judged(site).broken] == [moved]
