"""A router's circuit table over SNMP, and one wrong label."""

import json
from pathlib import Path

import pytest

from backstay_lab.atm.agent import DOWN, UP, VC, VCL, LineState, atm, netstar, objects, snmpd_lines
from backstay_lab.atm.table import file_of, load, read_label, relabelled, rows_of, save
from backstay_lab.blueprint import Blueprint
from backstay_lab.errors import LabError
from backstay_lab.faults_cli import ruleset

PORTS = {"ga030": LineState(3, up=True), "ga031": LineState(4, up=False)}


def test_router_circuits_are_its_labelled_links(argonne: Blueprint) -> None:
    rows = rows_of(argonne, argonne.node("grf1"))
    assert [(row.port, row.label, row.peer) for row in rows] == [
        ("ga030", "0/130", "10.3.0.2"),
        ("ga031", "0/131", "10.3.0.6"),
    ]
    assert rows_of(argonne, argonne.node("onyx1")) == []


def test_tables_list_each_circuit_with_its_ports_state(argonne: Blueprint) -> None:
    rows = rows_of(argonne, argonne.node("grf1"))
    rows_by_oid = atm(rows, PORTS)
    assert rows_by_oid[*VCL, 4, 3, 0, 130].text == str(UP)
    assert rows_by_oid[*VCL, 4, 4, 0, 131].text == str(DOWN)
    own = netstar(rows, PORTS)
    assert own[*VC, 3, 3, 0, 130].text == "130"
    assert own[1, 3, 6, 1, 4, 1, 1080, 1, 1, 4, 4, 1, 5, 4, 10, 3, 0, 6].text == "2"


def test_missing_port_is_in_no_table(argonne: Blueprint) -> None:
    rows = rows_of(argonne, argonne.node("grf1"))
    assert {
        index[len(VCL) + 1] for index in atm(rows, {"ga030": PORTS["ga030"]}) if index[: len(VCL)] == VCL
    } == {3}


def test_wrong_label_is_reported_until_restored(argonne: Blueprint, tmp_path: Path) -> None:
    file = file_of(tmp_path)
    save(file, rows_of(argonne, argonne.node("grf1")))
    save(file, relabelled(load(file), "ga030", "0/230"))
    assert [(row.label, row.is_wrong) for row in load(file)] == [("0/230", True), ("0/131", False)]
    save(file, relabelled(load(file), "ga030", None))
    assert not any(row.is_wrong for row in load(file))
    assert json.loads(file.read_text())[0]["meant"] == "0/130"


@pytest.mark.parametrize("label", ["0/31", "0/32768", "1/512", "16/40", "230"])
def test_invalid_label_is_refused_with_the_limits(label: str) -> None:
    with pytest.raises(LabError, match="not a valid VPI/VCI for a GigaRouter"):
        read_label(label)


def test_port_without_circuit_is_refused_with_the_valid_ones(argonne: Blueprint) -> None:
    with pytest.raises(LabError) as caught:
        relabelled(rows_of(argonne, argonne.node("grf1")), "gh010", "0/230")
    assert caught.value.next_step == "Ports with a circuit: ga030, ga031."


def test_miswired_ports_drop_packets_and_are_restored_together() -> None:
    assert ruleset([]) == ["add table netdev backstay_miswire", "delete table netdev backstay_miswire"]
    assert any('devices = { "ga030" }' in line and "policy drop" in line for line in ruleset(["ga030"]))


def test_unreadable_table_is_empty(tmp_path: Path) -> None:
    assert objects(file_of(tmp_path), "atm") == {}
    assert [line.split()[1] for line in snmpd_lines(file_of(tmp_path))] == [
        ".1.3.6.1.2.1.37",
        ".1.3.6.1.4.1.1080.1.1.4",
    ]
