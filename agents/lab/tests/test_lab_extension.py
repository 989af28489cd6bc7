"""An extension node's row over SNMP: the kernel's adapter values, and written ones."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Address
from pathlib import Path

import pytest

from backstay_lab.blueprint import Blueprint
from backstay_lab.errors import LabError
from backstay_lab.sp.agent import ENTRY, Adapter, adapter, objects, rows, snmpd_line
from backstay_lab.sp.table import ExtensionNodeRow, changed, file_of, load, row_of, save, written

ROW = ExtensionNodeRow("grf1", "gt000", 16, 15, 1)
INDEX = (4, *b"grf1")
ADAPTER = Adapter(True, IPv4Address("10.1.0.16"), IPv4Address("255.255.255.0"), 65520, True, True)


def values(known: Adapter | None) -> dict[int, tuple[str, str]]:
    found = rows(ROW, known)
    assert {name[len(ENTRY) + 1 :] for name in found} == {INDEX}
    return {name[len(ENTRY)]: (value.kind, value.text) for name, value in found.items()}


def test_gigarouter_is_the_extension_node_next_to_the_wide_node(argonne: Blueprint) -> None:
    assert row_of(argonne.node("grf1")) == ROW
    assert row_of(argonne.node("sp01")) is None
    assert dict(argonne.node("atmgw").labels) == {"frame": "1", "slot": "15", "slots": "2"}


def test_row_contains_the_kernels_adapter_values() -> None:
    assert values(ADAPTER) == {
        1: ("string", "grf1"),
        2: ("integer", "16"),
        4: ("integer", "2"),
        5: ("integer", "15"),
        6: ("ipaddress", "10.1.0.16"),
        7: ("ipaddress", "255.255.255.0"),
        8: ("integer", "65520"),
        9: ("integer", "1"),
        10: ("integer", "6"),
        12: ("integer", "1"),
        15: ("integer", "1"),
    }
    off = values(replace(ADAPTER, arp=False, running=False, wanted=False))
    assert (off[4], off[12], off[15]) == (("integer", "1"), ("integer", "2"), ("integer", "2"))


def test_missing_adapter_is_not_configured() -> None:
    gone = values(None)
    assert (gone[10], gone[12]) == (("integer", "1"), ("integer", "2"))
    assert not {4, 6, 7, 8, 15} & set(gone)
    assert adapter("no-such-port") is None


def test_loopback_values_match_the_kernel() -> None:
    known = adapter("lo")
    assert known is not None
    assert (known.address, known.mask) == (IPv4Address("127.0.0.1"), IPv4Address("255.0.0.0"))
    assert known.wanted


def test_wrong_number_is_stored_and_reported_and_invalid_ones_are_refused(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    save(file, changed(ROW, "switch-node-number", 3))
    assert load(file) == replace(ROW, switch_number=3)
    assert objects(file)[*ENTRY, 5, *INDEX].text == "3"
    with pytest.raises(LabError) as caught:
        changed(ROW, "colour", 3)
    assert caught.value.next_step == "Choose node-number, switch-node-number, host-offset."
    with pytest.raises(LabError, match="is out of range"):
        changed(ROW, "node-number", -1)


def test_omitted_value_restores_the_intended_one(argonne: Blueprint, tmp_path: Path) -> None:
    grf1 = argonne.node("grf1")
    save(file_of(tmp_path), ROW)
    assert written(grf1, tmp_path, "node-number", 7).number == 7
    with pytest.raises(LabError, match="needs a value"):
        written(grf1, tmp_path, "node-number", None)
    assert load(file_of(tmp_path)).number == 7
    assert written(grf1, tmp_path, None, None) == load(file_of(tmp_path)) == ROW


def test_node_without_row_reports_nothing(tmp_path: Path) -> None:
    assert objects(file_of(tmp_path)) == {}
    with pytest.raises(LabError, match="is not an extension node"):
        load(file_of(tmp_path))
    assert snmpd_line(tmp_path).split()[:2] == ["pass_persist", ".1.3.6.1.4.1.2.6.117.4"]
