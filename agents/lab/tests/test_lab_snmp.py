"""The GigaRouter's SNMP agent: its description, and counters equal to the kernel's."""

from __future__ import annotations

import json
import math
import time
from datetime import timedelta
from typing import Any

import pytest
import yaml

from backstay_agent.parsers.ifmib import device_clock

pytestmark = pytest.mark.netns

IF_DESCR, IF_TYPE, IF_SPEED = (f".1.3.6.1.2.1.2.2.1.{column}" for column in (2, 3, 5))
IF_IN_OCTETS, IF_HIGH_SPEED = ".1.3.6.1.2.1.31.1.1.1.6", ".1.3.6.1.2.1.31.1.1.1.15"
AGENT = "udp:10.255.0.26:161"


class Snmp:
    """net-snmp's own tools on the management host, with the lab's SNMPv3 user or community."""

    def __init__(self, lab: Any) -> None:
        self._lab = lab
        nodes = yaml.safe_load(lab.do("site-file", "argonne"))["nodes"]
        access = next(node for node in nodes if node["name"] == "grf1")["sources"][0]["access"]
        self.v3 = [
            "-v3", "-l", "authPriv", "-u", access["user"], "-a", access["auth_protocol"],
            "-A", access["auth_key"], "-x", "AES", "-X", access["priv_key"],
        ]  # fmt: skip
        self.v2c = [
            "-v2c",
            "-c",
            json.loads((lab.state / "run.json").read_text())["credentials"]["community"],
        ]

    def run(self, program: str, access: list[str], *rest: str) -> Any:
        argv = ("env", "MIBS=", program, *access, "-On", "-t", "2", AGENT, *rest)
        return self._lab.try_inside("mgmt1", *argv)

    def get(self, oid: str, access: list[str] | None = None) -> str:
        done = self.run("snmpget", access or self.v3, "-Oqv", oid)
        assert done.returncode == 0, done.stderr
        return str(done.stdout).strip().strip('"')

    def column(self, oid: str) -> dict[int, str]:
        """A column of a table, by ifIndex."""
        done = self.run("snmpwalk", self.v3, "-Oq", oid)
        assert done.returncode == 0, done.stderr
        rows = [line.split(" ", 1) for line in done.stdout.splitlines()]
        return {int(name.rpartition(".")[2]): value.strip('"') for name, value in rows}


@pytest.fixture(scope="module")
def snmp(argonne_lab: Any) -> Snmp:
    return Snmp(argonne_lab)


def index_of(snmp: Snmp, port: str) -> int:
    return next(index for index, name in snmp.column(IF_DESCR).items() if name == port)


def test_gigarouter_is_identified_by_object_id_and_name(snmp: Snmp) -> None:
    assert snmp.get(".1.3.6.1.2.1.1.2.0").endswith(".1.3.6.1.4.1.1080.1.4.1")
    assert snmp.get(".1.3.6.1.2.1.1.5.0") == "grf1"


def test_ports_have_their_type_and_unscaled_speed(snmp: Snmp) -> None:
    names = snmp.column(IF_DESCR)
    types = {names[index]: int(value) for index, value in snmp.column(IF_TYPE).items()}
    speeds = {names[index]: int(value) for index, value in snmp.column(IF_HIGH_SPEED).items()}
    exact = {names[index]: int(value) for index, value in snmp.column(IF_SPEED).items()}
    wanted = {"gt000": 53, "gh010": 47, "ga030": 37, "ga031": 37, "de0": 6}
    assert {port: types[port] for port in wanted} == wanted
    assert {port: speeds[port] for port in wanted} == {
        "gt000": 960,
        "gh010": 800,
        "ga030": 622,
        "ga031": 622,
        "de0": 100,
    }
    assert exact["ga030"] == 622_080_000


def test_counters_are_the_kernels_at_the_moment_of_the_poll(argonne_lab: Any, snmp: Snmp) -> None:
    oid = f"{IF_IN_OCTETS}.{index_of(snmp, 'gt000')}"
    for _ in range(4):
        before = argonne_lab.octets("grf1", "gt000")["in"]
        argonne_lab.inside("grf1", "ping", "-c", "1", "-W", "10", "10.1.0.1")
        polled = int(snmp.get(oid))
        after = argonne_lab.octets("grf1", "gt000")["in"]
        assert before < polled <= after


def test_clock_and_neighbours_are_reported(argonne_lab: Any, snmp: Snmp) -> None:
    clock = bytes.fromhex(snmp.get(".1.3.6.1.2.1.25.1.2.0").replace(" ", ""))
    assert len(clock) in {8, 11}  # DateAndTime, RFC 2579
    assert abs(int.from_bytes(clock[:2], "big") - time.gmtime().tm_year) <= 1
    for neighbour in ("10.1.0.1", "10.2.0.2"):  # an idle entry may have expired
        argonne_lab.inside("grf1", "ping", "-c", "1", "-W", "10", neighbour)
    done = snmp.run("snmpwalk", snmp.v3, ".1.3.6.1.2.1.4.22.1.3")
    assert "10.1.0.1" in done.stdout
    assert "10.2.0.2" in done.stdout


def test_v2c_and_v3_agree_and_other_access_is_refused(snmp: Snmp) -> None:
    name = ".1.3.6.1.2.1.1.5.0"
    assert snmp.get(name, snmp.v2c) == snmp.get(name, snmp.v3)
    for access in (["-v2c", "-c", "public", "-r", "0"], ["-v3", "-l", "noAuthNoPriv", "-u", "backstay"]):
        assert snmp.run("snmpget", access, name).returncode != 0
    assert snmp.run("snmpset", snmp.v2c, name, "s", "mine").returncode != 0


def test_cut_shows_as_down_ports(argonne_lab: Any, snmp: Snmp) -> None:
    argonne_lab.do("cut", "grf1")
    try:
        names = snmp.column(IF_DESCR)
        oper = {names[index]: value for index, value in snmp.column(".1.3.6.1.2.1.2.2.1.8").items()}
        assert oper["gt000"] == oper["gh010"] == "2"
        assert oper["de0"] == "1"
    finally:
        argonne_lab.do("restore", "grf1")


VCL_OPER, GRF_VC_TYPE = ".1.3.6.1.2.1.37.1.7.1.4", ".1.3.6.1.4.1.1080.1.1.4.1.1.10"


def labels(snmp: Snmp, column: str, port: str) -> dict[str, str]:
    """VPI/VCI and value of a table's rows of one port."""
    done = snmp.run("snmpwalk", snmp.v3, "-Oq", f"{column}.{index_of(snmp, port)}")
    assert done.returncode == 0, done.stderr
    rows = [line.split(" ", 1) for line in done.stdout.splitlines()]
    return {"/".join(name.split(".")[-2:]): value for name, value in rows}


def test_miswired_circuit_is_reported_and_carries_nothing_until_restored(
    argonne_lab: Any, snmp: Snmp
) -> None:
    def answers() -> bool:
        ping = ("ping", "-c", "1", "-W", "1", "10.3.0.2")
        return bool(argonne_lab.try_inside("grf1", *ping).returncode == 0)

    assert labels(snmp, VCL_OPER, "ga030") == {"0/130": "1"}
    assert labels(snmp, GRF_VC_TYPE, "ga030") == {"0/130": "3"}
    assert answers()
    try:
        output = argonne_lab.do("miswire", "grf1", "ga030", "0/230")
        assert "grf1:ga030 now has 0/230, its other end 0/130: no traffic passes." in output
        assert labels(snmp, VCL_OPER, "ga030") == {"0/230": "1"}
        assert not answers()
    finally:
        argonne_lab.do("miswire", "grf1", "ga030")
    assert labels(snmp, VCL_OPER, "ga030") == {"0/130": "1"}
    assert answers()


UPTIME = ".1.3.6.1.2.1.1.3.0"


def test_router_clock_steps_back_a_month_without_a_restart_and_tables_stay(
    argonne_lab: Any, snmp: Snmp
) -> None:
    def off_s() -> float:
        done = snmp.run("snmpget", snmp.v3, "-Oqv", ".1.3.6.1.2.1.25.1.2.0")
        output = str(done.stdout).strip().strip('"').replace(" ", "")
        reported = device_clock(bytes.fromhex(output), timedelta()) if done.returncode == 0 else None
        return math.inf if reported is None else reported / 1e9 - time.time()

    def comes(seconds: float) -> bool:
        until = time.monotonic() + 15
        while abs(off_s() - seconds) > 3 and time.monotonic() < until:
            time.sleep(0.2)
        return abs(off_s() - seconds) <= 3

    before, ports = int(snmp.get(UPTIME, [*snmp.v3, "-Ot"])), snmp.column(IF_DESCR)
    try:
        assert "grf1: its clock has an offset of -31d." in argonne_lab.do("clock", "grf1", "--offset", "-31d")
        assert comes(-31 * 86_400)
        assert int(snmp.get(UPTIME, [*snmp.v3, "-Ot"])) > before
        assert snmp.column(IF_DESCR) == ports
    finally:
        argonne_lab.do("clock", "grf1")
    assert comes(0)


DEPENDENT_NODE = ".1.3.6.1.4.1.2.6.117.4.1.1"


def adapter_row(snmp: Snmp) -> dict[int, str]:
    """Columns of the one row of the SP dependent-node table."""
    done = snmp.run("snmpwalk", snmp.v3, "-Oq", DEPENDENT_NODE)
    assert done.returncode == 0, done.stderr
    rows = [line.split(" ", 1) for line in done.stdout.splitlines()]
    return {int(name.removeprefix(DEPENDENT_NODE).split(".")[1]): value.strip('"') for name, value in rows}


def test_extension_row_matches_the_adapter_and_a_wrong_number_is_reported(
    argonne_lab: Any, snmp: Snmp
) -> None:
    row = adapter_row(snmp)
    number = int(row[2])
    host = f"10.1.0.{number}"
    assert row == {
        1: "grf1", 2: str(number), 4: "2", 5: str(number - 1), 6: host, 7: "255.255.255.0", 8: "65520",
        9: "1", 10: "6", 12: "1", 15: "1",
    }  # fmt: skip
    try:
        assert "switch node number 3" in argonne_lab.do("sp-adapter", "grf1", "switch-node-number", "3")
        argonne_lab.inside("grf1", "ip", "link", "set", "gt000", "arp", "off")
        wrong = adapter_row(snmp)
        assert (wrong[5], wrong[4]) == ("3", "1")
    finally:
        argonne_lab.do("sp-adapter", "grf1")
        argonne_lab.inside("grf1", "ip", "link", "set", "gt000", "arp", "on")
    assert adapter_row(snmp) == row
