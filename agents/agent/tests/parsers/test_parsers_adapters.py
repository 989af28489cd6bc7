"""lldpctl, ethtool -S and AIX's vmstat as values.

`golden/linux/lldpctl.json` and `lldpctl.json0` are captures of lldpd 1.0.16 (Debian 12) between two network
namespaces. `golden/linux/ethtool-S.txt` and `golden/aix/vmstat-1-2.txt` are written in the formats of
ethtool(8), with the names of the kernel's mlx5 documentation, and of AIX's vmstat(1); they are not captured.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from backstay_agent.parsers.linux import ethtool, lldp
from backstay_agent.parsers.systems import vmstat

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str) -> str:
    return (GOLDEN / name).read_text()


def lldp_document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(golden("linux/lldpctl.json"))
    return loaded


@pytest.mark.parametrize("name", ["lldpctl.json", "lldpctl.json0"])
def test_both_formats_of_lldpctl_give_the_same_neighbour(name: str) -> None:
    (neighbour,), unparsed = lldp.neighbours(golden(f"linux/{name}"))
    assert unparsed == []
    assert (neighbour.port, neighbour.peer_name, neighbour.peer_id, neighbour.peer_port) == (
        ("p0", "edge1", "b2:a8:78:20:00:a7", "q0")
    )


def test_several_ports_are_a_list_of_objects() -> None:
    whole = lldp_document()
    entry = whole["lldp"]["interface"]["p0"]
    named = {**entry, "port": {"id": {"type": "ifname", "value": "swp7"}, "descr": "to gw1"}}
    whole["lldp"]["interface"] = [{"p0": entry}, {"p0": named}, {"p1": named}]
    found, unparsed = lldp.neighbours(json.dumps(whole))
    assert unparsed == []
    assert [(one.port, one.peer_port) for one in found] == [("p0", "q0"), ("p0", "swp7"), ("p1", "swp7")]


def test_neighbour_without_a_name_has_its_identity() -> None:
    whole = lldp_document()
    entry = whole["lldp"]["interface"]["p0"]
    entry["chassis"] = entry["chassis"]["edge1"]
    (found,), unparsed = lldp.neighbours(json.dumps(whole))
    assert (found.peer_name, found.peer_id, unparsed) == ("", "b2:a8:78:20:00:a7", [])


@pytest.mark.parametrize("odd", [None, 3, {}, {"chassis": {"x": 3}, "port": {}}, {"chassis": {}, "port": {}}])
def test_odd_neighbour_never_discards_the_others(odd: object) -> None:
    whole = lldp_document()
    whole["lldp"]["interface"] = [whole["lldp"]["interface"], {"p9": odd}]
    found, unparsed = lldp.neighbours(json.dumps(whole))
    assert ([one.port for one in found], len(unparsed)) == (["p0"], 1)
    assert unparsed[0].startswith("neighbour of p9: ")


def test_host_without_neighbours_has_none() -> None:
    assert lldp.neighbours('{"lldp": {}}') == ([], [])


@pytest.mark.parametrize("output", ["", "[]", "{}", '{"lldp": {"interface": {"p0"', "lldpctl: no socket"])
def test_invalid_lldpctl_output_is_a_typed_error(output: str) -> None:
    with pytest.raises(lldp.LldpError):
        lldp.neighbours(output)


def test_mlx5_counters_that_explain_losses_are_kept_and_priorities_summed() -> None:
    found, unparsed = ethtool.counters(golden("linux/ethtool-S.txt"))
    assert unparsed == []
    assert found == {
        "ethtool.out_of_buffer": 1718,
        "ethtool.crc_errors": 4,
        "ethtool.symbol_errors": 9,
        "ethtool.rx_discards": 33,
        "ethtool.tx_discards": 0,
        "ethtool.corrected_bits": 700123,
        "ethtool.link_downs": 2,
        "ethtool.rx_pauses": 0,
        "ethtool.tx_pauses": 0,
        "ethtool.rx_priority_pauses": 60,
        "ethtool.tx_priority_pauses": 1001,
    }


def test_damaged_counter_of_ethtool_is_set_aside() -> None:
    found, unparsed = ethtool.counters("NIC statistics:\n     rx_discards_phy: 7\n     tx_discards_phy: ?\n")
    assert (found, unparsed) == ({"ethtool.rx_discards": 7}, ["     tx_discards_phy: ?"])


@pytest.mark.parametrize("output", ["", "no stats available\n", "Cannot get stats strings information"])
def test_port_without_statistics_is_a_typed_error(output: str) -> None:
    with pytest.raises(ethtool.EthtoolError):
        ethtool.counters(output)


def test_vmstat_reads_the_last_second_and_cpu_time_behind_system_calls() -> None:
    found, unparsed = vmstat.levels(golden("aix/vmstat-1-2.txt"))
    assert unparsed == []
    assert {item.metric: item.value for item in found} == {
        "aix.run_queue": 5,
        "aix.blocked_threads": 2,
        "aix.free_frames": 332741,
        "aix.page_ins": 7,
        "aix.page_outs": 3,
        "aix.cpu_user": 23,
        "aix.cpu_system": 62,
        "aix.cpu_idle": 12,
        "aix.cpu_wait": 3,
    }


def test_shared_processors_add_columns() -> None:
    lines = golden("aix/vmstat-1-2.txt").splitlines()
    wide = "\n".join([*lines[:-3], f"{lines[-3]}  pc  ec", f"{lines[-2]} 0.02 1.5", f"{lines[-1]} 0.31 15.2"])
    found, unparsed = vmstat.levels(wide)
    assert ({item.metric: item.value for item in found}["aix.cpu_wait"], unparsed) == (3, [])


@pytest.mark.parametrize("cut", [0, 3, 6, 7])
def test_vmstat_without_its_second_row_is_a_typed_error(cut: int) -> None:
    with pytest.raises(vmstat.VmstatError):
        vmstat.levels("\n".join(golden("aix/vmstat-1-2.txt").splitlines()[:cut]))
