"""Device states as circuit tables."""

from __future__ import annotations

from backstay.core.model.circuit import Label, Side
from backstay.core.model.circuit_table import ReportedState, sides, tables
from backstay.core.planning.circuits.consistency import Network, ReportedCircuits, check, owned
from backstay.core.tests.planning.circuit_values import pvc


def test_subject_is_parsed_for_any_port_name() -> None:
    assert sides("atm.vcl", "ga030 0/130") == [Side("ga030", Label(0, 130))]
    assert sides("atm.vcl", "ATM 1/0/0 0/130") == [Side("ATM 1/0/0", Label(0, 130))]
    assert sides("vlan.member", "p 9 130") == [Side("p 9", Label(0, 130, "vlan"))]
    assert sides("grf.next_hop", "ga030 10.3.0.2 over 0/130") == [Side("ga030", Label(0, 130))]
    assert sides("atm.vcl", "ga030") == []
    assert sides("grf.fan", "ga030 0/130") == []


def test_atm_mib_state_has_precedence() -> None:
    vcl, row = (
        ReportedState("grf1", "atm.vcl", "ga030 0/130", "down"),
        ReportedState("grf1", "grf.vc", "ga030 0/130", "permanent"),
    )
    for order in ([vcl, row], [row, vcl]):
        assert tables(order).by_place["grf1", "ga030"].labels == {Label(0, 130): "down"}


def test_zero_count_means_the_table_was_read() -> None:
    found = tables([ReportedState("grf1", "atm.vccs", "ga030", "")])
    assert found.by_place["grf1", "ga030"].labels == {}
    assert not found.whole


def test_wrong_cross_connection_is_named() -> None:
    reported = tables(
        [
            ReportedState("asx1", "atm.vcl", "1A1 0/130", "up"),
            ReportedState("asx1", "atm.vcl", "1B1 0/130", "up"),
            ReportedState("asx1", "atm.cross_connect", "1A1 0/130 to 1B1 0/231", "up"),
        ]
    )
    network = {
        place: ReportedCircuits(table.labels, frozenset(table.off), table.wrong, table.crossed)
        for place, table in reported.by_place.items()
    }
    (fault,) = check(pvc(), Network({}, network, owned([pvc()])))
    assert (fault.kind, fault.hop) == ("crossed", 1)
    assert fault.text == "asx1 forwards 1A1 0/130 to 1B1 0/231, not to 1B1 0/130."
