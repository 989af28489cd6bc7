"""Three nodes on a switched fabric with or without ARP, in private namespaces, each with a second port to its
controller: for tests and benchmarks of ARP changes.
"""

import contextlib
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from backstay_agent.actuators import arp
from backstay_agent.host.boot_files import digest
from backstay_testing.controller import Controller
from backstay_testing.driver_node import DrivenNode
from backstay_testing.engines import Node
from backstay_testing.namespaces import Namespace, join, namespace
from backstay_wire import (
    ArpFiles,
    ChangeAssignment,
    ChangeProbe,
    FileIntent,
    NodeArp,
    Phase,
    PortArp,
    StaticNeighbour,
)

FABRIC = "css0"
CONTROLLER = "10.79.0.254"
OPERATORS = "# the operator's\nneigh replace 10.78.0.200 lladdr 02:00:00:00:00:c8 dev css0 nud permanent\n"
_SETTINGS = (
    "ipv4.conf.css0.arp_ignore",
    "ipv4.conf.css0.arp_notify",
    "ipv4.neigh.css0.base_reachable_time_ms",
    "ipv4.neigh.css0.gc_stale_time",
    "ipv6.conf.css0.ndisc_notify",
    "ipv6.neigh.css0.ucast_solicit",
)


@dataclass(frozen=True, slots=True)
class Peer:
    """A node's addresses on the fabric."""

    number: int

    @property
    def address(self) -> str:
        """On the fabric."""
        return f"10.78.0.{self.number}"

    @property
    def address6(self) -> str:
        """On the fabric."""
        return f"fd78::{self.number}"

    @property
    def mac(self) -> str:
        """Hardware address of its port on the fabric."""
        return f"02:78:00:00:00:{self.number:02x}"

    def entries(self) -> list[StaticNeighbour]:
        """Entries that the others need to reach it without ARP."""
        return [
            StaticNeighbour(address=ip_address(own), mac=self.mac) for own in (self.address, self.address6)
        ]


class ArpNode(DrivenNode):
    """One node of the fabric."""

    def __init__(
        self,
        space: Namespace,
        me: Peer,
        folder: Path,
        controller: tuple[str, int],
        environment: Mapping[str, str],
    ) -> None:
        super().__init__(space, folder, controller, environment)
        self.me = me
        self.node = Node(space, space)
        self.files = ArpFiles(config=str(folder / "arp"), settings=str(folder / "60-arp.conf"))
        Path(self.files.config).write_text(OPERATORS)
        (folder / "arp_files.json").write_text(self.files.model_dump_json())

    def propose(
        self,
        port: PortArp,
        *,
        table: Mapping[str, int] | None = None,
        probe: str = "",
        timeout_s: float = 5.0,
        base: str = "",
    ) -> None:
        """Request another change of this port; `probe` must answer after it."""
        self.change += 1
        now = self.node.run(lambda: arp.running(self.files)).digest
        texts = {self.files.config: OPERATORS + batch(port), self.files.settings: sysctl(port)}
        files = [
            FileIntent(
                path=path, text=text, base=digest(Path(path).read_text()) if Path(path).exists() else ""
            )
            for path, text in texts.items()
        ]
        self.assignment = ChangeAssignment(
            change=self.change,
            revision=self.change,
            phase=Phase.PREPARE,
            arp=NodeArp(revision=self.change, ports=[port], table=dict(table or {}), files=files),
            arp_base=base or now,
            probes=[ChangeProbe(name=probe, address=ip_address(probe))] if probe else [],
            probe_s=2.0,
            timeout_s=timeout_s,
        )
        self.want(Phase.PREPARE)

    def seen(self) -> dict[str, str]:
        """Flag, entries, settings, files."""
        links = json.loads(self.node.ask("ip", "-j", "address"))
        ports = [f"{link['ifname']} {sorted(link['flags'])} {link['mtu']}" for link in links]
        entries = self.node.ask("ip", "neighbour", "show", "nud", "permanent").splitlines()
        files = [Path(path) for path in (self.files.config, self.files.settings)]
        return {
            "ports": "\n".join(ports),
            "neighbours": "\n".join(sorted(re.sub(r" +$", "", entry) for entry in entries)),
            "settings": self.node.ask("sysctl", "--ignore", *(f"net.{name}" for name in _SETTINGS)),
            "files": "\n".join(file.read_text() if file.exists() else "absent" for file in files),
        }

    @property
    def speaks_arp(self) -> bool:
        """Whether ARP is on at the fabric's port, by ip(8)."""
        (link,) = json.loads(self.node.ask("ip", "-j", "link", "show", FABRIC))
        return "NOARP" not in link["flags"]

    def ping(self, address: str, seconds: float) -> "Pings":
        """Send an echo every 20 ms from now on."""
        count = round(seconds / 0.02)
        argv = [*self.space.enter(), "ping", "-n", "-q", "-i", "0.02", "-c", str(count), "-W", "1", address]
        return Pings(subprocess.Popen(argv, stdout=subprocess.PIPE, text=True))


@dataclass(frozen=True, slots=True)
class Pings:
    """Echoes in flight."""

    process: "subprocess.Popen[str]"

    def lost(self) -> tuple[int, int]:
        """(lost, sent) after the last one."""
        output, _ = self.process.communicate()
        match = re.search(r"(\d+) packets transmitted, (\d+) received", output)
        assert match is not None, output
        return int(match[1]) - int(match[2]), int(match[1])


def _digest(path: str) -> str:
    return digest(Path(path).read_text()) if Path(path).exists() else ""


def batch(port: PortArp) -> str:
    """The port's boot commands for `ip -batch`."""
    lines = [] if port.arp is None else [f"link set dev {port.port} arp {'on' if port.arp else 'off'}"]
    lines += [
        f"neigh replace {neighbour.address} lladdr {neighbour.mac} dev {port.port} nud permanent"
        for neighbour in port.neighbours
    ]
    return "".join(f"{line}\n" for line in lines)


def sysctl(port: PortArp) -> str:
    """The port's boot settings, in the format of sysctl.d(5)."""
    lines = []
    for key, value in port.settings.items():
        family, tree, name = key.split(".")
        lines.append(f"net.{family}.{tree}.{port.port}.{name} = {value}\n")
    return "".join(lines)


def off(me: Peer, peers: Sequence[Peer], settings: Mapping[str, int] | None = None) -> PortArp:
    """ARP off on a node's port, with entries for all the others."""
    entries = [entry for peer in peers if peer != me for entry in peer.entries()]
    return PortArp(port=FABRIC, arp=False, neighbours=entries, settings=dict(settings or {}))


@contextlib.contextmanager
def fabric(count: int = 3, driven: int = 3, **environment: str) -> Iterator[list[ArpNode]]:
    """Nodes with ARP on, the first `driven` ones with a running driver; their controller is on another
    network."""
    folder = Path(tempfile.mkdtemp(prefix="bsarp"))
    peers = [Peer(number) for number in range(1, count + 1)]
    nodes: list[ArpNode] = []
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        hub = stack.enter_context(namespace())
        for bridge in ("fabric", "control"):
            hub.run("link", "add", bridge, "type", "bridge", "mcast_snooping", "0")
            hub.run("link", "set", bridge, "up")
        hub.run("address", "add", f"{CONTROLLER}/24", "dev", "control")
        controller = Controller(hub, CONTROLLER)
        stack.callback(controller.stop)
        for peer in peers:
            space = stack.enter_context(namespace())
            _attach(space, hub, peer)
            home = folder / f"n{peer.number}"
            home.mkdir()
            made = ArpNode(space, peer, home, (CONTROLLER, controller.port), environment)
            stack.callback(made.end)
            if peer.number <= driven:
                made.start()
            nodes.append(made)
        yield nodes


def _attach(space: Namespace, hub: Namespace, peer: Peer) -> None:
    join(space, FABRIC, hub, f"f{peer.number}")
    join(space, "en0", hub, f"c{peer.number}")
    hub.run("link", "set", f"f{peer.number}", "master", "fabric")
    hub.run("link", "set", f"c{peer.number}", "master", "control")
    space.run("link", "set", FABRIC, "address", peer.mac)
    space.run("address", "add", f"{peer.address}/24", "dev", FABRIC)
    space.run("address", "add", f"{peer.address6}/64", "dev", FABRIC, "nodad")
    space.run("address", "add", f"10.79.0.{peer.number}/24", "dev", "en0")
