"""Circuits of a site file: stored rows, and errors with location and expected value."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from backstay.core.model.circuit import Circuit, CircuitNode, Label, Shape, Side
from backstay.intake.site_files import Imported, import_text
from backstay.inventory.circuits import circuits, stored, value
from backstay.inventory.models import Circuit as Row
from backstay.inventory.models import Site
from backstay.inventory.site_file.errors import InvalidSiteFile
from backstay.inventory.site_file.parser import parse

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TEXT = """\
site: lab
fabrics:
  - {name: atm, kind: atm, media_rate: 155.52 Mb/s}
  - {name: lan, kind: ethernet, media_rate: 1 Gb/s}
nodes:
  - {name: gw, kind: gateway, ports: [{name: at0, fabric: atm}, {name: eth0, fabric: lan}]}
  - {name: sw, kind: switch, ports: [{name: 1A1, fabric: atm}, {name: 1A2, fabric: atm}]}
  - {name: far, kind: router, ports: [{name: at0, fabric: atm}, {name: eth0, fabric: lan}]}
links:
  - {a: "gw:at0", b: "sw:1A1"}
traffic_shapes:
  - {name: fast, peak: 134 Mb/s, sustain: 100 Mb/s, burst: 2048, qos: high}
  - {name: slow, peak: 10 Mb/s}
circuits:
  - name: gw-far
    shape: fast
    note: the way out
    hops:
      - {node: gw, out: at0 0/130}
      - {node: sw, in: 1A1 0/130, out: 1A2 0/131, shape: slow}
      - {node: far, in: at0 0/131}
  - name: lan-gw-far
    kind: vlan
    hops: [{node: gw, out: eth0 130}, {node: far, in: eth0 130}]
"""
FAST = Shape("fast", 134_000_000, 100_000_000, 2048, "high")
GW_FAR = Circuit(
    "gw-far",
    "pvc",
    (
        CircuitNode("gw", None, Side("at0", Label(0, 130)), FAST),
        CircuitNode("sw", Side("1A1", Label(0, 130)), Side("1A2", Label(0, 131)), Shape("slow", 10_000_000)),
        CircuitNode("far", Side("at0", Label(0, 131)), None, FAST),
    ),
)


def imported(text: str) -> Imported:
    return import_text(text, "lab.yaml", NOW)


def expected_of(text: str) -> list[str]:
    with pytest.raises(InvalidSiteFile) as caught:
        parse(text, "lab.yaml")
    return [f"{error.key}: {error.expected}" for error in caught.value.errors]


def test_circuit_is_stored_hop_by_hop_and_reimport_changes_nothing(db: None) -> None:
    imported(TEXT)
    site = Site.objects.get(name="lab")
    known = {circuit.name: circuit for circuit in circuits(site).values()}
    assert known["gw-far"] == GW_FAR
    assert known["lan-gw-far"].hops[0].out == Side("eth0", Label(0, 130, "vlan"))
    assert Row.objects.get(name="gw-far").note == "the way out"
    again = imported(TEXT)
    assert (again.created, again.changed, again.removed) == (0, 0, 0)


def test_changed_label_updates_one_row_and_omitted_circuit_is_removed(db: None) -> None:
    imported(TEXT)
    done = imported(TEXT.replace("1A2 0/131", "1A2 0/231").partition("  - name: lan-gw-far")[0])
    assert (done.created, done.changed, done.removed) == (0, 1, 1)
    assert value(Row.objects.get()).hops[1].out == Side("1A2", Label(0, 231))


def test_stored_circuit_reads_back(db: None) -> None:
    imported(TEXT)
    assert stored(value(Row.objects.get(name="gw-far"))) == Row.objects.get(name="gw-far").hops


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("at0 0/130", "at0 0/20", "circuits[gw-far].hops[0].out: a VCI from 32 on"),
        ("at0 0/130", "at0 3/512", "circuits[gw-far].hops[0].out: a VCI of at most 511 on VPI 3"),
        ("at0 0/130", "at9 0/130", "circuits[gw-far].hops[0].out: a port of this file; there is no gw:at9"),
        ("at0 0/130}", "eth0 0/130}", "circuits[gw-far].hops[0].out: a port on a fabric of kind atm"),
        ("eth0 130},", "eth0 4095},", "circuits[lan-gw-far].hops[0].out: a VLAN id from 1 to 4094"),
        (
            "in: 1A1 0/130",
            "in: 1A2 0/130",
            "circuits[gw-far].hops[1].in: sw:1A1, which is linked to",
        ),
        (
            "{node: gw, out: at0 0/130}",
            "{node: gw, in: at0 0/130}",
            "circuits[gw-far]: only out of the",
        ),
        ("shape: slow", "shape: none", "circuits[gw-far].hops[1].shape: the name of one of traffic_shapes"),
        ("at0 0/130", "at0", "circuits[gw-far].hops[0].out: port and label, such as ga030 0/130"),
        ("name: slow", "name: fast", "traffic_shapes[fast].name: a unique name"),
    ],
)
def test_impossible_value_is_an_error_with_its_location(old: str, new: str, expected: str) -> None:
    assert any(line.startswith(expected) for line in expected_of(TEXT.replace(old, new, 1)))


def test_duplicate_label_on_a_port_is_refused_with_both_owners() -> None:
    second = "  - {name: other, hops: [{node: gw, out: at0 0/130}, {node: far, in: at0 0/140}]}\n"
    text = TEXT.replace('links:\n  - {a: "gw:at0", b: "sw:1A1"}\n', "") + second
    assert expected_of(text) == [
        "circuits[other].hops[0].out: a label that no other circuit has on gw:at0:"
        " gw-far and other want 0/130"
    ]


def test_label_that_differs_between_hops_is_imported() -> None:
    assert parse(TEXT.replace("1A2 0/131", "1A2 0/231"), "lab.yaml").circuits
