"""Faults of circuits: labels, shapes, addresses and states."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_interface

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backstay.core.model.circuit import Circuit, Label, Place, places
from backstay.core.planning.circuits.consistency import (
    CircuitFault,
    CircuitState,
    Network,
    ReportedCircuits,
    check,
    owned,
)
from backstay.core.tests.planning.circuit_values import OC12, labels, pvc

UP: dict[Label, CircuitState] = {Label(0, 130): "up"}


def network(
    circuit: Circuit, reported: dict[Place, ReportedCircuits] | None = None, **addresses: str
) -> Network:
    ends = {"grf1": "ga030", "origin1": "at0"}
    return Network(
        {(node, ends[node]): (ip_interface(text),) for node, text in addresses.items()},
        reported or {},
        owned([circuit]),
    )


def checked(
    circuit: Circuit, reported: dict[Place, ReportedCircuits] | None = None, **addresses: str
) -> list[CircuitFault]:
    return check(circuit, network(circuit, reported, **addresses))


def test_consistent_circuit_has_no_fault() -> None:
    reported = {place: ReportedCircuits(UP) for _, place, _ in places(pvc())}
    assert checked(pvc(), reported, grf1="10.3.0.1/30", origin1="10.3.0.2/30") == []


def test_switch_may_change_the_label() -> None:
    assert checked(pvc("x", 130, 130, 131, 131, 132, 132)) == []


@given(st.integers(0, 5), labels)
def test_wrong_label_is_found_at_its_hop(side: int, wrong: Label) -> None:
    assume(wrong != Label(0, 130))
    good = pvc()
    number, _, was = places(good)[side]
    hop = good.hops[number]
    bad = replace(was, label=wrong)
    hops = list(good.hops)
    hops[number] = replace(hop, into=bad) if hop.into is was else replace(hop, out=bad)
    faults = checked(replace(good, hops=tuple(hops)))
    assert [(fault.kind, fault.hop) for fault in faults] == [("label", number)]
    assert str(wrong) in faults[0].text
    assert hop.node in faults[0].text


def test_device_table_decides_if_the_label_changes_anyway() -> None:
    circuit = pvc("x", 130, 130, 131, 231, 132, 132)
    reported = {("asx2", "2A1"): ReportedCircuits({Label(0, 131): "up"})}
    fault = next(item for item in checked(circuit, reported) if item.kind == "label")
    assert (fault.hop, fault.node, fault.direction) == (2, "asx2", "into")
    assert "asx1 sends 0/131 out of 1B1, and asx2 expects 0/231 on 2A1" in fault.text


def test_missing_label_names_the_unused_label() -> None:
    reported = {("grf1", "ga030"): ReportedCircuits({Label(0, 230): "up"})}
    (fault,) = checked(pvc(), reported)
    assert (fault.kind, fault.hop, fault.direction) == ("missing", 0, "out")
    assert fault.text == (
        "grf1:ga030 has no 0/130; it has 0/230, which no circuit uses:"
        " probably this circuit with a wrong label."
    )


def test_label_of_another_circuit_is_not_reported_as_typo() -> None:
    other = pvc("other", *(140,) * 6)
    reported = {("grf1", "ga030"): ReportedCircuits({Label(0, 140): "up"})}
    faults = check(pvc(), Network({}, reported, owned([pvc(), other])))
    assert [fault.text for fault in faults] == ["grf1:ga030 has no 0/130."]


@pytest.mark.parametrize(
    ("reported", "text"),
    [
        (ReportedCircuits({Label(0, 130): "down"}), "0/130 on origin1:at0 is down."),
        (ReportedCircuits(UP, frozenset({Label(0, 130)})), "0/130 on origin1:at0 is administratively down."),
        (
            ReportedCircuits(UP, wrong={Label(0, 130): "next hop inactive"}),
            "0/130 on origin1:at0: next hop inactive.",
        ),
    ],
)
def test_down_hop_is_named(reported: ReportedCircuits, text: str) -> None:
    (fault,) = checked(pvc(), {("origin1", "at0"): reported})
    assert (fault.kind, fault.hop, fault.text) == ("down", 3, text)


def test_different_shape_is_named_with_its_values() -> None:
    hops = list(pvc().hops)
    hops[1] = replace(hops[1], shape=replace(OC12, name="slow", peak=15_000_000))
    faults = checked(replace(pvc(), hops=tuple(hops)))
    assert [(fault.hop, fault.node) for fault in faults] == [(1, "asx1")]
    assert faults[0].text == "asx1 and grf1 shape it differently: peak 15000000 instead of 500000000."


def test_ends_without_a_common_network_are_named() -> None:
    (fault,) = checked(pvc(), grf1="10.3.0.1/30", origin1="10.3.0.6/30")
    assert fault.kind == "subnet"
    assert "origin1:at0 has 10.3.0.6/30, which is in no network of grf1:ga030" in fault.text
