"""gratm.conf: round trips, and operator lines unchanged byte for byte."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from backstay.core.model.circuit import Circuit, CircuitNode, Label, Side
from backstay.core.rendering.gratm import renderer
from backstay.core.rendering.gratm.statements import Pvc, Statements, read
from backstay.core.tests.planning.circuit_values import OC12, pvc, statements

OPERATORS = """\
# the ATM cards of grf1
Service name=arp0 type=arp addr=4700
Traffic_Shape name=low \\
\tpeak=15000 qos=low
Interface ga030 service=arp0 traffic_shape=low
PVC ga031 0/131 proto=ip traffic_shape=low   # to the router
"""
BLOCK = """\
# BEGIN backstay circuits atm
Traffic_Shape name=oc12 peak=500000 sustain=500000 burst=2048 qos=high
PVC ga030 0/130 proto=ip traffic_shape=oc12
# END backstay circuits atm
"""


@given(statements)
def test_written_statements_parse_back(sentence: Statements) -> None:
    assert read(renderer.write(sentence)) == sentence


def test_continued_lines_and_comments_are_parsed() -> None:
    sentence = read(OPERATORS)
    assert [(shape.name, shape.peak, shape.qos) for shape in sentence.shapes] == [("low", 15_000_000, "low")]
    assert sentence.pvcs == (Pvc("ga031", Label(0, 131), "ip", shape="low"),)
    assert sentence.interfaces[0].service == "arp0"


def test_pvc_is_written_to_a_block_at_the_end() -> None:
    made = renderer.hand_over("grf1", [pvc()], OPERATORS)
    assert made.after == OPERATORS + BLOCK
    assert made.reset == (3,)


def test_writing_is_idempotent_and_reversible() -> None:
    made = renderer.hand_over("grf1", [pvc()], OPERATORS)
    again = renderer.hand_over("grf1", [pvc()], made.after)
    assert not again.differs
    assert again.reset == ()
    assert renderer.hand_over("grf1", [], made.after).after == OPERATORS


def test_transit_router_cross_connects_its_ports() -> None:
    middle = Circuit(
        "through",
        "pvc",
        (
            CircuitNode("a", None, Side("at0", Label(0, 40))),
            CircuitNode("grf1", Side("ga032", Label(0, 40)), Side("ga050", Label(0, 41))),
            CircuitNode("b", Side("at0", Label(0, 41))),
        ),
    )
    assert renderer.write(renderer.statements("grf1", [middle])) == (
        "PVC ga032 0/40 proto=raw dest_if=ga050 dest_vc=0/41\n"
        "PVC ga050 0/41 proto=raw dest_if=ga032 dest_vc=0/40\n"
    )


def test_existing_operator_line_is_not_repeated() -> None:
    mine = "Traffic_Shape name=oc12 peak=500000 sustain=500000 burst=2048 qos=high\n"
    text = mine + "PVC ga030 0/130 proto=ip traffic_shape=oc12\n"
    assert renderer.hand_over("grf1", [pvc()], text).after == text


def test_conflicting_operator_line_is_refused() -> None:
    with pytest.raises(
        ValueError, match="has PVC ga030 0/130 already, but different: PVC ga030 0/130 proto=raw"
    ):
        renderer.hand_over("grf1", [pvc()], "PVC ga030 0/130 proto=raw\n")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("PVC ga030 0/20 proto=ip", "line 2: '0/20' is not a VCI from 32 on"),
        ("PVC ga030 0/130 proto=tcp", "line 2: proto must be one of ip, raw"),
        ("PVC ga030 0/130", "line 2: proto must be one of"),
        ("PVC ga030 0/130 proto=ip dest_vc=0/40", "line 2: dest_vc needs dest_if"),
        ("PVCs ga030", "line 2: 'PVCs' is not a statement of gratm.conf"),
        ("Traffic_Shape name=x", "line 2: a Traffic_Shape needs name and peak"),
        ("Traffic_Shape name=x peak=1 peak=2", "line 2: peak occurs twice"),
    ],
)
def test_invalid_line_is_refused_with_its_number(line: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read(f"# first\n{line}\n")


def test_unsafe_values_in_gratm_conf_are_refused() -> None:
    with pytest.raises(ValueError, match="'eth0' is not an ATM interface of a GigaRouter"):
        renderer.write(Statements(pvcs=(Pvc("eth0", Label(0, 40), "ip"),)))
    with pytest.raises(ValueError, match="contains characters"):
        renderer.write(Statements((replace(OC12, name="a b"),)))
    with pytest.raises(ValueError, match="is not a multiple of 1000"):
        renderer.write(Statements((replace(OC12, peak=1500),)))


def test_saved_file_is_compared_with_the_circuits() -> None:
    text = "PVC ga030 0/230 proto=ip\n"
    assert renderer.unlike("grf1", [pvc()], text) == [
        "/etc/gratm.conf lacks PVC ga030 0/130.",
        "/etc/gratm.conf has PVC ga030 0/230, which no circuit uses.",
    ]
