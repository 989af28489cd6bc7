"""Four engines in a running argonne, and the state that each loses in a reboot."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = [
    pytest.mark.netns,
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="FRR's daemons need root"),
]

GRF, ATMGW, ROUTER = "10.1.0.16", "10.1.0.15", "10.9.0.1"
STATIC = ("sp05", "sp06", "sp07", "sp08")


@pytest.fixture(scope="module")
def lab(namespaces_work: None, lab_type: Callable[[Path], Any]) -> Iterator[Any]:
    """argonne with all its nodes; each test restores it."""
    if not Path("/usr/lib/frr/staticd").exists():
        pytest.skip("FRR is not installed")
    folder = Path(tempfile.mkdtemp(prefix="bslab"))  # mode 700: user frr has no access
    made = lab_type(folder / "lab")
    try:
        made.do("up", "argonne", "--backend-port", "1")
        yield made
    finally:
        made.do("down", "argonne")
        shutil.rmtree(folder)


def default(lab: Any, node: str) -> str:
    """The gateway of the best default route in the node's kernel; empty without one."""
    shown = json.loads(lab.inside(node, "ip", "-json", "route", "show", "default") or "[]")
    best = min(shown, key=lambda route: route.get("metric", 0), default={"gateway": ""})
    return str(best["gateway"])


def until(holds: Callable[[], bool], what: str, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def answers(lab: Any, node: str) -> bool:
    return bool(lab.try_inside(node, "ping", "-c", "1", "-W", "1", ROUTER).returncode == 0)


def test_every_engine_selects_the_preferred_gateway(lab: Any) -> None:
    for node in ("sp01", *STATIC):
        assert default(lab, node) == GRF, node
        until(lambda node=node: answers(lab, node), f"{node} reaches the router")  # type: ignore[misc]


@pytest.mark.parametrize("fault", ["cut", "silence"])
def test_bfd_nodes_fail_over_and_static_routes_stay(lab: Any, fault: str) -> None:
    lab.do(fault, "grf1")
    try:
        until(lambda: default(lab, "sp01") == ATMGW, "BFD moves sp01")
        until(lambda: answers(lab, "sp01"), "the router moves too")
        for node in STATIC:
            assert default(lab, node) == GRF, node
            assert not answers(lab, node), node
    finally:
        lab.do("restore", "grf1")
    until(lambda: default(lab, "sp01") == GRF, "sp01 goes back")
    until(lambda: all(answers(lab, node) for node in STATIC), "the others are back with the gateway")


UNSAVED: dict[str, tuple[str, ...]] = {
    "sp05": ("-c", "configure terminal", "-c", "ip route 172.20.0.0/16 10.1.0.15"),
    "sp08": ("ip", "route", "add", "172.20.0.0/16", "via", ATMGW),
    "sp07": ("ip", "route", "add", "172.20.0.0/16", "via", ATMGW),
    "sp01": ("ip", "route", "add", "172.20.0.0/16", "via", ATMGW),
}


@pytest.mark.parametrize("node", list(UNSAVED))
def test_reboot_drops_unsaved_state_and_reads_the_boot_files(lab: Any, node: str) -> None:
    routing = {item["name"]: item.get("routing") for item in site_of(lab)["nodes"]}[node]
    command = UNSAVED[node]
    lab.inside(
        node, *(("vtysh", "--vty_socket", routing["control"], *command) if node == "sp05" else command)
    )
    until(lambda: "172.20.0.0/16" in lab.inside(node, "ip", "route"), "the unsaved route is there")
    saved = Path(routing["config"]).read_text()
    guest = subprocess.Popen([*lab.entering(node), "sleep", "600"])
    until(lambda: Path(f"/proc/{guest.pid}/cmdline").read_bytes().startswith(b"sleep"), "a guest runs")
    assert "booted from its files" in lab.do("reboot", node)
    assert guest.wait(5) == -signal.SIGKILL
    assert default(lab, node) == GRF
    assert "172.20.0.0/16" not in lab.inside(node, "ip", "route")
    assert Path(routing["config"]).read_text() == saved
    assert all(daemon["running"] for daemon in lab.node(node)["daemons"])
    until(lambda: answers(lab, node), "it reaches the router again")


def test_reboot_changes_only_its_nodes_boot_id(lab: Any) -> None:
    program = "from backstay_agent.host.kernel import boot_time; print(boot_time.boot_id())"

    def boot_ids() -> list[str]:
        nodes = ("sp07", "sp08")
        return [lab.do("exec", node, "--", sys.executable, "-c", program).strip() for node in nodes]

    before = boot_ids()
    lab.do("reboot", "sp08")
    after = boot_ids()
    assert (after[0], after[1] != before[1]) == (before[0], True)
    assert boot_ids() == after


def test_reboot_reads_the_current_boot_file(lab: Any) -> None:
    config = Path({item["name"]: item.get("routing") for item in site_of(lab)["nodes"]}["sp08"]["config"])
    before = config.read_text()
    try:
        config.write_text(f"route replace default via {ATMGW} dev css0 metric 60\n")
        assert default(lab, "sp08") == GRF
        assert f"0.0.0.0/0 via {ATMGW}" in lab.do("reboot", "sp08")
        assert default(lab, "sp08") == ATMGW
    finally:
        config.write_text(before)
        lab.do("reboot", "sp08")
    assert default(lab, "sp08") == GRF


def test_reboot_keeps_only_saved_arp_entries(lab: Any) -> None:
    arp = {item["name"]: item.get("arp") for item in site_of(lab)["nodes"]}["sp08"]
    config, settings = Path(arp["config"]), Path(arp["settings"])
    lab.inside("sp08", "ping", "-c", "1", "-W", "2", GRF)
    (known,) = json.loads(lab.inside("sp08", "ip", "-j", "neigh", "show", GRF, "dev", "css0"))
    try:
        config.write_text(f"neigh replace {GRF} lladdr {known['lladdr']} dev css0 nud permanent\nnonsense\n")
        settings.write_text("net.ipv4.conf.css0.arp_ignore = 1\n")
        lab.inside(
            "sp08", "sysctl", "-w", "net.ipv4.conf.css0.arp_notify=1", "net.ipv4.neigh.css0.locktime=7"
        )
        lab.inside("sp08", "ip", "link", "set", "css0", "arp", "off")
        assert f"{config}: " in lab.do("reboot", "sp08"), "the line that cannot be done is told"
        assert "NOARP" not in lab.inside("sp08", "ip", "link", "show", "css0")
        names = ("conf.css0.arp_ignore", "conf.css0.arp_notify", "neigh.css0.locktime")
        found = lab.inside("sp08", "sysctl", "-n", *(f"net.ipv4.{name}" for name in names)).split()
        assert found == ["1", "0", "100"]
        assert GRF in lab.inside("sp08", "ip", "neigh", "show", "nud", "permanent")
        until(lambda: answers(lab, "sp08"), "it reaches the router again")
    finally:
        config.unlink()
        settings.unlink()
        lab.do("reboot", "sp08")
    assert lab.inside("sp08", "ip", "neigh", "show", "nud", "permanent") == ""


def test_reboot_keeps_an_injected_fault(lab: Any) -> None:
    lab.do("cut", "sp06")
    try:
        lab.do("reboot", "sp06")
        ports = {port["name"]: port["carrier"] for port in lab.node("sp06")["ports"]}
        assert ports == {"css0": False, "en0": True}
    finally:
        lab.do("restore", "sp06")
    until(lambda: answers(lab, "sp06"), "sp06 is back")


def test_gateway_reboots_with_its_snmpd(lab: Any) -> None:
    lab.do("reboot", "grf1")
    assert [daemon["name"] for daemon in lab.node("grf1")["daemons"]] == ["bird", "snmpd"]
    until(lambda: answers(lab, "sp08"), "it forwards again")


def site_of(lab: Any) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(lab.do("site-file", "argonne"))
    return document
