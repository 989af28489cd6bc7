"""Extension nodes of a site file: stored rows, and duplicate numbers."""

from __future__ import annotations

from datetime import UTC, datetime
from ipaddress import IPv4Interface

import pytest

from backstay.core.model.extension import Extension, Slot
from backstay.intake.site_files import import_text
from backstay.inventory import snapshot
from backstay.inventory.extension import extension_of, nodes_on, port_of, stored, switches
from backstay.inventory.models import Site
from backstay.inventory.site_file.errors import InvalidSiteFile
from backstay.inventory.site_file.parser import parse

TEXT = """\
site: sp
fabrics:
  - {name: sp-switch, kind: sp_switch, media_rate: 960 Mb/s, mtu: 65520}
  - {name: lan, kind: ethernet, media_rate: 1 Gb/s}
nodes:
  - name: sp01
    kind: host
    node_number: 1
    switch_node_number: 0
    labels: {frame: "1", slot: "1"}
    ports: [{name: css0, fabric: sp-switch, addresses: [10.1.0.1/24]}]
  - name: wide
    kind: host
    node_number: 15
    switch_node_number: 14
    labels: {slots: "2"}
    ports: [{name: css0, fabric: sp-switch, addresses: [10.1.0.15/24]}]
  - name: grf1
    kind: gateway
    node_number: 16
    switch_node_number: 15
    extension: {host_offset: 1, switch_port: {switch: 1, chip: 5, port: 0}, token: "0105"}
    ports:
      - {name: gt000, fabric: sp-switch, addresses: [10.1.0.16/24]}
      - {name: ge000, fabric: lan}
"""


def expected_of(text: str) -> list[str]:
    with pytest.raises(InvalidSiteFile) as caught:
        parse(text, "sp.yaml")
    return [f"{error.key}: {error.expected}" for error in caught.value.errors]


def test_extension_node_is_stored_with_its_ports_address(db: None) -> None:
    import_text(TEXT, "sp.yaml", datetime(2026, 3, 1, tzinfo=UTC))
    site = Site.objects.get(name="sp")
    topology = snapshot.load(site)
    ((ident, kept),) = stored(site).items()
    node = topology.nodes[ident]
    port = port_of(topology, node, kept)
    assert port is not None
    assert extension_of(topology, node, port, kept) == Extension(
        "grf1",
        "gt000",
        Slot(1, 16),
        16,
        15,
        IPv4Interface("10.1.0.16/24"),
        host_offset=1,
        token="0105",
        switch_port=(1, 5, 0),
    )
    (fabric,) = switches(topology)
    known = {item.name: item for item in nodes_on(site, snapshot.load(site), fabric.id)}
    assert (known["wide"].slot, known["wide"].width) == (Slot(1, 15), 2)
    assert [name for name, item in known.items() if item.extension] == ["grf1"]


def test_duplicate_node_number_on_a_switch_is_refused_with_both_names() -> None:
    text = TEXT.replace("node_number: 16", "node_number: 15").replace(
        "switch_node_number: 15", "switch_node_number: 0"
    )
    assert expected_of(text) == [
        "nodes[grf1].node_number: a unique node number; wide and grf1 both have 15 on sp-switch",
        "nodes[grf1].switch_node_number: a unique switch node number; sp01 and grf1 both have 0 on sp-switch",
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("kind: gateway", "kind: host", "a node of kind gateway or router"),
        ("{host_offset: 1,", "{port: ge000,", "a port of this node on a fabric of kind sp_switch"),
        ("{host_offset: 1,", "{frame: 1,", "frame and slot, both or neither"),
        ("{host_offset: 1,", "{frame: 1, slot: 17,", "less than or equal to 16"),
        ('"0105"', '"01x5"', "text that matches"),
        ("gt000, fabric: sp-switch", "gt000, fabric: lan", "a node with a port on a fabric of kind"),
    ],
)
def test_impossible_extension_node_is_an_error(old: str, new: str, expected: str) -> None:
    assert old in TEXT
    (reported,) = expected_of(TEXT.replace(old, new))
    assert expected in reported
