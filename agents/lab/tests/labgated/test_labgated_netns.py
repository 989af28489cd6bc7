"""labgated and gdc in namespaces: one node and two gateways on one switch, as in the papers.

Without probes: the tests show which failures gated itself notices and which it does not.
"""

from __future__ import annotations

import atexit
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
from typing import IO

import pytest

from backstay_lab.labgated.netlink import GATED
from backstay_lab.labgated.program import LABEL, write_gdc

PYCACHE = Path(tempfile.mkdtemp(prefix="bsgated-pycache"))
atexit.register(shutil.rmtree, PYCACHE, ignore_errors=True)
pytestmark = [pytest.mark.netns, pytest.mark.slow, pytest.mark.usefixtures("namespaces_work")]
STATICS = """rip no;
redirect no;
static {
    default gateway 10.1.0.201 preference 60;
    default gateway 10.1.0.15 preference 61 retain;
};
"""
SPEAK = """
import socket, struct, sys, time
ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
ear.bind(("", 520))
ear.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(sys.argv[1]))
for _ in range(int(sys.argv[3])):
    row = struct.pack(">HHIIII", 2, 0, 0, 0, 0, int(sys.argv[2]))
    ear.sendto(struct.pack(">BBH", 2, 2, 0) + row, ("224.0.0.9", 520))
    time.sleep(0.2)
"""
"""A router that says so and so often, five times a second, that it has a default route of a metric."""


ADVERTISE = """
import socket, struct, sys
def checksum(octets):
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF
bare = struct.pack(">BBHBBH4si", 9, 0, 0, 1, 2, int(sys.argv[2]), socket.inet_aton(sys.argv[1]), 0)
mouth = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(sys.argv[1]))
mouth.sendto(bare[:2] + struct.pack(">H", checksum(bare)) + bare[4:], ("224.0.0.1", 0))
"""
"""A router that advertises itself once, for a lifetime in seconds."""


class Network:
    """A switch with the node `sp` (two ports: css0, en0) and the gateways `grf` and `atm`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Compiled modules are kept, since a test starts many short programs.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self._environment = {**kept, "PYTHONPYCACHEPREFIX": str(PYCACHE)}
        unprivileged = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        self._first = self._hold(["unshare", *unprivileged, "--net", "--"])
        self._user = ["--user", "--preserve-credentials"] if unprivileged else []
        self._held = {"switch": self._first}

    def _hold(self, enter: list[str]) -> subprocess.Popen[bytes]:
        held = subprocess.Popen(
            [*enter, sys.executable, "-S", "-c", "print(1, flush=True); input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert held.stdout is not None
        assert held.stdout.readline()
        return held

    def add(self, name: str, *ports: tuple[str, str]) -> None:
        """A node with these (port, address) on the switch."""
        self._held[name] = self._hold([*self._enter("switch"), "unshare", "--net", "--"])
        self.ip(name, "link set lo up")
        for port, address in ports:
            pid = self._held[name].pid
            self.ip("switch", f"link add {name}-{port} type veth peer name {port} netns {pid}")
            self.ip("switch", f"link set {name}-{port} master sw up")
            self.ip(name, f"addr add {address} dev {port}")
            self.ip(name, f"link set {port} up")

    def _enter(self, name: str) -> list[str]:
        return ["nsenter", "-t", str(self._held[name].pid), *self._user, "--net", "--"]

    def run(self, name: str, *argv: str) -> subprocess.CompletedProcess[str]:
        command = [*self._enter(name), *argv]
        return subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=60, check=False
        )

    def start(self, name: str, *argv: str, stdout: IO[str] | None = None) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*self._enter(name), *argv], env=self._environment, stdout=stdout)

    def ip(self, name: str, arguments: str) -> str:
        done = self.run(name, "ip", *arguments.split())
        assert done.returncode == 0, f"{name}: {arguments}: {done.stderr}"
        return done.stdout

    def default(self) -> str:
        """The gateway of the node's default route; empty without one."""
        shown = json.loads(self.ip("sp", "-json route show default") or "[]")
        return ",".join(route["gateway"] for route in shown)

    def gdc(self, *arguments: str) -> str:
        """gdc, which must succeed."""
        done = self.run("sp", str(self.folder / "gdc"), *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, text: str, ending: str = "") -> None:
        (self.folder / f"gated.conf{ending}").write_text(text)

    def dump(self) -> str:
        self.gdc("dump")
        return (self.folder / "gated_dump").read_text()

    def close(self) -> None:
        self.run("sp", str(self.folder / "gdc"), "-q", "stop")
        for held in self._held.values():
            held.kill()
            held.wait()
            for pipe in (held.stdin, held.stdout):
                if pipe:
                    pipe.close()


@pytest.fixture
def network() -> Iterator[Network]:
    """labgated is not yet started."""
    folder = Path(tempfile.mkdtemp(prefix="bsgated"))
    made = Network(folder)
    made.ip("switch", "link add sw type bridge forward_delay 0 mcast_snooping 0")
    made.ip("switch", "link set sw up")
    made.add("sp", ("css0", "10.1.0.17/24"), ("en0", "10.255.0.17/24"))
    made.add("grf", ("gt", "10.1.0.201/24"))
    made.add("atm", ("css0", "10.1.0.15/24"))
    write_gdc(folder / "gdc", folder, time_scale=0.01)
    yield made
    made.close()
    shutil.rmtree(folder)


def until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Fails if the condition is not met in time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def _watches(pid: int) -> bool:
    """Whether a process has executed `ip` and opened its netlink socket."""
    try:
        is_ip = Path(f"/proc/{pid}/comm").read_text() == "ip\n"
        return is_ip and any("socket:" in str(item.readlink()) for item in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def test_preferred_gateway_is_installed_as_a_gated_kernel_route(network: Network) -> None:
    network.write(STATICS)
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.201")
    assert "proto gated" in network.ip("sp", "route show default")
    assert GATED == 8
    assert network.run("sp", "ping", "-c1", "-W2", "10.1.0.201").returncode == 0
    assert LABEL in network.dump()


def test_gateway_that_stops_responding_is_not_noticed(network: Network) -> None:
    network.write(STATICS)
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.201")
    network.ip("grf", "link set gt down")
    network.gdc("interface")
    time.sleep(0.5)
    assert network.run("sp", "ping", "-c1", "-W1", "10.1.0.201").returncode != 0
    assert network.default() == "10.1.0.201"
    assert "*Static\tPreference:  60" in network.dump()


def test_down_port_withdraws_its_routes_until_it_is_up(network: Network) -> None:
    network.write(STATICS.replace("};", "    default gateway 10.255.0.1 preference 99;\n};"))
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.201")
    network.ip("sp", "link set css0 down")
    until(lambda: network.default() == "10.255.0.1")
    assert "css0\tState: <Down>" in network.dump()
    network.ip("sp", "link set css0 up")
    until(lambda: network.default() == "10.1.0.201")
    network.ip("switch", "link set sp-css0 down")
    until(lambda: network.default() == "10.255.0.1")


def test_externally_deleted_route_is_reinstalled(network: Network) -> None:
    network.write(STATICS)
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.201")
    network.ip("sp", "route del default")
    until(lambda: network.default() == "10.1.0.201")


def test_change_uses_checknew_newconf_reconfig_and_dump_and_can_be_backed_out(network: Network) -> None:
    network.write(STATICS)
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.201")
    network.write(STATICS.replace("preference 61", "preference 59"), "+")
    network.gdc("checknew")
    network.gdc("newconf")
    assert network.default() == "10.1.0.201", "newconf alone moves files only"
    with (network.folder / "seen").open("w+") as seen:
        watch = network.start("sp", "ip", "monitor", "route", stdout=seen)
        until(lambda: _watches(watch.pid))
        network.gdc("reconfig")
        dump = network.dump()
        until(lambda: "10.1.0.15" in (network.folder / "seen").read_text())
        watch.terminate()
        watch.wait()
    assert "Deleted" not in (network.folder / "seen").read_text(), "add before delete"
    assert network.default() == "10.1.0.15"
    assert dump.index("Preference:  59") < dump.index("Preference:  60")
    network.gdc("backout")
    network.gdc("reconfig")
    network.gdc("dump")
    assert network.default() == "10.1.0.201"
    assert (network.folder / "gated.conf").read_text() == STATICS


def test_invalid_file_keeps_the_old_configuration(network: Network) -> None:
    network.write(STATICS)
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.201")
    network.write("rip no;\nstatic { default gateway; };\n")
    network.gdc("reconfig")
    dump = network.dump()
    assert "parse: gated.conf:2" in (network.folder / "gated_parse").read_text()
    assert network.default() == "10.1.0.201"
    assert "Routes: " in dump
    assert network.run("sp", str(network.folder / "gdc"), "restart").returncode == 1
    network.write(STATICS)
    network.gdc("start")


def test_routes_are_removed_at_exit_unless_retained(network: Network) -> None:
    network.write(STATICS.replace("};", "    192.0.2.0 masklen 24 gateway 10.1.0.15 retain;\n};"))
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.201")
    network.gdc("stop")
    assert network.default() == ""
    assert "192.0.2.0/24 via 10.1.0.15" in network.ip("sp", "route")
    assert network.run("sp", str(network.folder / "gdc"), "running").returncode == 1


def test_routes_of_a_killed_gated_are_temporary_remnants(network: Network) -> None:
    network.write(STATICS)
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.201")
    network.gdc("KILL")
    until(lambda: network.run("sp", str(network.folder / "gdc"), "running").returncode == 1)
    network.write("rip no;\nkernel { remnantholdtime 200; };\n")
    network.gdc("start")
    assert network.default() == "10.1.0.201"
    assert "*Kernel\tPreference: 254" in network.dump()
    until(lambda: network.default() == "")


def test_option_n_does_not_change_the_kernel(network: Network) -> None:
    network.write(STATICS)
    network.gdc("-n", "start")
    assert "*Static\tPreference:  60" in network.dump()
    assert network.default() == ""


def test_second_daemon_in_a_folder_is_refused(network: Network) -> None:
    network.write(STATICS)
    network.gdc("start")
    again = network.run(
        "sp", sys.executable, "-m", "backstay_lab.labgated", "-N", "--state", str(network.folder)
    )
    assert (again.returncode, "a gated is already running" in again.stderr) == (1, True)


def test_signals_act_as_in_gated_8(network: Network) -> None:
    network.write(STATICS)
    daemon = network.start(
        "sp", sys.executable, "-m", "backstay_lab.labgated", "-N", "--state", str(network.folder)
    )
    until(lambda: network.default() == "10.1.0.201")
    network.write(STATICS.replace("preference 61", "preference 1"))
    daemon.send_signal(signal.SIGHUP)
    until(lambda: network.default() == "10.1.0.15")
    daemon.send_signal(signal.SIGINT)
    until((network.folder / "gated_dump").exists)
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(10) == 0
    assert network.default() == "10.1.0.15", "that one is retained"


def test_rip_ranks_gateways_and_unreachable_ones_time_out(network: Network) -> None:
    network.write("""interfaces { interface css0 passive; };
rip yes { nobroadcast; interface css0 version 2 noripout; trustedgateways 10.1.0.201 10.1.0.15; };
redirect no;
import proto rip gateway 10.1.0.201 preference 75 { default; };
import proto rip gateway 10.1.0.15 preference 90 { default; };
import proto rip restrict;
""")
    network.gdc("start")
    backup = network.start("atm", sys.executable, "-S", "-c", SPEAK, "10.1.0.15", "1", "40")
    until(lambda: network.default() == "10.1.0.15")
    preferred = network.start("grf", sys.executable, "-S", "-c", SPEAK, "10.1.0.201", "5", "5")
    until(lambda: network.default() == "10.1.0.201")
    assert preferred.wait(30) == 0
    # 180 s at a hundredth: the last announcement expires after 1.8 s.
    until(lambda: network.default() == "10.1.0.15", 20)
    dump = network.dump()
    assert "+RIP\tPreference:  90" in dump
    assert "-RIP\tPreference:  75" in dump
    assert "Metric: 16" in dump
    backup.terminate()
    backup.wait()


def test_untrusted_speaker_is_ignored(network: Network) -> None:
    network.write("rip yes { trustedgateways 10.1.0.201; };")
    network.gdc("start")
    network.run("atm", sys.executable, "-S", "-c", SPEAK, "10.1.0.15", "1", "2")
    network.run("grf", sys.executable, "-S", "-c", SPEAK, "10.1.0.201", "9", "2")
    until(lambda: network.default() == "10.1.0.201")
    assert "10.1.0.15 " not in network.dump()


def test_advertised_router_is_used_until_its_lifetime_ends(network: Network) -> None:
    network.write("""rip no;
redirect no;
routerdiscovery client yes { interface css0 solicit; };
static { default gateway 10.1.0.15; };
""")
    network.gdc("start")
    until(lambda: network.default() == "10.1.0.15")
    advertised = network.run("grf", sys.executable, "-S", "-c", ADVERTISE, "10.1.0.201", "300")
    assert advertised.returncode == 0, advertised.stderr
    until(lambda: network.default() == "10.1.0.201")
    assert "*ICMP\tPreference:  55" in network.dump()
    until(lambda: network.default() == "10.1.0.15", 8)


def test_no_early_or_repeated_signal_is_lost(network: Network) -> None:
    network.write(STATICS)
    network.gdc("start")
    for attempt in range(5):
        network.write(STATICS.replace("preference 61", f"preference {59 if attempt % 2 else 61}"))
        network.gdc("reconfig")
        assert "Routes: " in network.dump()
        expected = "10.1.0.15" if attempt % 2 else "10.1.0.201"
        assert network.default() == expected, attempt
    network.gdc("running")
