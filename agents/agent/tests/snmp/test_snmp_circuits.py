"""Circuits and VLANs reported by devices: each table row by port and label."""

from backstay_agent.host.snmp.values import Oid, Value
from backstay_testing.snmp_collectors import read_profile, snmp_port, values

ATM: Oid = (1, 3, 6, 1, 2, 1, 37, 1)
CROSS: Oid = (*ATM, 11, 1)
GRF_VC: Oid = (1, 3, 6, 1, 4, 1, 1080, 1, 1, 4, 1, 1)
VLAN: Oid = (1, 3, 6, 1, 2, 1, 17, 7, 1, 4, 2, 1)
BASE_PORT: Oid = (1, 3, 6, 1, 2, 1, 17, 1, 4, 1, 2)


def test_cross_connection_has_the_state_of_its_worse_direction() -> None:
    first, second = (7, 1, 0, 130, 2, 0, 131), (8, 1, 0, 140, 2, 0, 140)
    table: dict[Oid, Value] = {
        (*CROSS, 9, *first): 1,
        (*CROSS, 10, *first): 2,
        (*CROSS, 9, *second): 1,
        (*CROSS, 10, *second): 1,
    }
    reported = values(read_profile("atm", table, snmp_port(1, "1A1", 37), snmp_port(2, "1B1", 37)))
    assert reported == {
        ("atm.cross_connect", "1A1 0/130 to 1B1 0/131"): "down",
        ("atm.cross_connect", "1A1 0/140 to 1B1 0/140"): "up",
    }


def test_row_with_another_index_shape_is_no_cross_connection() -> None:
    assert not values(read_profile("atm", {(*CROSS, 9, 7, 1, 0): 1}, snmp_port(1, "1A1", 37)))


def test_each_row_of_the_gigarouters_circuits_is_reported_by_its_label() -> None:
    table: dict[Oid, Value] = {
        (*GRF_VC, 3, 3, 0, 130): 130,
        (*GRF_VC, 10, 3, 0, 130): 3,
        (*GRF_VC, 3, 3, 0, 131): 131,
        (*GRF_VC, 10, 3, 0, 131): 2,
    }
    assert values(read_profile("grf", table, snmp_port(3, "ga030", 37))) == {
        ("grf.circuits", "ga030"): 2,
        ("grf.vc", "ga030 0/130"): "permanent",
        ("grf.vc", "ga030 0/131"): "invalid",
    }


def test_vlan_ports_are_the_bits_of_its_port_lists() -> None:
    table: dict[Oid, Value] = {
        (*BASE_PORT, 1): 11,
        (*BASE_PORT, 9): 19,
        (*VLAN, 4, 0, 130): bytes([0b1000_0000, 0b1000_0000]),
        (*VLAN, 5, 0, 130): bytes([0b1000_0000]),
        (*VLAN, 4, 0, 131): bytes([0b0100_0000]),
        (*VLAN, 4, 0, 4095): bytes([0b1000_0000]),
    }
    reported = values(read_profile("vlan", table, snmp_port(11, "p1", 6), snmp_port(19, "p9", 6)))
    assert reported == {("vlan.member", "p1 130"): "untagged", ("vlan.member", "p9 130"): "tagged"}
