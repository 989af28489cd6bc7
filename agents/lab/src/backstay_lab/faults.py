"""Faults of nodes and of shared fabrics; applying and undoing are idempotent.

cut            its data ports, or one of them, are down: peers on point-to-point links lose carrier; peers
               on a shared switch stay up, as in reality. The management port stays up, so SNMP can report
               the fault.
silence        its links stay up, but all ports, including management, drop all packets.
blackhole      it answers but does not forward: neither BFD nor a routing protocol detects it.
one-way        its links stay up and it receives, but its data ports drop all that it sends.
no-management  only its management port drops all packets: no report leaves it, its traffic goes on.

A shared fabric can be cut, so that all its ports lose carrier, or silenced. A node or fabric has one fault
at a time; a new one replaces it. A service applies the faults of the nodes that it
simulates (`backstay_lab.blueprint.Service`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backstay_lab.blueprint import Blueprint, FabricSpec, NodeSpec
from backstay_lab.errors import LabError
from backstay_lab.programs import run
from backstay_lab.state import Run, StateFolder

TABLE = "backstay_fault"

Action = Callable[[Blueprint, NodeSpec, str], None]
"""Blueprint, node, the node's namespace."""


@dataclass(frozen=True)
class FaultKind:
    """How a fault is applied and undone, and its description."""

    apply: Action
    undo: Action
    meaning: str


def _cut(plan: Blueprint, node: NodeSpec, namespace: str) -> None:
    _set_data_ports(plan, node, namespace, "down")


def _mend(plan: Blueprint, node: NodeSpec, namespace: str) -> None:
    _set_data_ports(plan, node, namespace, "up")


def _set_data_ports(plan: Blueprint, node: NodeSpec, namespace: str, state: str) -> None:
    ports = [port for port in plan.data_ports(node) if plan.has_device(node, port)]
    if not ports:
        raise LabError(f"{node.name} has no data link to cut.", "Use `silence`, or cut another node.")
    _set_ports(namespace, [port.name for port in ports], state)


def _silence(plan: Blueprint, node: NodeSpec, namespace: str) -> None:
    _drop(namespace, [port.name for port in plan.devices(node)], "ingress", "egress")


def _mute(plan: Blueprint, node: NodeSpec, namespace: str) -> None:
    ports = [port.name for port in plan.data_ports(node) if plan.has_device(node, port)]
    if not ports:
        raise LabError(f"{node.name} has no data port.", "Choose another node.")
    _drop(namespace, ports, "egress")


def _unmanage(plan: Blueprint, node: NodeSpec, namespace: str) -> None:
    ports = [port.name for port in plan.devices(node) if plan.fabric(port.fabric).management]
    if not ports:
        raise LabError(f"{node.name} has no management port.", "Choose another node.")
    _drop(namespace, ports, "ingress", "egress")


def _drop(namespace: str, ports: Sequence[str], *hooks: str) -> None:
    """Drop all that these ports receive (ingress) or send (egress)."""
    devices = ", ".join(f'"{port}"' for port in ports)
    chains = [
        f"  chain {hook} {{ type filter hook {hook} devices = {{ {devices} }} priority -500; policy drop; }}"
        for hook in hooks
    ]
    _replace_table(namespace, "netdev", chains)


def _end_silence(_plan: Blueprint, _node: NodeSpec, namespace: str) -> None:
    _drop_table(namespace, "netdev")


def _blackhole(_plan: Blueprint, node: NodeSpec, namespace: str) -> None:
    if not node.forwards:
        raise LabError(f"{node.name} does not forward packets.", "Choose a gateway or the router.")
    _replace_table(
        namespace, "inet", ["  chain forward { type filter hook forward priority -300; policy drop; }"]
    )


def _forward(_plan: Blueprint, _node: NodeSpec, namespace: str) -> None:
    _drop_table(namespace, "inet")


def _replace_table(namespace: str, family: str, chains: list[str]) -> None:
    """One nft(8) transaction that replaces the table."""
    table = f"{family} {TABLE}"
    _nft(namespace, [f"add table {table}", f"delete table {table}", f"table {table} {{", *chains, "}"])


def _drop_table(namespace: str, family: str) -> None:
    table = f"{family} {TABLE}"
    _nft(namespace, [f"add table {table}", f"delete table {table}"])


def _nft(namespace: str, lines: list[str]) -> None:
    run(["ip", "netns", "exec", namespace, "nft", "-f", "-"], text="\n".join(lines) + "\n")


FAULTS: dict[str, FaultKind] = {
    "cut": FaultKind(_cut, _mend, "data links have lost carrier; management stays up"),
    "silence": FaultKind(_silence, _end_silence, "links stay up, but all ports drop all packets"),
    "blackhole": FaultKind(_blackhole, _forward, "answers but does not forward"),
    "one-way": FaultKind(_mute, _end_silence, "receives, but its data ports drop all that it sends"),
    "no-management": FaultKind(_unmanage, _end_silence, "only its management port drops all packets"),
}
FABRIC_KINDS = ("cut", "silence")
SIMULATED_KINDS = ("cut", "silence", "blackhole")


def cut_port(plan: Blueprint, node: NodeSpec, namespace: str, name: str) -> None:
    """Take one data port down; restoring the node's fault `cut` takes it up again. Raises LabError."""
    ports = [port.name for port in plan.data_ports(node) if plan.has_device(node, port)]
    if name not in ports:
        raise LabError(f"{node.name} has no data port {name!r}.", f"It has: {', '.join(ports)}.")
    run(["ip", "-n", namespace, "link", "set", "dev", name, "down"])


def apply_to_fabric(lab: Run, fabric: FabricSpec, kind: str) -> None:
    """Apply the fault to every port of a shared fabric; undo another one first. Raises LabError."""
    namespace, ports = _fabric_ports(lab, fabric)
    if kind not in FABRIC_KINDS:
        raise LabError(f"A fabric cannot {kind}.", f"Use one of: {', '.join(FABRIC_KINDS)}.")
    restore_fabric(lab, fabric)
    if kind == "silence":
        _drop(namespace, ports, "ingress", "egress")
    else:
        _set_ports(namespace, ports, "down")


def restore_fabric(lab: Run, fabric: FabricSpec) -> None:
    """End the fabric's fault."""
    namespace, ports = _fabric_ports(lab, fabric)
    _drop_table(namespace, "netdev")
    _set_ports(namespace, ports, "up")


def _fabric_ports(lab: Run, fabric: FabricSpec) -> tuple[str, list[str]]:
    """Its namespace, and its ports there, which are named like the nodes."""
    if not fabric.shared or fabric.wiring != "veth":
        raise LabError(f"{fabric.name} is no shared switch.", "Cut the nodes at its links' ends instead.")
    plan = lab.plan()
    nodes = [node.name for node in plan.nodes for port in node.ports if port.fabric == fabric.name]
    return lab.names.fabric(fabric.name), nodes


def _set_ports(namespace: str, ports: Sequence[str], state: str) -> None:
    lines = [f"link set dev {port} {state}" for port in ports]
    run(["ip", "-n", namespace, "-batch", "-"], text="\n".join(lines) + "\n")


def apply(folder: StateFolder, lab: Run, node: NodeSpec, kind: str, current: str | None) -> None:
    """Apply the fault, then remove the node's previous one."""
    if node.simulated_by is not None:
        if kind not in SIMULATED_KINDS:
            raise LabError(f"{node.name} is simulated.", f"Use one of: {', '.join(SIMULATED_KINDS)}.")
        running = folder.running(lab, node.simulated_by)
        running.plan.service_named(node.simulated_by).fault(running, node, kind)
    else:
        FAULTS[kind].apply(lab.plan(), node, lab.names.node(node.name))
    if current is not None and FAULTS[current].undo is not FAULTS[kind].undo:
        restore(folder, lab, node, current)


def restore(folder: StateFolder, lab: Run, node: NodeSpec, current: str) -> None:
    """End the node's fault."""
    if node.simulated_by is not None:
        running = folder.running(lab, node.simulated_by)
        running.plan.service_named(node.simulated_by).restore(running, node, current)
    else:
        FAULTS[current].undo(lab.plan(), node, lab.names.node(node.name))
