"""Reboots a node: ends its processes, clears its kernel state, and boots it from its files.

The namespace keeps its devices, as a machine keeps its adapters. A fault stays, because it belongs to the
network. Unsaved configuration is lost; showing that is the purpose of the command.
"""

from __future__ import annotations

import contextlib
import os
import signal
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

from backstay_lab import boot_files, engines, processes
from backstay_lab.blueprint import Blueprint, NodeSpec
from backstay_lab.daemons import snmpd
from backstay_lab.errors import LabError
from backstay_lab.network import netns, plumbing, routing
from backstay_lab.processes import Daemon
from backstay_lab.programs import run
from backstay_lab.state import Run, StateFolder

_ROOT = Path("/proc/sys/net")
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_PORT = "bsfresh"
_PATTERNS = (
    "ipv4/conf/{}/arp_*",
    "ipv4/conf/{}/*proxy_arp*",
    "ipv4/conf/{}/*gratuitous_arp",
    "ipv4/conf/{}/bc_forwarding",
    "ipv4/neigh/{}/*",
    "ipv6/conf/{}/*ndisc*",
    "ipv6/conf/{}/proxy_ndp",
    "ipv6/conf/{}/*_na",
    "ipv6/neigh/{}/*",
)


def forget_settings(namespace: str, ports: Sequence[str]) -> None:
    """Reset the ports' neighbour settings to a new port's. Raises LabError, OSError."""
    with _new_port(namespace):
        netns.inside(namespace, lambda: _copy(ports))


@contextlib.contextmanager
def _new_port(namespace: str) -> Iterator[None]:
    run(["ip", "-n", namespace, "link", "add", "name", _PORT, "type", "veth", "peer", "name", f"{_PORT}p"])
    try:
        yield
    finally:
        run(["ip", "-n", namespace, "link", "delete", "dev", _PORT])


def _copy(ports: Sequence[str]) -> None:
    for pattern in _PATTERNS:
        for fresh in _ROOT.glob(pattern.format(_PORT)):
            value = fresh.read_bytes()
            for port in ports:
                mine = fresh.parent.with_name(port) / fresh.name
                if mine.exists() and mine.read_bytes() != value:
                    mine.write_bytes(value)


@dataclass(frozen=True, slots=True)
class Rebooted:
    """The result of a reboot."""

    ended: int
    """Processes that the reboot ended."""
    routes: dict[IPv4Network, IPv4Address]
    """By its files."""
    trouble: list[str]
    """Lines of its ARP files that failed."""


def reboot(folder: StateFolder, lab: Run, node: NodeSpec) -> Rebooted:
    """Reboot the node and wait for its routes. LabError for a node that cannot reboot."""
    plan = lab.plan()
    if node.simulated_by is not None or not plan.in_namespace(node):
        raise LabError(
            f"{node.name} is simulated by {node.simulated_by} and cannot reboot.",
            "Reboot a node that is not.",
        )
    namespace = lab.names.node(node.name)
    # First: whatever starts again once all has ended is of the new boot.
    boot_id_file(folder, node.name).write_text(f"{uuid.uuid4()}\n", encoding="ascii")
    ended = _end_all(namespace)
    _forget(plan, node, namespace, cut=node.name in lab.faults and lab.faults[node.name].kind == "cut")
    started: list[Daemon] = []

    def start(name: str, argv: list[str], environment: dict[str, str] | None = None) -> None:
        log, command = folder.log(name, node.name), [*netns.enter(namespace), *argv]
        started.append(processes.start(name, node.name, command, log, environment=environment))

    trouble = boot_files.resolve(folder.home(node.name), namespace)
    if node.routes:
        boot_files.boot(engines.ENGINES[node.engine], folder.home(node.name), namespace, start)
    if snmpd.watched(plan, node):
        home = folder.node_folder(node.name)
        start("snmpd", snmpd.argv(home / "snmpd.conf"), snmpd.environment(home))
    others = tuple(daemon for daemon in lab.daemons if daemon.node != node.name)
    folder.save(replace(lab, daemons=(*others, *started)))
    return Rebooted(ended, routing.come_back(node, namespace), trouble)


def boot_id_file(folder: StateFolder, node: str) -> Path:
    """The node's own boot id (random(4)), which an agent reads instead of the kernel's that all nodes share;
    until its first reboot they are the same."""
    path = folder.node_folder(node) / "boot_id"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_BOOT_ID.read_bytes())
    return path


def _end_all(namespace: str) -> int:
    """Like a power loss: no process can clean up, not even the agent and its guard."""
    found = [processes.identify("guest", pid) for pid in netns.processes([namespace]) if pid != os.getpid()]
    for daemon in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(daemon.pid, signal.SIGKILL)
    processes.stop(found)
    return len(found)


def _forget(plan: Blueprint, node: NodeSpec, namespace: str, *, cut: bool) -> None:
    """Take the ports down, remove routes, addresses and neighbours, then set the ports up as at the start."""
    ports, lines = plan.devices(node), list[str]()
    forget_settings(namespace, [port.name for port in ports])
    for port in ports:
        lines.append(plumbing.quick_retry(port))
        if plan.fabric(port.fabric).wiring != "tun":  # lo has no neighbours.
            lines.append(f"link set dev {port.name} arp on")
        lines += [f"link set dev {port.name} down", f"address flush dev {port.name}"]
        lines += [f"neighbour flush dev {port.name} nud all"]
        lines += [f"link set dev {port.name} mtu {plan.fabric(port.fabric).mtu}"]
    # Routes without a port come last: routes via a next hop object cannot be flushed as routes.
    lines += ["nexthop flush", "route flush table main", "rule flush"]
    lines += ["rule add lookup main priority 32766", "rule add lookup default priority 32767"]
    for port in ports:
        if port.address is not None:
            lines.append(f"address add {port.address} broadcast + dev {port.name}")
        management = plan.fabric(port.fabric).management
        if management or not cut:
            lines.append(f"link set dev {port.name} up")
    run(["ip", "-n", namespace, "-force", "-batch", "-"], text="\n".join(lines) + "\n")
    netns.inside(namespace, lambda: plumbing.write_sysctls(node.forwards))
