"""The running site casa: real TCP over the fabric, counters over SNMP, hold time, the experiment."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.netns, pytest.mark.slow]

CONNECT_FAIL = ".1.3.6.1.4.1.10.2.1.5.3.11.0"
TIMEOUT = ".1.3.6.1.4.1.10.2.1.5.6.10.0"
PORT_PACKETS_OUT, PORT_OCTETS_OUT = ".1.3.6.1.2.1.31.1.1.1.11", ".1.3.6.1.2.1.31.1.1.1.10"
SWITCH, GATEWAY, FAR_SWITCH = "10.255.0.200", "10.255.0.201", "10.255.0.202"
C90, CT1 = "10.4.0.1", "10.4.0.34"


class Casa:
    """A running casa, controlled by its command line."""

    def __init__(self, state: Path) -> None:
        self._command = [sys.executable, "-m", "backstay_lab", "--state", str(state)]
        self._state = state

    def try_do(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._command, *arguments], capture_output=True, text=True, timeout=60, check=False
        )

    def do(self, *arguments: str) -> str:
        done = self.try_do(*arguments)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def inside(self, node: str, *argv: str) -> str:
        run = json.loads((self._state / "run.json").read_text())
        enter = ["ip", "netns", "exec", f"bs{run['id']}-{node}"]
        done = subprocess.run([*enter, *argv], capture_output=True, text=True, timeout=30, check=False)
        return done.stdout + done.stderr

    def ping(self, source: str, target: str, count: int, *options: str) -> int:
        """Number of answered pings."""
        output = self.inside(source, "ping", "-c", str(count), "-i", "0.05", "-W", "1", *options, target)
        found = re.search(r"(\d+) received", output)
        assert found is not None, output
        return int(found[1])

    def get(self, agent: str, oid: str) -> int:
        run = json.loads((self._state / "run.json").read_text())
        access = ("-v2c", "-c", run["credentials"]["community"], "-Oqv")
        deadline = time.monotonic() + 20
        while True:
            output = self.inside("mgmt1", "env", "MIBS=", "snmpget", *access, f"udp:{agent}:161", oid)
            # snmpd responds like this while its pass_persist program exceeds its timeout.
            if not output.startswith("No Such") or time.monotonic() > deadline:
                return int(output)

    def show(self) -> dict[str, Any]:
        shown: dict[str, Any] = json.loads(self.do("hippi", "show"))
        return shown


@pytest.fixture(scope="module")
def casa(namespaces_work: None) -> Iterator[Casa]:
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        pytest.skip("/dev/net/tun cannot be opened: the HIPPI fabric needs root")
    folder = Path(tempfile.mkdtemp(prefix="bscasa"))
    lab = Casa(folder / "lab")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    try:
        lab.do("up", "casa", "--backend-port", str(port))
        yield lab
    finally:
        lab.do("down", "casa")
        shutil.rmtree(folder)


def test_round_trip_matches_the_paper_and_the_largest_packets_pass_unfragmented(casa: Casa) -> None:
    output = casa.inside("c90", "ping", "-c", "5", "-i", "0.05", "10.4.0.33")
    best = float(output.splitlines()[-1].split("/")[3].rpartition(" ")[2])
    assert 4.0 <= best <= 6.0
    assert casa.ping("c90", "10.4.0.33", 5, "-s", "65252", "-M", "do", "-W", "3") == 5


def test_snmp_port_counters_equal_the_sent_traffic(casa: Casa) -> None:
    def counters() -> tuple[int, int]:
        packets, octets = (casa.get(FAR_SWITCH, f"{oid}.9") for oid in (PORT_PACKETS_OUT, PORT_OCTETS_OUT))
        return packets, octets

    before = counters()
    assert casa.ping("sd1", CT1, 20, "-s", "1000", "-W", "3") == 20
    after = counters()
    assert (after[0] - before[0], after[1] - before[1]) == (20, 20 * 1028)


def test_switch_and_gateway_are_identified_by_object_id(casa: Casa) -> None:
    stranger = ("-v1", "-c", "public", "-t", "0.3", "-r", "0")
    run = casa.inside("mgmt1", "env", "MIBS=", "snmpget", *stranger, SWITCH, ".1.3.6.1.2.1.1.2.0")
    assert "Timeout" in run  # only the lab's community has access
    assert casa.get(SWITCH, ".1.3.6.1.2.1.2.2.1.3.8") == casa.get(GATEWAY, ".1.3.6.1.2.1.2.2.1.3.101") == 47


def test_hold_time_set_by_snmp_takes_effect(casa: Casa) -> None:
    casa.do("hippi", "block", "300")
    try:
        waited = casa.get(GATEWAY, CONNECT_FAIL)
        casa.ping("ymp", C90, 3)
        assert casa.get(GATEWAY, CONNECT_FAIL) == waited
        casa.do("hippi", "hold", "hsg-sdsc", "1")
        assert casa.get(GATEWAY, TIMEOUT) == 50
        assert casa.show()["gateways"]["hsg-sdsc"]["hold_ticks"] == 50
        casa.ping("ymp", C90, 8)
        assert casa.get(GATEWAY, CONNECT_FAIL) > waited
    finally:
        casa.do("hippi", "hold", "hsg-sdsc", "0")
        casa.do("hippi", "block", "0")
    assert casa.get(GATEWAY, TIMEOUT) == 0


def test_cut_switch_removes_its_hosts_carriers_until_restored(casa: Casa) -> None:
    casa.do("cut", "ps32-cit")
    try:
        status = json.loads(casa.do("status", "--json"))
        ymp = next(node for node in status["nodes"] if node["name"] == "ymp")
        assert {port["name"]: port["carrier"] for port in ymp["ports"]} == {"hip0": False, "en0": True}
        assert casa.get(FAR_SWITCH, ".1.3.6.1.2.1.2.2.1.8.8") == 2
    finally:
        casa.do("restore", "ps32-cit")
    assert casa.ping("c90", "10.4.0.33", 2) == 2


def test_cut_gateway_loses_its_stripes_at_both_ends(casa: Casa) -> None:
    casa.do("cut", "hsg-sdsc")
    try:
        assert casa.ping("c90", "10.4.0.33", 1) == 0
        assert casa.get(GATEWAY, ".1.3.6.1.4.1.10.2.1.5.3.13.0") == 4
        assert casa.get("10.255.0.203", ".1.3.6.1.2.1.2.2.1.8.102") == 2
        assert casa.try_do("silence", "hsg-cit").returncode == 1
    finally:
        casa.do("restore", "hsg-sdsc")
    assert casa.ping("c90", "10.4.0.33", 1) == 1


def test_blocked_acknowledgements_slow_tcp_as_in_the_paper(casa: Casa) -> None:
    output = casa.do("hippi", "blocking", "--seconds", "5")
    assert "as in the paper" in output
    assert "NOT" not in output
    assert "314.4" in output
    assert casa.show()["blockers"]["sun1"]["factor_ms"] == 0
