"""Circuit labels: limits and allocation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.model.circuit import PORT_CAPACITY, Kind, Label, out_of_range, places, read_label
from backstay.core.planning.circuits.assignment import Clash, Ledger, PortFull, assign, label_at, rank
from backstay.core.planning.circuits.mesh import Mesh, full_count, numbered
from backstay.core.planning.circuits.routes import SwitchRow, Wanted, plan
from backstay.core.tests.planning.circuit_values import labels, pvc


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0/31", "a VCI from 32 on: the lower ones are reserved for signalling"),
        ("0/32768", "a VCI of at most 32767 on VPI 0"),
        ("1/512", "a VCI of at most 511 on VPI 1"),
        ("16/32", "a VPI from 0 to 15"),
        ("0130", "VPI/VCI, such as 0/130"),
        ("0/0130", "VPI/VCI, such as 0/130"),
    ],
)
def test_invalid_label_is_refused_with_the_expected_range(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=f"^{expected}$"):
        read_label("pvc", text)


@pytest.mark.parametrize("text", ["0/32", "0/32767", "15/511", "1/32"])
def test_range_limits_are_valid_labels(text: str) -> None:
    assert str(read_label("pvc", text)) == text


def test_vlan_id_is_1_to_4094() -> None:
    assert str(read_label("vlan", "4094")) == "4094"
    for text in ("0", "4095", "1/2", "x"):
        with pytest.raises(ValueError, match="a VLAN id from 1 to 4094"):
            read_label("vlan", text)


@given(labels)
def test_label_round_trip(label: Label) -> None:
    assert read_label("pvc", str(label)) == label


def every_label(kind: Kind) -> list[Label]:
    found: list[Label] = []
    while (label := label_at(kind, len(found))) is not None:
        found.append(label)
    return found


@given(labels)
def test_label_at_is_the_inverse_of_rank(label: Label) -> None:
    assert label_at("pvc", rank(label)) == label


def test_vlan_1_is_allocated_last() -> None:
    assert rank(Label(0, 1, "vlan")) > max(rank(label) for label in every_label("vlan"))


def test_port_capacity_matches_the_limits() -> None:
    every = every_label("pvc")
    assert len(every) == len(set(every)) == PORT_CAPACITY == 39_936
    assert not any(out_of_range(label) for label in every)
    assert every[0] == Label(0, 32)
    assert every_label("vlan")[-1] == Label(0, 4094, "vlan")


@given(st.integers(2, 14), st.integers(1, 4), st.lists(st.integers(32, 60), unique=True))
def test_full_mesh_has_n_n_minus_1_halves_circuits_with_unique_labels(
    hosts: int, switches: int, taken: list[int]
) -> None:
    group = numbered("h", hosts)
    ledger = Ledger()
    first = SwitchRow(group.members, [f"s{number}" for number in range(switches)], {})
    for vci in taken:
        ledger.take((group.members[0], "at0"), Label(0, vci), "somebody")
    made = plan(Wanted(Mesh((group,)), "full"), first, ledger)
    assert len(made) == full_count(hosts)
    used = [(place, side.label) for circuit in made for _, place, side in places(circuit)]
    assert len(used) == len(set(used))
    own = {label.vci for (node, _), label in used if node == group.members[0]}
    assert not own & set(taken)
    for circuit in made:
        for hop, following in zip(circuit.hops, circuit.hops[1:], strict=False):
            assert hop.out is not None
            assert following.into is not None
            assert hop.out.label == following.into.label


def test_used_label_is_refused_with_both_owners() -> None:
    ledger = Ledger([pvc("grf-origin")])
    with pytest.raises(Clash, match="0/130 on grf1:ga030 is requested by second, but grf-origin has it"):
        ledger.enter(pvc("second"))


def test_label_changes_only_if_none_is_free_on_the_whole_path() -> None:
    path = [(("a", "p"), ("s", "1")), (("s", "2"), ("b", "p"))]
    ledger = Ledger()
    every = every_label("pvc")
    for label in every[:-1]:
        ledger.take(("a", "p"), label, "other")
    ledger.take(("b", "p"), every[-1], "other")
    made = assign(ledger, "mine", "pvc", path)
    assert [str(side.label) for _, _, side in places(made)] == ["15/511", "15/511", "0/32", "0/32"]


def test_vlan_keeps_its_id_or_is_refused() -> None:
    path = [(("a", "p"), ("s", "1")), (("s", "2"), ("b", "p"))]
    ledger = Ledger()
    for number, label in enumerate(every_label("vlan")):
        ledger.take(("a", "p") if number % 2 else ("b", "p"), label, "other")
    with pytest.raises(PortFull, match="no VLAN id is free on its whole path"):
        assign(ledger, "mine", "vlan", path)
