"""The fabric's devices over SNMP: objects, ports, and writable objects."""

from __future__ import annotations

import io
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from backstay_lab.hippi.control import Desk
from backstay_lab.hippi.fabric import HippiFabric
from backstay_lab.hippi.snapshot import snapshot
from backstay_lab.hippi.snmp import agent, hsg, interfaces, passpersist, ps32
from backstay_lab.hippi.snmp.value import Oid, Value, integer, oid
from backstay_lab.naming import Names
from backstay_lab.sites import parameters
from backstay_lab.sites.casa import fabric_config

NOW = datetime(1994, 3, 4, 15, 6, 7).astimezone()
SECOND = 1_000_000_000


@pytest.fixture
def fabric() -> HippiFabric:
    """Site casa's fabric after a second in which c90 sent ymp three large packets."""
    fabric = HippiFabric(fabric_config(parameters("casa"), Names("test")))
    packet = bytes([0x45]) + bytes(15) + bytes([10, 4, 0, 33]) + bytes(65_260)
    for _ in range(3):
        fabric.hosts["c90"].send(packet, 0)
    fabric.run(SECOND)
    return fabric


@pytest.fixture
def state(fabric: HippiFabric) -> dict[str, Any]:
    return snapshot(fabric, SECOND)


def port(column: int, number: int) -> Oid:
    return (*ps32.PORT_ENTRY, column, number)


def test_switch_reports_its_clock_and_ports(state: dict[str, Any]) -> None:
    found = ps32.objects(state, "ps32-sdsc", NOW)
    assert found[ps32.DATE] == Value("string", "03/04/94")
    assert found[ps32.TIME] == Value("string", "15:06:07")
    assert found[port(12, 8)] == integer(4)
    assert found[port(11, 8)] == integer(ps32.ADMIN_ENABLE)
    assert found[oid("1.3.6.1.4.1.10.2.1.4.5.2.0")] == integer(4)


def test_word_burst_and_packet_counts_match_the_sent_traffic(state: dict[str, Any]) -> None:
    found = ps32.objects(state, "ps32-sdsc", NOW)
    counts = {column: int(found[*ps32.HIPPI_ENTRY, column, 8].text) for column in (5, 7, 9)}
    assert counts == {5: 3 * 16_330, 7: 3 * 64, 9: 3}
    assert found[*ps32.HIPPI_ENTRY, 16, 8] == Value("octet", "07 10 11 21")


def test_integer_counters_wrap_after_31_bits() -> None:
    assert integer(2**31 + 5) == Value("integer", "5")


def test_gateway_reports_its_monitor_and_hold_time(fabric: HippiFabric) -> None:
    fabric.gateways["hsg-cit"].hold(500, SECOND)
    state = snapshot(fabric, SECOND)
    far, near = (hsg.objects(state, name, NOW) for name in ("hsg-cit", "hsg-sdsc"))
    monitor = oid("1.3.6.1.4.1.10.2.1.5.3")
    assert far[hsg.TIMEOUT] == integer(500)
    assert near[hsg.TIMEOUT] == integer(0)
    assert far[*monitor, 21, 0] == near[*monitor, 15, 0] == integer(3)
    assert near[*monitor, 1, 0] == integer(1000)


def test_ports_are_rows_of_if_mib_with_their_type_and_speed(state: dict[str, Any]) -> None:
    rows = interfaces.switch_rows(state, "ps32-sdsc", 800_000_000)
    found = interfaces.objects(rows)
    assert [row.index for row in rows] == [8, 9, 10, 16]
    assert found[*interfaces.IF_TABLE, 1, 3, 8] == integer(47)
    assert found[*interfaces.IF_X_TABLE, 1, 6, 8] == Value("counter64", str(3 * 65_280))
    assert found[*interfaces.IF_X_TABLE, 1, 10, 16] == Value("counter64", str(3 * 65_280))
    assert found[*interfaces.IF_X_TABLE, 1, 18, 8] == Value("string", "c90")


def test_stripes_share_the_gateways_traffic_and_report_their_state(fabric: HippiFabric) -> None:
    fabric.gateways["hsg-sdsc"].signal(3)
    rows = interfaces.gateway_rows(snapshot(fabric, SECOND), "hsg-sdsc", 800_000_000)
    stripes = [row for row in rows if row.kind == interfaces.SONET_TYPE]
    assert [row.out.octets for row in stripes[:4]] == [3 * 65_320 // 4] * 4
    found = interfaces.objects(rows)
    oper = [int(found[*interfaces.IF_TABLE, 1, 8, row.index].text) for row in stripes]
    assert oper == [1, 1, 1, 2, 6, 6, 6, 6]


def test_snmp_writes_become_fabric_requests(fabric: HippiFabric, state: dict[str, Any]) -> None:
    desk = Desk(fabric, lambda _name, _up: None)
    hold = hsg.write(hsg.TIMEOUT, "500", state, "hsg-sdsc", NOW)
    disable = ps32.write(port(11, 8), "3", state, "ps32-sdsc", NOW)
    clock = ps32.write(ps32.DATE, "03/01/94", state, "ps32-sdsc", NOW)
    for request in (hold, disable, clock):
        assert request is not None
        assert desk.handle(request, SECOND) == {}
    assert fabric.gateways["hsg-sdsc"].hold_ticks == 500
    assert not fabric.switches["ps32-sdsc"].enabled(8)
    assert fabric.clock_offsets["ps32-sdsc"] == -timedelta(days=3).total_seconds()
    after = snapshot(fabric, SECOND)
    assert ps32.objects(after, "ps32-sdsc", NOW)[ps32.DATE].text == "03/01/94"
    assert ps32.objects(after, "ps32-sdsc", NOW)[port(12, 8)] == integer(ps32.OPER["disabled"])
    hold = hsg.write(hsg.TIMEOUT, "0", state, "hsg-sdsc", NOW)
    assert hold == {"verb": "hold", "gateway": "hsg-sdsc", "ticks": None}


@pytest.mark.parametrize(
    ("mib", "target", "text"),
    [
        (hsg, hsg.TIMEOUT, "32768"),
        (hsg, hsg.TIMEOUT, "-1"),
        (ps32, port(11, 8), "4"),
        (ps32, ps32.TIME, "noon"),
    ],
)
def test_values_out_of_range_are_refused(state: dict[str, Any], mib: Any, target: Oid, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the texts differ
        mib.write(target, text, state, "ps32-sdsc", NOW)


def test_read_only_objects_are_not_writable(state: dict[str, Any]) -> None:
    assert hsg.write((*hsg.GATEWAY, 3, 11, 0), "0", state, "hsg-sdsc", NOW) is None
    assert ps32.write(port(8, 8), "0", state, "ps32-sdsc", NOW) is None


def test_invalid_request_is_answered_with_a_reason(fabric: HippiFabric) -> None:
    desk = Desk(fabric, lambda _name, _up: None)
    for request in (
        {},
        {"verb": "dance"},
        {"verb": "hold", "gateway": "nobody", "ticks": 1},
        {"verb": "hold", "gateway": "hsg-sdsc", "ticks": 0},
        {"verb": "block", "host": "sun1", "factor_ms": -1, "duty": 1},
        {"verb": "stripes", "gateway": "hsg-sdsc", "stripes": 5},
        {"verb": "port", "switch": "ps32-sdsc", "port": 99, "enabled": True},
    ):
        assert "error" in desk.handle(request, SECOND), request


def test_pass_persist_walks_in_order_gets_exactly_and_sets() -> None:
    objects = {oid("1.3.1"): integer(5), oid("1.3.10.2"): Value("string", "x y"), oid("1.3.2"): integer(7)}
    written: list[tuple[Oid, str]] = []

    def write(target: Oid, text: str) -> str:
        written.append((target, text))
        return passpersist.DONE

    asked = io.StringIO(
        "PING\ngetnext\n.1.3\ngetnext\n.1.3.2\ngetnext\n.1.3.10.2\nget\n.1.3.2\nget\n.1.3.3\n"
        'set\n.1.3.10.2\nstring "a b"\n'
    )
    replies = io.StringIO()
    passpersist.serve(asked, replies, lambda: objects, write)
    lines = ["PONG", ".1.3.1", "integer", "5", ".1.3.10.2", "string", "x y", "NONE"]
    assert replies.getvalue().splitlines() == [*lines, ".1.3.2", "integer", "7", "NONE", "DONE"]
    assert written == [(oid("1.3.10.2"), "a b")]


def test_kernel_ports_come_from_sysfs(tmp_path: Path) -> None:
    folder = tmp_path / "en0"
    (folder / "statistics").mkdir(parents=True)
    for name, text in {"ifindex": "2", "mtu": "1500", "flags": "0x1003", "operstate": "up"}.items():
        (folder / name).write_text(text + "\n")
    for direction in ("rx", "tx"):
        for number, name in enumerate(("bytes", "packets", "dropped", "errors")):
            (folder / "statistics" / f"{direction}_{name}").write_text(
                f"{number + (10 if direction == 'tx' else 0)}\n"
            )
    (tmp_path / "gone").mkdir()
    (row,) = agent.kernel_rows(tmp_path)
    assert (row.index, row.name, row.enabled, row.up) == (2, "en0", True, True)
    assert (row.into.packets, row.out.octets) == (1, 10)


def test_packets_not_read_by_a_host_are_overruns_of_its_port(fabric: HippiFabric) -> None:
    fabric.hosts["c90"].undelivered = 2
    state = snapshot(fabric, SECOND)
    assert ps32.objects(state, "ps32-sdsc", NOW)[port(7, 8)] == integer(2)
    assert ps32.objects(state, "ps32-sdsc", NOW)[port(7, 16)] == integer(0)
