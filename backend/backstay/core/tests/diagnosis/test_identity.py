"""Identification of neighbours by names, GUIDs and hardware addresses."""

from __future__ import annotations

import pytest

from backstay.core.wiring.identity import Directory, Named, NodeFacts, PortFacts, plain_mac

SWITCH, HOST, OTHER = 1, 2, 3
NODES = [
    NodeFacts(SWITCH, "sw1", guid="0x0002c90300000001", sys_name="sw1.example.org"),
    NodeFacts(HOST, "x01", guid="0x0002c90300000002", sys_name="localhost"),
    NodeFacts(OTHER, "x02", sys_name="localhost"),
]
PORTS = [
    PortFacts(11, SWITCH, "Ethernet1/1", 7, mac="00:1b:21:00:00:01", if_index=101),
    PortFacts(12, SWITCH, "Ethernet1/2", 7, alias="uplink", if_index=102),
    PortFacts(21, HOST, "ib0", 7, mac="00-1B-21-00-00-02"),
    PortFacts(22, HOST, "eth9", None),
    PortFacts(31, OTHER, "eth0", 7, mac="00:00:00:00:00:00"),
]


def found(**named: str) -> int | None:
    port = Directory(NODES, PORTS).find(Named(**named), frozenset({11, 12, 21}))
    return port.id if port else None


@pytest.mark.parametrize(
    ("named", "port"),
    [
        ({"peer": "sw1", "peer_port": "Ethernet1/2"}, 12),
        ({"peer_id": "0x0002c90300000001", "peer_port": "Ethernet1/1"}, 11),
        ({"peer_name": "SW1.example.org", "peer_port": "Ethernet1/1"}, 11),
        ({"peer_name": "sw1", "peer_port": "uplink"}, 12),
        ({"peer_name": "sw1", "peer_port": "102"}, 12),
        ({"peer_name": "sw1", "peer_port": "001b.2100.0001"}, 11),
        ({"peer_name": "", "peer_id": "00:1b:21:00:00:02"}, 21),
        ({"peer": "x01", "peer_port": "mlx5_0/1"}, 21),
    ],
)
def test_neighbour_is_found_by_any_identifier(named: dict[str, str], port: int) -> None:
    assert found(**named) == port


@pytest.mark.parametrize(
    "named",
    [
        {"peer_name": "localhost", "peer_port": "eth0"},
        {"peer_name": "sw1", "peer_port": "Ethernet1/9"},
        {"peer_name": "<script>", "peer_port": "1"},
        {"peer_id": "00:00:00:00:00:00"},
        {},
    ],
)
def test_ambiguous_or_unknown_identifier_matches_no_port(named: dict[str, str]) -> None:
    assert found(**named) is None


def test_guid_is_not_a_hardware_address() -> None:
    assert plain_mac("0x0002c9030000") == ""
    assert plain_mac("0:1:2") == ""
    assert plain_mac("00-1B-21-AA-BB-CC") == "001b21aabbcc"
